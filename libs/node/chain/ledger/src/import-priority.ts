/** Missing blocks up to which other work has its usual time, as it has beside blocks that come one by one. */
const FEW_BLOCKS = 64;

/** What an import shows of itself. */
export interface ImportSight {
  /** The head of this node. */
  head(): number;
  /** Head of the peer that blocks come from, as it says; undefined where none are missing. */
  highest(): number | undefined;
}

/**
 * Tells whether blocks are being imported that go before work behind the chain, as the index by address. A node that is always a few
 * blocks behind is not importing, and neither is one that waits for what a peer says it has: that work would have a tenth of the time
 * for ever.
 *
 * @param sight - the node's place
 * @returns whether many blocks are missing, and some have come since it was asked before
 */
export function importPriority({ head, highest }: ImportSight): () => boolean {
  let before: number | undefined;
  return () => {
    const now = head();
    const hasCome = before === undefined || now > before;
    before = now;
    return hasCome && (highest() ?? now) - now > FEW_BLOCKS;
  };
}
