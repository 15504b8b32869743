import { copyOf } from '@tetrad/rlp';
import { ConsensusError } from './consensus-error.js';
import { viewList, viewRlp, type RlpView } from './messages/rlp-view.js';

/** What stands in the lists of extra data, of either format. */
export type RlpItem = Uint8Array | RlpItem[];

/** More than extra data of either format has at its top, and in a list of validators or seals. */
const MAX_FIELDS = 6;
const MAX_ENTRIES = 10_000;

/** The items of an encoded list, two lists deep at most. Fails: ConsensusError `invalid extra data format`. */
export function decodeExtraList(bytes: Uint8Array): RlpItem[] {
  try {
    const fields = viewList(viewRlp(bytes, 'extra data'), 'extra data', { atMost: MAX_FIELDS });
    return fields.map((field) =>
      field.isList ? viewList(field, 'entries', { atMost: MAX_ENTRIES }).map(readLeaf) : readLeaf(field),
    );
  } catch {
    // The one error that readers of extra data know.
    throw invalidExtraData();
  }
}

function readLeaf(item: RlpView): Uint8Array {
  if (item.isList) throw invalidExtraData();
  return copyOf(item.payload);
}

/** Whether the item is a list of byte strings of the length. */
export function isListOf(item: RlpItem | undefined, length: number): item is Uint8Array[] {
  return Array.isArray(item) && item.every((entry) => entry instanceof Uint8Array && entry.length === length);
}

export function invalidExtraData(): ConsensusError {
  return new ConsensusError('invalid extra data format');
}
