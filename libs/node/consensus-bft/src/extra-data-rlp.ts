import { RLP } from '@ethereumjs/rlp';
import { ConsensusError } from './consensus-error.js';

/** What stands in the lists of extra data, of either format. */
export type RlpItem = Uint8Array | RlpItem[];

/** The items of an encoded list. Fails: ConsensusError `invalid extra data format`. */
export function decodeExtraList(bytes: Uint8Array): RlpItem[] {
  try {
    const decoded = RLP.decode(bytes) as RlpItem;
    if (Array.isArray(decoded)) return decoded;
  } catch {
    // Falls through to the one error that readers of extra data know.
  }
  throw invalidExtraData();
}

/** Whether the item is a list of byte strings of the length. */
export function isListOf(item: RlpItem | undefined, length: number): item is Uint8Array[] {
  return Array.isArray(item) && item.every((entry) => entry instanceof Uint8Array && entry.length === length);
}

export function invalidExtraData(): ConsensusError {
  return new ConsensusError('invalid extra data format');
}
