/**
 * Rows whose passes are too narrow to draw one by one: each column of pixels shows how much of its time each kind
 * takes, forwards at the foot. Written into memory pixel by pixel, so that the cost depends on the size alone.
 */
import { type Columns, createColumns, type Model, occupancy, OCCUPANTS, SEVERAL } from './model';
import { LOOK, type Palette, SHADES, TILE } from './palette';

export class CrowdedRows {
  private columns: Columns = createColumns(1);
  private image = new ImageData(1, 1);
  private pixels = new Uint32Array(this.image.data.buffer);
  private readonly canvas = new OffscreenCanvas(1, 1);
  /** By column: heights up to which forwards, backwards and weights reach, and where its look lies in the texels. */
  private tops = new Uint16Array(OCCUPANTS);
  private looks = new Uint16Array(1);

  /** Makes room for all rows and clears it. */
  begin(width: number, height: number, { backgroundPixel }: Palette): void {
    if (this.image.width !== width || this.image.height !== height) {
      this.columns = createColumns(width);
      this.tops = new Uint16Array(width * OCCUPANTS);
      this.looks = new Uint16Array(width);
      this.image = new ImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
      this.canvas.width = width;
      this.canvas.height = height;
    }
    this.pixels.fill(backgroundPixel);
  }

  row(model: Model, stage: number, from: number, to: number, palette: Palette, y: number, height: number): void {
    const { count } = this.columns;
    occupancy(model, stage, from, to, this.columns);
    this.measure(model, (to - from) / count, height);
    const { tops, looks, pixels } = this;
    const { texels } = palette;
    const end = Math.min(count, Math.ceil(((model.makespan - from) / (to - from)) * count));
    for (let line = 0; line < height; line++) {
      const rise = height - 1 - line;
      const tileRow = ((y + line) % TILE) * TILE;
      let at = (y + line) * count;
      for (let column = 0; column < end; column++, at++) {
        const top = column * OCCUPANTS;
        // How many tops lie at or below: which occupant it is, without a branch that a processor could guess wrong.
        const occupant =
          ((tops[top] - rise - 1) >>> 31) + ((tops[top + 1] - rise - 1) >>> 31) + ((tops[top + 2] - rise - 1) >>> 31);
        pixels[at] = texels[occupant * LOOK + looks[column] + tileRow + (column % TILE)];
      }
    }
  }

  private measure({ run: { order } }: Model, columnSeconds: number, height: number): void {
    const { tops, looks } = this;
    const { count, seconds, slot } = this.columns;
    const scale = height / columnSeconds;
    const deepest = Math.min(order.chunks, SHADES);
    for (let column = 0; column < count; column++) {
      const at = column * OCCUPANTS;
      let forward = seconds[at] * scale;
      let backward = seconds[at + 1] * scale;
      let weight = seconds[at + 2] * scale;
      const isSeveral = slot[column] === SEVERAL;
      looks[column] = isSeveral ? 0 : Math.min(order.chunk[slot[column]] + 1, deepest) * TILE * TILE;
      if (!isSeveral) {
        // The border of two passes: the longer has it, so that both have straight edges.
        const most = Math.max(forward, backward, weight, height - forward - backward - weight);
        forward = forward === most ? height : 0;
        backward = backward === most ? height : 0;
        weight = weight === most ? height : 0;
      }
      tops[at] = Math.round(forward);
      tops[at + 1] = Math.round(forward + backward);
      tops[at + 2] = Math.round(forward + backward + weight);
    }
  }

  /** Puts all rows upon a canvas. */
  end(context: CanvasRenderingContext2D, x: number, y: number): void {
    this.canvas.getContext('2d')?.putImageData(this.image, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(this.canvas, x, y);
  }
}
