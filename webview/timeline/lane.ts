/** One schedule on the page: its heading and figures, the drawing that takes the focus, its tooltip, its notes. */
import { h, patch } from '../dom';
import { LaneCanvas } from './canvas';
import { describeIdle, describePass, type Description, runSentence, sentence } from './describe';
import { figures, notes } from './figures';
import { type LaneActions, listen } from './interaction';
import { type Layout, layoutLane, plotWidth, stageAt } from './layout';
import { createModel, firstEndingAfter, type Model, slotAt, stageOfSlot } from './model';
import { navigate } from './navigation';
import type { Palette } from './palette';
import { fullestStage, type Run } from './run';
import { say, scheduleName, type TimelineFormats } from './words';
import type { Viewport } from './viewport';

/** What lanes share. */
export interface Shared {
  readonly viewport: Viewport;
  readonly formats: TimelineFormats;
  /** Draws all lanes in the next frame. */
  readonly redraw: () => void;
  /** Tells screen readers. */
  readonly announce: (text: string) => void;
}

export class Lane {
  readonly element = document.createElement('section');
  model: Model | null = null;
  private readonly plot = document.createElement('div');
  private readonly tip = document.createElement('div');
  private readonly head = document.createElement('div');
  private readonly foot = document.createElement('div');
  readonly canvas: LaneCanvas;
  private readonly aborter = new AbortController();
  private layout: Layout = layoutLane(1, 1);
  private selected = -1;
  private hovered = -1;
  private hoveredStage = -1;

  constructor(
    readonly id: string,
    private readonly shared: Shared,
    helpId: string,
    private readonly isFirst: boolean,
  ) {
    const canvas = document.createElement('canvas');
    this.canvas = new LaneCanvas(canvas, shared.formats);
    this.element.className = 'timeline-lane';
    this.element.setAttribute('aria-labelledby', `${id}-name`);
    this.plot.className = 'timeline-plot';
    this.plot.tabIndex = 0;
    this.plot.setAttribute('role', 'application');
    this.plot.setAttribute('aria-roledescription', say('laneRole'));
    this.plot.setAttribute('aria-describedby', helpId);
    canvas.setAttribute('role', 'img');
    this.tip.className = 'timeline-tip';
    this.tip.setAttribute('aria-hidden', 'true');
    this.tip.hidden = true;
    this.plot.append(canvas, this.tip);
    this.element.append(this.head, this.plot, this.foot);
    listen(this.plot, this.actions(), this.aborter.signal);
  }

  dispose(): void {
    this.aborter.abort();
    this.element.remove();
  }

  /** A run, or the sentence that says why there is none. */
  show(result: Run | string): void {
    if (typeof result === 'string') {
      this.model = null;
      this.plot.hidden = true;
      patch(this.head, [h('p', { class: 'timeline-problem' }, result)]);
      patch(this.foot, []);
    } else if (this.model?.run !== result) {
      this.showRun(result);
    }
  }

  private showRun(run: Run): void {
    const { formats } = this.shared;
    const { schedule, stages, microBatches, virtual } = run.input;
    const isSameOrder = this.model?.run.order.pass.length === run.order.pass.length;
    this.model = createModel(run);
    this.plot.hidden = false;
    if (!isSameOrder) this.selected = -1;
    this.leave();
    const name = scheduleName(schedule);
    const counts = { stages: formats.integer(stages), microBatches: formats.integer(microBatches), chunks: virtual };
    const shape = h('span', { class: 'note' }, say(virtual > 1 ? 'shapeChunks' : 'shapeText', counts));
    patch(this.head, [h('h3', { id: `${this.id}-name` }, name, ' ', shape), figures(run, formats, this.isFirst)]);
    patch(this.foot, notes(run, formats));
    this.plot.setAttribute('aria-label', say('lane', { name, ...counts }));
    this.canvas.canvas.setAttribute('aria-label', runSentence(run, formats));
  }

  /** The canvas follows the width that the page gives it. */
  draw(palette: Palette): void {
    const { model, selected, hovered, hoveredStage } = this;
    if (model === null) return;
    this.layout = layoutLane(model.run.order.stages, Math.floor(this.plot.clientWidth));
    const { canvas } = this.canvas;
    canvas.style.setProperty('width', `${this.layout.width}px`);
    canvas.style.setProperty('height', `${this.layout.height}px`);
    const stage =
      selected >= 0 ? stageOfSlot(model, selected) : hoveredStage >= 0 ? hoveredStage : fullestStage(model.run);
    const { from, to } = this.shared.viewport;
    this.canvas.draw({ model, layout: this.layout, from, to, selected, hovered, stage }, palette);
  }

  private actions(): LaneActions {
    const { viewport, redraw } = this.shared;
    return {
      zoom: (factor, x) => {
        viewport.zoom(factor, x === undefined ? this.selectedTime() : this.timeAt(x));
        this.moved();
      },
      pan: pixels => {
        viewport.pan((-pixels / plotWidth(this.layout)) * viewport.span);
        this.moved();
      },
      fit: () => {
        viewport.fit();
        this.moved();
      },
      hover: (x, y) => this.hover(x, y),
      leave: () => {
        this.leave();
        redraw();
      },
      select: (x, y) => {
        const stage = stageAt(this.layout, this.model?.run.order.stages ?? 0, y);
        if (this.model !== null && stage >= 0) this.select(slotAt(this.model, stage, this.timeAt(x)));
      },
      deselect: () => this.select(-1),
      go: key => {
        if (this.model === null) return false;
        const next = navigate(this.model, this.selected, key, viewport.from);
        if (next !== undefined) this.select(next, true);
        return next !== undefined;
      },
      focus: hasFocus => (hasFocus ? this.tipAtSelected() : this.leave()),
    };
  }

  /** What stood under the pointer does so no more. */
  private moved(): void {
    this.leave();
    this.shared.redraw();
  }

  private hover(x: number, y: number): void {
    const { model } = this;
    if (model === null) return;
    const stage = x < this.layout.gutter ? -1 : stageAt(this.layout, model.run.order.stages, y);
    const time = this.timeAt(x);
    const isInside = stage >= 0 && time >= 0 && time <= model.makespan;
    this.hoveredStage = stage;
    this.hovered = isInside ? slotAt(model, stage, time) : -1;
    if (!isInside) this.tip.hidden = true;
    else if (this.hovered >= 0) this.showTip(describePass(model, this.hovered, this.shared.formats), x, y);
    else this.showTip(describeIdle(model, stage, firstEndingAfter(model, stage, time), this.shared.formats), x, y);
    this.shared.redraw();
  }

  private leave(): void {
    this.hovered = -1;
    this.hoveredStage = -1;
    this.tip.hidden = true;
  }

  private select(slot: number, byKey = false): void {
    const { model, shared } = this;
    if (model === null) return;
    this.selected = slot;
    this.leave();
    if (slot >= 0) {
      const { start, end } = model.run.simulation;
      if (byKey) shared.viewport.reveal(start[slot], end[slot]);
      shared.announce(sentence(describePass(model, slot, shared.formats)));
      this.tipAtSelected();
    }
    shared.redraw();
  }

  private tipAtSelected(): void {
    const { model, selected, layout } = this;
    if (model === null || selected < 0) return;
    const { from, span } = this.shared.viewport;
    const { start, end } = model.run.simulation;
    const x = layout.gutter + ((end[selected] - from) / span) * plotWidth(layout);
    const y = layout.top + stageOfSlot(model, selected) * layout.rowPitch + layout.rowHeight;
    if (start[selected] > from + span || end[selected] < from) return;
    this.showTip(describePass(model, selected, this.shared.formats), x, y);
  }

  private showTip({ title, facts }: Description, x: number, y: number): void {
    const { tip, plot } = this;
    const rows = facts.map(({ name, value }) => h('div', {}, h('dt', {}, name), h('dd', {}, value)));
    patch(tip, [h('strong', {}, title), h('dl', {}, rows)]);
    tip.hidden = false;
    const distance = 14;
    const left = x + distance + tip.offsetWidth > plot.clientWidth ? x - distance - tip.offsetWidth : x + distance;
    tip.style.setProperty('left', `${Math.min(Math.max(left, 0), plot.clientWidth - tip.offsetWidth)}px`);
    tip.style.setProperty('top', `${y + distance}px`);
  }

  private timeAt(x: number): number {
    const { from, span } = this.shared.viewport;
    return from + ((x - this.layout.gutter) / plotWidth(this.layout)) * span;
  }

  private selectedTime(): number | undefined {
    const { model, selected } = this;
    if (model === null || selected < 0) return undefined;
    return (model.run.simulation.start[selected] + model.run.simulation.end[selected]) / 2;
  }
}
