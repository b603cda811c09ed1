/** The DeepSpeed JSON that a Megatron-DeepSpeed script writes by a here-document. */
import type { Plan } from '../../plan/keys';
import type { SourceRange } from '../../problem';
import { parseJson } from '../json';
import type { Read } from '../reader';
import type { ShellDocument } from '../shell/script';
import { type ConfigNode, nodeAt, plainValue } from '../tree';

export interface DeepSpeedJson {
  readonly stage: Read<number> | null;
  readonly offload: Read<NonNullable<Plan['offload']>> | null;
  readonly offloadDevice: Plan['offloadDevice'];
}

const NOTHING: DeepSpeedJson = { stage: null, offload: null, offloadDevice: null };

/** What the script's own JSON says about the states; its values stand at the here-document's place. */
export function deepSpeedJson(documents: readonly ShellDocument[]): DeepSpeedJson {
  for (const { parts, source } of documents) {
    const text = parts.map(part => part ?? 'null').join('');
    if (!text.includes('zero_optimization')) continue;
    const { root } = parseJson('', text, { comments: true, trailingCommas: true });
    if (root !== null) return fromTree(root, source);
  }
  return NOTHING;
}

function fromTree(root: ConfigNode, source: SourceRange): DeepSpeedJson {
  const at = (...path: string[]) => plainValue(nodeAt(root, 'zero_optimization', ...path));
  const stage = at('stage');
  const device = (part: string) => {
    const name = at(part, 'device');
    return name === 'cpu' || name === 'nvme' ? name : null;
  };
  const optimizer = device('offload_optimizer');
  const params = device('offload_param');
  const offload =
    optimizer !== null ? (params !== null ? 'optimizer+params' : 'optimizer') : params !== null ? 'params' : null;
  return {
    stage:
      typeof stage === 'number' && Number.isInteger(stage) && stage >= 0 && stage <= 3
        ? { value: stage, source }
        : null,
    offload: offload === null ? null : { value: offload, source },
    offloadDevice: optimizer ?? params,
  };
}
