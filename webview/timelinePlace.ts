/** The timeline's place on the page: it draws itself, is made with its box and told only of what is new to it. */
import type { DashboardState } from '../src/protocol/dashboard';
import { TIMELINE_BOX, timelineInput } from './sections/pipeline';
import type { ExportedFile } from './timeline/save';
import { createTimeline, type Timeline } from './timeline/view';

export class TimelinePlace {
  private made: { readonly box: HTMLElement; readonly view: Timeline } | null = null;
  private shown = '';

  constructor(private readonly save: (file: ExportedFile) => void) {}

  show(state: DashboardState): void {
    const box = document.getElementById(TIMELINE_BOX);
    const input = timelineInput(state);
    if (this.made !== null && this.made.box !== box) {
      this.made.view.dispose();
      this.made = null;
    }
    if (box === null || input === null) return;
    const shown = JSON.stringify(input);
    if (this.made !== null && shown === this.shown) return;
    this.shown = shown;
    this.made ??= { box, view: createTimeline(box, { onExport: this.save }) };
    this.made.view.update([input]);
  }
}
