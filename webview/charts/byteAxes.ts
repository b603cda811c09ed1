/** The axes of horizontal bars of bytes. */
import type { Formats } from '../format';
import type { Theme } from '../theme';

export function byteAxes(isStacked: boolean, formats: Formats, theme: Theme) {
  const font = { family: theme.font, size: theme.fontSize };
  return {
    x: {
      stacked: isStacked,
      beginAtZero: true,
      grid: { color: theme.grid },
      border: { display: false },
      ticks: {
        color: theme.muted,
        font,
        callback: (value: string | number) => formats.bytes(Number(value)),
        maxRotation: 0,
        autoSkipPadding: 16,
      },
    },
    y: {
      stacked: isStacked,
      grid: { display: false },
      border: { color: theme.grid },
      ticks: { color: theme.foreground, font },
    },
  };
}
