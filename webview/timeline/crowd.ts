/**
 * Rows whose passes are too narrow to draw one by one: each column of pixels shows how much of its time each kind
 * takes, forwards at the foot. Written into memory pixel by pixel, so that the cost depends on the size alone.
 */
import { type Columns, createColumns, type Model, occupancy, OCCUPANTS } from './model';
import { type Palette, SHADES, TILE } from './palette';

export class CrowdedRows {
  private columns: Columns = createColumns(1);
  private image = new ImageData(1, 1);
  private pixels = new Uint32Array(this.image.data.buffer);
  private readonly canvas = new OffscreenCanvas(1, 1);
  /** By column: heights up to which forwards, backwards and weights reach, and the shade of the chunk. */
  private tops = new Uint16Array(OCCUPANTS);
  private shades = new Uint8Array(1);

  /** Makes room for all rows and clears it. */
  begin(width: number, height: number, { backgroundPixel }: Palette): void {
    if (this.image.width !== width || this.image.height !== height) {
      this.columns = createColumns(width);
      this.tops = new Uint16Array(width * OCCUPANTS);
      this.shades = new Uint8Array(width);
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
    const { idlePixel, styles } = palette;
    const [forward, backward, weight] = styles.map(shades => shades.map(({ pixels }) => pixels));
    const { tops, shades, pixels } = this;
    const end = Math.min(count, Math.ceil(((model.makespan - from) / (to - from)) * count));
    for (let line = 0; line < height; line++) {
      const rise = height - 1 - line;
      const tileRow = ((y + line) % TILE) * TILE;
      let at = (y + line) * count;
      for (let column = 0; column < end; column++, at++) {
        const top = column * OCCUPANTS;
        const texel = tileRow + (column % TILE);
        const shade = shades[column];
        if (rise < tops[top]) pixels[at] = forward[shade][texel];
        else if (rise < tops[top + 1]) pixels[at] = backward[shade][texel];
        else if (rise < tops[top + 2]) pixels[at] = weight[shade][texel];
        else pixels[at] = idlePixel;
      }
    }
  }

  private measure({ run: { order } }: Model, seconds: number, height: number): void {
    const { columns, tops, shades } = this;
    const scale = height / seconds;
    const deepest = Math.min(order.chunks, SHADES) - 1;
    for (let column = 0; column < columns.count; column++) {
      const at = column * OCCUPANTS;
      const forward = columns.seconds[at] * scale;
      const backward = forward + columns.seconds[at + 1] * scale;
      tops[at] = Math.round(forward);
      tops[at + 1] = Math.round(backward);
      tops[at + 2] = Math.round(backward + columns.seconds[at + 2] * scale);
      const slot = columns.slot[column];
      shades[column] = slot < 0 ? 0 : Math.min(order.chunk[slot], deepest);
    }
  }

  /** Puts all rows upon a canvas. */
  end(context: CanvasRenderingContext2D, x: number, y: number): void {
    this.canvas.getContext('2d')?.putImageData(this.image, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(this.canvas, x, y);
  }
}
