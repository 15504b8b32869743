import type { Hash } from '@tetrad/types';

/** The parts of a block that the log reads. */
export interface LogBlock {
  readonly hash: Hash;
  readonly header: { readonly number: number; readonly parentHash: Hash };
}

export interface BlockCodec<Block extends LogBlock> {
  encode(block: Block): Uint8Array;
  /** @throws InvalidBlockError */
  decode(encoded: Uint8Array): Promise<Block>;
}
