import { numberToHex, type BlockTag, type Hash, type Hex } from 'viem';

/** A block by number, tag or hash; the latest without any. */
export interface BlockParameter {
  readonly blockNumber?: bigint | undefined;
  readonly blockTag?: BlockTag | undefined;
  readonly blockHash?: Hash | undefined;
}

/** Number or tag on the wire; undefined for the latest block. */
export function numberOrTag({
  blockNumber,
  blockTag,
}: Omit<BlockParameter, 'blockHash'>): Hex | BlockTag | undefined {
  return blockNumber === undefined ? blockTag : numberToHex(blockNumber);
}
