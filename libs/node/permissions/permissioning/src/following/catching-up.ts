/** A peer with the head that it has announced, if any. */
interface KnownPeer {
  readonly head: { readonly number: number } | undefined;
}

/**
 * Whether this node has the blocks of its peers, except perhaps the next one. False without peers, unless the node is
 * configured to have none (`isAlone`).
 */
export function hasReached(
  ownHead: number,
  peers: readonly KnownPeer[],
  { isAlone }: { readonly isAlone: boolean },
): boolean {
  const heads = peers.flatMap(({ head }) => (head === undefined ? [] : [head.number]));
  if (heads.length === 0) return isAlone && peers.length === 0;
  return heads.length === peers.length && heads.every((number) => number <= ownHead + 1);
}
