/** A peer as far as it has told of its chain. */
interface KnownPeer {
  readonly head: { readonly number: number } | undefined;
}

/**
 * Whether this node has what its peers have, but perhaps for the next block; never while it knows of none, unless it is to
 * have none.
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
