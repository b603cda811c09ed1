/**
 * Where the ranks of a mesh stand: which node, which NVLink domain, and what their groups have to cross.
 * Ranks fill the nodes in order, as every launcher does.
 */
import { type Groups, type Mesh, groupsOf } from './mesh';

export interface Placement {
  readonly gpusPerNode: number;
  /** GPUs that one scale-up domain joins: the node on most machines, 72 in an NVL72 rack. */
  readonly domainSize: number;
}

/** What one kind of group crosses: inside a domain the scale-up link is enough, else the scale-out fabric too. */
export type Crossing = 'none' | 'scale-up' | 'scale-out';

export interface GroupSpan {
  readonly groups: number;
  readonly ranks: number;
  readonly crossing: Crossing;
  /** Domains and nodes that the widest group touches. */
  readonly domains: number;
  readonly nodes: number;
  /** Fewest members of one group that share a domain: the rails that the group can use in each. */
  readonly ranksPerDomain: number;
  /** Most groups of this kind that send out of one domain at the same time. */
  readonly groupsPerDomain: number;
}

/** The span of all groups over the given axes. Linear in the world size. */
export function spanOf(mesh: Mesh, axes: readonly string[], placement: Placement): GroupSpan {
  return groupsSpan(groupsOf(mesh, axes), placement);
}

/** The span of groups that are already listed. */
export function groupsSpan(groups: Groups, placement: Placement): GroupSpan {
  const { domainSize, gpusPerNode } = placement;
  const world = groups.count * groups.groupSize;
  const perDomain = new Int32Array(Math.ceil(world / domainSize));
  let domains = 0;
  let nodes = 0;
  let ranksPerDomain = groups.groupSize;
  for (let g = 0; g < groups.count; g++) {
    const members = groups.ranks.subarray(g * groups.groupSize, (g + 1) * groups.groupSize);
    const inDomain = tally(members, domainSize);
    domains = Math.max(domains, inDomain.size);
    nodes = Math.max(nodes, gpusPerNode === domainSize ? inDomain.size : tally(members, gpusPerNode).size);
    for (const [domain, count] of inDomain) {
      ranksPerDomain = Math.min(ranksPerDomain, count);
      if (inDomain.size > 1) perDomain[domain] = perDomain[domain] + 1;
    }
  }
  const crossing = groups.groupSize === 1 ? 'none' : domains === 1 ? 'scale-up' : 'scale-out';
  return {
    groups: groups.count,
    ranks: groups.groupSize,
    crossing,
    domains,
    nodes,
    ranksPerDomain,
    groupsPerDomain: perDomain.reduce((a, b) => Math.max(a, b), 0),
  };
}

function tally(members: Int32Array, size: number): Map<number, number> {
  const counts = new Map<number, number>();
  for (const rank of members) {
    const key = Math.floor(rank / size);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
