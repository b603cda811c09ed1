/**
 * What the engine's worker does in every host: one request at a time, long ones in slices so that they can be cancelled.
 * A host gives it a way to speak, a way to let messages in, and a clock.
 */
import {
  answerAlternatives,
  answerApply,
  answerEstimate,
  answerExport,
  answerProof,
  answerSearch,
} from '../documents/answers';
import {
  answerCalibrate,
  answerClusterScript,
  answerCompareRuns,
  answerMeasurements,
  answerPitfalls,
} from '../documents/measuredAnswers';
import { exerciseDocument } from '../documents/exercise';
import { lectureScenes } from '../documents/lectureScenes';
import type { Walker } from '../engine/search/search';
import type { EngineCall, EngineProgress, EngineResults, FromEngine, ToEngine } from '../protocol/engine';
import { inLanguage, type Language } from '../words/language';

/** Seconds of work between two looks at the messages: well under what a user notices as slow to cancel. */
const SLICE = 0.02;

export interface WorkerHost {
  readonly post: (message: FromEngine) => void;
  /** Resolves after the messages that wait have been received. */
  readonly nextTurn: () => Promise<void>;
  readonly seconds: () => number;
  /** Walks the parts of a search; absent: this thread alone does. */
  readonly walk?: Walker;
}

export class Answering {
  private readonly running = new Set<number>();
  /** Of those running. */
  private readonly cancelled = new Set<number>();

  constructor(private readonly host: WorkerHost) {}

  receive(message: ToEngine): void {
    if ('ping' in message) this.host.post({ pong: true });
    else if ('call' in message) void this.answer(message);
    else if (this.running.has(message.id)) this.cancelled.add(message.id);
  }

  private async answer({ id, version, language, call }: Extract<ToEngine, { call: EngineCall }>): Promise<void> {
    this.running.add(id);
    try {
      const result = await inLanguage(language, () => this.run(id, call, language));
      if (result !== null) this.host.post({ id, version, result });
    } catch (error) {
      this.host.post({ id, error: error instanceof Error ? error.message : String(error) });
    } finally {
      this.running.delete(id);
      this.cancelled.delete(id);
    }
  }

  /** null: cancelled. */
  private async run(
    id: number,
    call: EngineCall,
    language: Language,
  ): Promise<EngineResults[keyof EngineResults] | null> {
    switch (call.type) {
      case 'estimate':
        return answerEstimate(call);
      case 'apply':
        return answerApply(call, call.target, call.planString);
      case 'export':
        return answerExport(call, call.to);
      case 'alternatives':
        return answerAlternatives(call, call.key);
      case 'lecture':
        return lectureScenes(call.demo);
      case 'exercise':
        return exerciseDocument(call.exercise, call.text);
      case 'measurements':
        return answerMeasurements(call, call.measured);
      case 'pitfalls':
        return answerPitfalls(call.script);
      case 'compareRuns':
        return answerCompareRuns(call.runs);
      case 'calibrate':
        return answerCalibrate(call, call.measured, call.runs, call.date);
      case 'clusterScript':
        return answerClusterScript(call, call.script);
      case 'search':
        return this.inSlices(id, answerSearch(call, call.ask, this.host.seconds, this.host.walk, call.fixed), language);
      case 'prove':
        return this.inSlices(id, answerProof(call, call.planString, call.text), language);
    }
  }

  /** null: cancelled. Each step in its own language, for others may be answered between two. */
  private async inSlices<P extends EngineProgress[keyof EngineProgress], R>(
    id: number,
    steps: Generator<P, R>,
    language: Language,
  ): Promise<R | null> {
    const { post, nextTurn, seconds } = this.host;
    let sliceEnd = seconds() + SLICE;
    const next = () => inLanguage(language, () => steps.next());
    for (let step = next(); ; step = next()) {
      if (step.done === true) return step.value;
      if (seconds() < sliceEnd) continue;
      post({ id, progress: step.value });
      await nextTurn();
      if (this.cancelled.has(id)) {
        steps.return?.(null as R);
        return null;
      }
      sliceEnd = seconds() + SLICE;
    }
  }
}
