import type { LogBlock } from '../log/log-block.js';

/** A block that is executed and sealed, and in no chain yet. */
export interface MintedBlock<Block extends LogBlock> {
  readonly block: Block;
  /** How many transactions it has. */
  readonly size: number;
  /** Makes it the head of this node's chain; called once it is in the log. */
  store(): Promise<void>;
}

/** Makes blocks on top of the head of this node's chain. */
export interface Minter<Block extends LogBlock> {
  /** Whether there are transactions for a block. */
  hasWork(): boolean;
  /** Calls the listener when there are; the result removes it. */
  onWork(listener: () => void): () => void;
  /** @returns undefined when no transaction can be executed, or the signal ends the work */
  mint(term: { readonly raftId: number }, signal: AbortSignal): Promise<MintedBlock<Block> | undefined>;
}
