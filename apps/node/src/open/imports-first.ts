import { importPriority, type Ledger } from '@tetrad/node-ledger';

/** What is known of blocks that a peer has and this node does not. */
export interface SyncingPeers {
  syncProgress(): { readonly highestBlock: number } | undefined;
}

/**
 * @param ledger - of the node
 * @param peers - from which blocks are imported
 * @returns a function that tells whether many blocks are imported, beside which other work takes little time
 */
export function importsFirst(ledger: Pick<Ledger, 'head'>, peers: SyncingPeers): () => boolean {
  return importPriority({
    head: () => ledger.head().header.number,
    highest: () => peers.syncProgress()?.highestBlock,
  });
}
