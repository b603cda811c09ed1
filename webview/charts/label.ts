/** Text behind the end of a bar. */
import type { Theme } from '../theme';

const DISTANCE = 6;

/** With a rim in the colour of the background, so that lines behind the text do not strike it through. */
export function endLabel(context: CanvasRenderingContext2D, theme: Theme, text: string, x: number, y: number): void {
  context.save();
  context.font = `${theme.fontSize - 1}px ${theme.font}`;
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  context.lineWidth = 4;
  context.strokeStyle = theme.background;
  context.strokeText(text, x + DISTANCE, y);
  context.fillStyle = theme.foreground;
  context.fillText(text, x + DISTANCE, y);
  context.restore();
}
