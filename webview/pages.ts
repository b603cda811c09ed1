/** The pages of the dashboard, in the order of the navigation, and what stands and is drawn on each. */
import { drawChart } from './charts/chart';
import { collectivesChart } from './charts/collectives';
import { memoryChart } from './charts/memory';
import { SCATTER_CHART, scatterChart } from './charts/scatter';
import { SCALE_CHART, scaleChart } from './charts/scatterScale';
import { timeChart } from './charts/time';
import type { VNode } from './dom';
import type { Drawing } from './drawing';
import { drawMeasured } from './measured/charts';
import { measuredSection } from './measured/section';
import { drawMesh } from './mesh/draw';
import { meshSection } from './mesh/section';
import { ROOFLINE_CHART, rooflineChart } from './roofline/chart';
import { rooflineSection } from './roofline/section';
import { drawHeatMap } from './explorer/heatMap';
import { foundDocument, shownRows } from './explorer/shown';
import type { Scene } from './parts';
import { drawProof } from './proof/charts';
import { proofSection } from './proof/section';
import { beliefSection } from './sections/belief';
import { chosenOp, COLLECTIVES_CHART, collectivesSection } from './sections/collectives';
import { firstSection } from './sections/first';
import { headline } from './sections/headline';
import { MEMORY_CHART, memorySection } from './sections/memory';
import { noPipeline, pipelineSection } from './sections/pipeline';
import { problems, unknowns } from './sections/problems';
import { searchSection } from './sections/search';
import { speedSection } from './sections/speed';
import { TIME_CHART, timeSection } from './sections/time';
import type { WordKey } from './words';

export interface Page {
  readonly id: string;
  readonly title: WordKey;
  /** The page's sections; their ids are unique among all pages. */
  readonly sections: (scene: Scene) => readonly (VNode | null)[];
  /** Draws into the canvases of the sections, after they stand. */
  readonly draw?: (drawing: Drawing) => void;
}

export const PAGES: readonly Page[] = [
  {
    id: 'overview',
    title: 'page-overview',
    sections: scene => [headline(scene), firstSection(scene), unknowns(scene), problems(scene)],
  },
  {
    id: 'memory',
    title: 'page-memory',
    sections: scene => [memorySection(scene)],
    draw: ({ state, formats, theme }) =>
      drawChart(MEMORY_CHART, () => memoryChart(state.estimate.memory, formats, theme)),
  },
  {
    id: 'time',
    title: 'page-time',
    sections: scene => [speedSection(scene), timeSection(scene)],
    draw: ({ state, formats, theme }) => drawChart(TIME_CHART, () => timeChart(state.estimate, formats, theme)),
  },
  {
    id: 'pipeline',
    title: 'page-pipeline',
    sections: scene => [pipelineSection(scene) ?? noPipeline(scene)],
  },
  {
    id: 'mesh',
    title: 'page-mesh',
    sections: scene => [meshSection(scene)],
    draw: drawMesh,
  },
  {
    id: 'roofline',
    title: 'page-roofline',
    sections: scene => [rooflineSection(scene)],
    draw: ({ inspect, formats, theme }) => {
      const found = inspect()?.roofline ?? null;
      if (found !== null) drawChart(ROOFLINE_CHART, () => rooflineChart(found, formats, theme));
    },
  },
  {
    id: 'collectives',
    title: 'page-collectives',
    sections: scene => [collectivesSection(scene)],
    draw: ({ state, chosen, formats, theme }) =>
      drawChart(COLLECTIVES_CHART, () => collectivesChart(state, chosenOp(chosen), formats, theme)),
  },
  {
    id: 'search',
    title: 'page-search',
    sections: scene => [searchSection(scene)],
    draw: drawSearch,
  },
  {
    id: 'proof',
    title: 'page-proof',
    sections: scene => [proofSection(scene)],
    draw: drawing => drawProof(drawing),
  },
  {
    id: 'measured',
    title: 'page-measured',
    sections: scene => [measuredSection(scene)],
    draw: drawMeasured,
  },
  { id: 'evidence', title: 'page-evidence', sections: scene => [beliefSection(scene)] },
];

function drawSearch({ state, chosen, formats, theme }: Drawing): void {
  const found = foundDocument(state.search);
  if (found === null) return;
  const shown = shownRows(found, chosen);
  drawChart(SCATTER_CHART, () => scatterChart(found, shown, formats, theme));
  drawHeatMap(shown, formats, theme);
  const { scale } = found;
  if (scale !== null) drawChart(SCALE_CHART, () => scaleChart(scale, formats, theme));
}

/** Of a section that stands on a page of another name. */
const PAGE_OF_SECTION: Readonly<Record<string, string>> = {
  headline: 'overview',
  unknowns: 'overview',
  problems: 'overview',
  first: 'overview',
  speed: 'time',
  belief: 'evidence',
};

/** Key under which the page that is shown is kept among what the user has chosen. */
export const SHOWN_PAGE = 'page';

export function shownPage(chosen: ReadonlyMap<string, string>): Page {
  return PAGES.find(({ id }) => id === chosen.get(SHOWN_PAGE)) ?? PAGES[0];
}

/** The page on which a section stands; the overview where nobody knows it. */
export function pageOfSection(section: string): string {
  const page = PAGE_OF_SECTION[section] ?? section;
  return PAGES.some(({ id }) => id === page) ? page : PAGES[0].id;
}
