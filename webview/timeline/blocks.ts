/** Passes that are wide enough to be drawn one by one, with their letter and micro-batch where there is room. */
import { type Model, OCCUPANT_OF, OCCUPANTS, visibleSlots } from './model';
import { type Palette, SHADES } from './palette';
import { PASS_NAMES } from './trace';

/** Wider blocks stand apart by a pixel. */
const GAP_FROM = 4;
const LABEL_HEIGHT = 11;
const LABEL_ROOM = 3;
const NARROWEST_LABEL = 12;
const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉';

/** Rectangles and labels of one drawing, gathered by look so that each look is set once. */
export class Blocks {
  private readonly rectangles: number[][] = Array.from({ length: OCCUPANTS * SHADES }, () => []);
  private readonly texts: (readonly string[])[] = [];
  /** As many zeros as the largest micro-batch has digits. */
  private widest = '';
  private readonly places: number[] = [];
  private readonly widths = new Map<string, number>();
  private widthsFont = '';

  /** Takes the visible passes of a stage. */
  row(
    model: Model,
    stage: number,
    from: number,
    to: number,
    x: number,
    width: number,
    y: number,
    height: number,
  ): void {
    const { order, simulation } = model.run;
    const scale = width / (to - from);
    const deepest = Math.min(order.chunks, SHADES) - 1;
    const hasLabels = height >= LABEL_HEIGHT;
    this.widest = '0'.repeat(String(order.microBatches - 1).length);
    const [first, end] = visibleSlots(model, stage, from, to);
    for (let slot = first; slot < end; slot++) {
      const left = Math.max((simulation.start[slot] - from) * scale, 0);
      const right = Math.min((simulation.end[slot] - from) * scale, width);
      const wide = right - left - (right - left >= GAP_FROM ? 1 : 0);
      const look = OCCUPANT_OF[order.pass[slot]] * SHADES + Math.min(order.chunk[slot], deepest);
      this.rectangles[look].push(x + left, y, wide, height);
      if (hasLabels && wide >= NARROWEST_LABEL) {
        this.texts.push(passLabels(model, slot));
        this.places.push(x + left, wide, y + height / 2, look);
      }
    }
  }

  /** Draws what was taken and forgets it. */
  draw(context: CanvasRenderingContext2D, { styles, labelFont }: Palette): void {
    for (const [look, list] of this.rectangles.entries()) {
      if (list.length === 0) continue;
      context.fillStyle = styles[Math.floor(look / SHADES)][look % SHADES].fill;
      context.beginPath();
      for (let i = 0; i < list.length; i += 4) context.rect(list[i], list[i + 1], list[i + 2], list[i + 3]);
      context.fill();
      list.length = 0;
    }
    context.font = labelFont;
    if (labelFont !== this.widthsFont) this.widths.clear();
    this.widthsFont = labelFont;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    for (const [i, texts] of this.texts.entries()) {
      const [left, wide, y, look] = this.places.slice(4 * i, 4 * i + 4);
      const text = texts.find(candidate => this.widthOf(context, candidate) + LABEL_ROOM <= wide);
      if (text === undefined) continue;
      context.fillStyle = styles[Math.floor(look / SHADES)][look % SHADES].ink;
      context.fillText(text, left + wide / 2, y + 0.5);
    }
    this.texts.length = 0;
    this.places.length = 0;
  }

  /** As wide as with the largest micro-batch, so that equal blocks choose alike; digits are about equally wide. */
  private widthOf(context: CanvasRenderingContext2D, text: string): number {
    const form = text.replace(/\d+/, this.widest);
    let width = this.widths.get(form);
    if (width === undefined) {
      width = context.measureText(form).width;
      this.widths.set(form, width);
    }
    return width;
  }
}

/** What a block may say, the longest first: F12₁ (of chunk 1, where a stage has several), F12, 12. */
function passLabels({ run: { order } }: Model, slot: number): readonly string[] {
  const number = String(order.microBatch[slot]);
  const text = `${PASS_NAMES[order.pass[slot] as keyof typeof PASS_NAMES]}${number}`;
  if (order.chunks === 1) return [text, number];
  const chunk = [...String(order.chunk[slot])].map(digit => SUBSCRIPTS[Number(digit)]).join('');
  return [`${text}${chunk}`, text, number];
}
