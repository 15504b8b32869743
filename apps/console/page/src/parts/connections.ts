/** A node of the picture. */
export interface DrawnNode {
  readonly name: string;
  readonly isUp: boolean;
  /** Its id and those of its peers, as far as it says them. */
  readonly state:
    { readonly id: string | undefined; readonly peerIds: readonly string[] | undefined } | undefined;
}

/** Pairs of positions. Two nodes know each other by the ids that they have as peers. */
export function connections(nodes: readonly DrawnNode[]): readonly (readonly [number, number])[] {
  const positions = new Map(
    nodes.flatMap(({ state }, at) => (state?.id === undefined ? [] : [[state.id, at] as const])),
  );
  const found = new Map<string, readonly [number, number]>();
  for (const [from, { state }] of nodes.entries())
    for (const id of state?.peerIds ?? []) {
      const to = positions.get(id);
      if (to === undefined || to === from) continue;
      const pair = [Math.min(from, to), Math.max(from, to)] as const;
      found.set(pair.join(), pair);
    }
  return [...found.values()];
}
