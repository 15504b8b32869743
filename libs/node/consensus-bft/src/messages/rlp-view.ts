import { RlpError, readRlpItem } from '@tetrad/rlp';
import { MessageError } from './message-error.js';

/**
 * One item of RLP that was measured, not copied.
 *
 * Peers choose the bytes: a list is opened only where a message has one, so that depth and work are bounded by the
 * message's shape and never by the input.
 */
export interface RlpView {
  readonly isList: boolean;
  /** What is inside the prefix. */
  readonly payload: Uint8Array;
  /** Prefix and payload. */
  readonly encoded: Uint8Array;
}

/** The one item that the bytes are. Fails: MessageError when they are not canonical RLP of exactly one item. */
export function viewRlp(bytes: Uint8Array, field: string): RlpView {
  const { item, end } = readItem(bytes, 0, field);
  if (end !== bytes.length) throw new MessageError(`${field}: bytes behind the end`);
  return item;
}

/**
 * The items of a list.
 *
 * In:    count — how many there must be, or the most there may be
 * Fails: MessageError when it is no list, or of another length
 */
export function viewList(
  item: RlpView,
  field: string,
  count: { readonly exactly: number } | { readonly atMost: number },
): RlpView[] {
  if (!item.isList) throw new MessageError(`${field}: not a list`);
  const most = 'exactly' in count ? count.exactly : count.atMost;
  const items: RlpView[] = [];
  for (let offset = 0; offset < item.payload.length;) {
    if (items.length === most) throw new MessageError(`${field}: more than ${most} items`);
    const next = readItem(item.payload, offset, field);
    items.push(next.item);
    offset = next.end;
  }
  if ('exactly' in count && items.length !== count.exactly)
    throw new MessageError(`${field}: ${items.length} items instead of ${count.exactly}`);
  return items;
}

/** Whether it is the list without items (0xc0). */
export function isEmptyListView(item: RlpView): boolean {
  return item.isList && item.payload.length === 0;
}

/** Fails: MessageError. */
function readItem(bytes: Uint8Array, offset: number, field: string): { item: RlpView; end: number } {
  try {
    const { isList, content, end } = readRlpItem(bytes, offset);
    return { item: { isList, payload: content, encoded: bytes.subarray(offset, end) }, end };
  } catch (error) {
    if (error instanceof RlpError) throw new MessageError(`${field}: ${error.message}`);
    throw error;
  }
}
