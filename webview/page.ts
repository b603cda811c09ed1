/** The whole page: five questions in the order in which they are asked. */
import { h, type VNode } from './dom';
import type { Scene } from './parts';
import { beliefSection } from './sections/belief';
import { collectivesSection } from './sections/collectives';
import { header, staleBanner } from './sections/header';
import { headline } from './sections/headline';
import { memorySection } from './sections/memory';
import { pipelineSection } from './sections/pipeline';
import { problems, unknowns } from './sections/problems';
import { searchSection } from './sections/search';
import { speedSection } from './sections/speed';
import { timeSection } from './sections/time';

export function page(scene: Scene): VNode {
  const parts = [
    header(scene),
    staleBanner(scene),
    headline(scene),
    unknowns(scene),
    problems(scene),
    memorySection(scene),
    speedSection(scene),
    timeSection(scene),
    pipelineSection(scene),
    searchSection(scene),
    collectivesSection(scene),
    beliefSection(scene),
  ];
  return h('main', { id: 'page', class: scene.state.stale ? 'stale' : null }, ...parts);
}
