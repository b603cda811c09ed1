/**
 * Colours and textures of the passes, made once a theme. Kinds differ by texture as well as by colour, chunks by
 * paleness. A texture is a small tile of pixels, so that blocks and single pixels look the same.
 */
import { readTheme, type Theme } from '../theme';

export type Rgb = readonly [number, number, number];

/** Pixels a side of a texture's tile; a power of two. */
export const TILE = 8;
/** Chunks past this look like the last. */
export const SHADES = 4;

export interface Style {
  /** TILE × TILE pixels, row by row, as a canvas's memory holds them. */
  readonly pixels: Uint32Array;
  readonly colour: Rgb;
  readonly fill: CanvasPattern | string;
  /** For text upon it. */
  readonly ink: string;
}

export interface Palette {
  readonly theme: Theme;
  /** By occupant (F, B, W) and shade. */
  readonly styles: readonly (readonly Style[])[];
  readonly idle: string;
  /** All pixels in one list: for each occupant, and last for idle, LOOK pixels: a plain tile, a tile for each shade. */
  readonly texels: Uint32Array;
  readonly backgroundPixel: number;
  readonly axis: string;
  readonly labelFont: string;
  readonly axisFont: string;
  readonly focus: string;
  readonly memory: string;
}

/** What part of a texture is drawn in the paler colour: F none, B diagonals, W dots. */
const TEXTURES: readonly ((x: number, y: number) => boolean)[] = [
  () => false,
  (x, y) => (x + y) % TILE < 2,
  (x, y) => x % 4 < 2 && y % 4 < 2 && ((x >> 2) + (y >> 2)) % 2 === 0,
];
const TEXTURE_PALENESS = 0.32;
const CHUNK_PALENESS = 0.5;
const COLOURS = ['blue', 'green', 'purple'] as const;

export function readPalette(chunks: number): Palette {
  const theme = readTheme();
  const toRgb = colourReader();
  const background = toRgb(theme.background);
  const foreground = toRgb(theme.foreground);
  const shades = Math.min(chunks, SHADES);
  const idle = mix(background, foreground, 0.07);
  const styles = COLOURS.map((name, occupant) =>
    Array.from({ length: shades }, (_, shade) => {
      const colour = mix(toRgb(theme.chart(name)), background, (shade / Math.max(shades, 2)) * CHUNK_PALENESS);
      return style(colour, mix(colour, background, TEXTURE_PALENESS), TEXTURES[occupant]);
    }),
  );
  return {
    theme,
    styles,
    idle: css(idle),
    texels: texelsOf(styles, idle),
    backgroundPixel: pixel(background),
    axis: theme.muted,
    labelFont: `600 ${theme.fontSize - 3}px ${theme.font}`,
    axisFont: `${theme.fontSize - 2}px ${theme.font}`,
    focus: getComputedStyle(document.documentElement).getPropertyValue('--vscode-focusBorder').trim() || 'Highlight',
    memory: theme.chart('orange'),
  };
}

function style(colour: Rgb, pale: Rgb, isPale: (x: number, y: number) => boolean): Style {
  const pixels = Uint32Array.from({ length: TILE * TILE }, (_, i) =>
    pixel(isPale(i % TILE, Math.floor(i / TILE)) ? pale : colour),
  );
  return {
    pixels,
    colour,
    fill: patternOf(pixels) ?? css(colour),
    // Where black and white have the same contrast.
    ink: luminance(colour) > 0.179 ? '#000000' : '#ffffff',
  };
}

/** Pixels of one occupant in Palette.texels. */
export const LOOK = (SHADES + 1) * TILE * TILE;

function texelsOf(styles: readonly (readonly Style[])[], idle: Rgb): Uint32Array {
  const texels = new Uint32Array((styles.length + 1) * LOOK).fill(pixel(idle));
  for (const [occupant, shades] of styles.entries()) {
    texels.fill(pixel(shades[0].colour), occupant * LOOK, (occupant + 1) * LOOK);
    for (const [shade, { pixels }] of shades.entries()) texels.set(pixels, occupant * LOOK + (shade + 1) * TILE * TILE);
  }
  return texels;
}

function patternOf(pixels: Uint32Array): CanvasPattern | null {
  const tile = new OffscreenCanvas(TILE, TILE);
  const context = tile.getContext('2d');
  if (context === null) return null;
  context.putImageData(new ImageData(new Uint8ClampedArray(pixels.slice().buffer), TILE, TILE), 0, 0);
  return context.createPattern(tile, 'repeat');
}

/** Any colour that CSS knows, by letting a canvas paint it. */
function colourReader(): (colour: string) => Rgb {
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  return colour => {
    if (context === null) return [128, 128, 128];
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
    return [red, green, blue];
  };
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const channel = (i: 0 | 1 | 2) => Math.round(from[i] + (to[i] - from[i]) * share);
  return [channel(0), channel(1), channel(2)];
}

function css([red, green, blue]: Rgb): string {
  return `rgb(${red} ${green} ${blue})`;
}

/** Red lies lowest in memory on every machine that runs VS Code. */
function pixel([red, green, blue]: Rgb): number {
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/** Relative luminance by WCAG 2. */
function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map(value => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The swatches of the legend show the textures themselves. */
export function drawSwatches(root: Element, { styles }: Palette): void {
  for (const swatch of root.querySelectorAll<HTMLCanvasElement>('canvas.swatch')) {
    const ratio = devicePixelRatio;
    swatch.width = Math.round(swatch.clientWidth * ratio);
    swatch.height = Math.round(swatch.clientHeight * ratio);
    const context = swatch.getContext('2d');
    if (context === null) continue;
    context.scale(ratio, ratio);
    context.fillStyle = styles[Number(swatch.dataset['occupant'])][0].fill;
    context.fillRect(0, 0, swatch.clientWidth, swatch.clientHeight);
  }
}
