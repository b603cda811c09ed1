/** Colours and fonts for canvases, which cannot use VS Code's variables themselves. */

export interface Theme {
  readonly foreground: string;
  readonly muted: string;
  readonly background: string;
  readonly grid: string;
  readonly font: string;
  readonly fontSize: number;
  /** Colour of a chart by its name in --vscode-charts-*. */
  readonly chart: (name: ChartColour) => string;
}

export type ChartColour = 'blue' | 'purple' | 'green' | 'orange' | 'yellow' | 'red' | 'foreground';

export function readTheme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string, fallback: string) => style.getPropertyValue(`--vscode-${name}`).trim() || fallback;
  const foreground = read('editor-foreground', read('foreground', 'gray'));
  return {
    foreground,
    muted: read('descriptionForeground', foreground),
    background: read('editor-background', 'transparent'),
    // Lines of high contrast themes are as strong as text: behind bars they would be all that one sees.
    grid: `color-mix(in srgb, ${foreground} 16%, transparent)`,
    font: read('font-family', 'sans-serif'),
    fontSize: Number.parseFloat(read('font-size', '13px')) || 13,
    chart: name => read(`charts-${name}`, foreground),
  };
}

/** VS Code tells a change of theme by the classes of the body and the variables on the root element. */
export function onThemeChange(changed: () => void): void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributeFilter: ['style', 'class'] });
  observer.observe(document.body, { attributeFilter: ['class'] });
}
