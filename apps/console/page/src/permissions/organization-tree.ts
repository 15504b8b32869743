import type { Org } from '../api/permission-shapes.js';

/** An organization in its place: below the one before it that is one level higher. */
export interface PlacedOrg {
  readonly org: Org;
  /** 0 for a master organization. */
  readonly depth: number;
}

/**
 * Organizations in the order of a tree, each before those below it. All are in it once, also those whose parent the node
 * left out.
 */
export function treeOf(orgs: readonly Org[]): readonly PlacedOrg[] {
  const ids = new Set(orgs.map(({ fullOrgId }) => fullOrgId));
  const below = new Map<string | undefined, Org[]>();
  for (const org of orgs) {
    const parent = org.level > 1 && ids.has(org.parentOrgId) ? org.parentOrgId : undefined;
    const siblings = below.get(parent);
    if (siblings === undefined) below.set(parent, [org]);
    else siblings.push(org);
  }
  const placed: PlacedOrg[] = [];
  const seen = new Set<Org>();
  const place = (roots: readonly Org[]) => {
    const waiting = roots.map((org) => ({ org, depth: 0 })).reverse();
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (seen.has(next.org)) continue;
      seen.add(next.org);
      placed.push(next);
      const { depth } = next;
      for (const org of (below.get(next.org.fullOrgId) ?? []).toReversed())
        waiting.push({ org, depth: depth + 1 });
    }
  };
  place(below.get(undefined) ?? []);
  // Each below another of them: contracts have no such thing, but a node may answer it.
  place(orgs.filter((org) => !seen.has(org)));
  return placed;
}
