/** The legend below a chart; a click hides nothing, since the table beside the chart has all of it. */
import type { Theme } from '../theme';

const FRAME = { position: 'bottom', align: 'start', onClick: () => undefined } as const;

const labels = (theme: Theme) => ({
  color: theme.foreground,
  font: { family: theme.font, size: theme.fontSize },
  padding: 12,
});

/** Of bars and lines: boxes of their colours. */
export const boxLegend = (theme: Theme) => ({ ...FRAME, labels: { ...labels(theme), boxWidth: 14, boxHeight: 14 } });

/** Of points: their shapes. `more` goes over it. */
export const pointLegend = <T extends object>(theme: Theme, more?: T) => ({
  ...FRAME,
  labels: { ...labels(theme), usePointStyle: true, ...more },
});
