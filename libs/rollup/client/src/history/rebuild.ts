import { PublicRoots } from '@tetrad/rollup-state';
import { acceptedBatches, type MinedBatch } from '../chain/accepted-batches.js';
import type { RollupContract } from '../chain/rollup-contract.js';

export interface RebuildRange {
  /** Block of the contract's creation, or one before; 0 serves. */
  readonly fromBlock: number;
  /** The last block that is looked at; both sides are compared as of it. */
  readonly toBlock: number;
  readonly pageBlocks?: number;
  /** Called and awaited after each batch. */
  onBatch?(batch: MinedBatch, roots: PublicRoots): Promise<void> | void;
  onPage?(block: number): void;
}

/** The public side of the state as the events give it, and what the contract says of it. */
export interface Rebuilt {
  readonly roots: PublicRoots;
  readonly contract: { readonly height: number; readonly stateRoot: bigint };
  readonly isSame: boolean;
}

/**
 * Rebuilds the public side of the state from the contract's events: leaves of accounts and roots. Each batch must lead to the
 * root that it published, and the last one to that of the contract. Takes 64 bytes for an account, and one page of events.
 * @throws PublicStateError for a batch that does not follow from the one before; as `acceptedBatches`
 */
export async function rebuildPublicState(contract: RollupContract, range: RebuildRange): Promise<Rebuilt> {
  const roots = new PublicRoots();
  for await (const batch of acceptedBatches(contract, range)) {
    roots.apply(batch);
    await range.onBatch?.(batch, roots);
  }
  const said = await contract.state(range.toBlock);
  return {
    roots,
    contract: said,
    isSame: said.height === roots.height && said.stateRoot === roots.root,
  };
}
