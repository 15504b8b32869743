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

const SHORT = 55;

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

function readItem(bytes: Uint8Array, offset: number, field: string): { item: RlpView; end: number } {
  const first = bytes[offset];
  if (first === undefined) throw new MessageError(`${field}: truncated`);
  if (first < 0x80) return cut(bytes, { offset, start: offset, length: 1, isList: false }, field);
  const isList = first >= 0xc0;
  const size = first - (isList ? 0xc0 : 0x80);
  if (size <= SHORT) return cut(bytes, { offset, start: offset + 1, length: size, isList }, field);
  const width = size - SHORT;
  const length = readLength(bytes.subarray(offset + 1, offset + 1 + width), width, field);
  return cut(bytes, { offset, start: offset + 1 + width, length, isList }, field);
}

/** A length behind the prefix: big-endian, no leading zero, more than fits into the prefix. */
function readLength(bytes: Uint8Array, width: number, field: string): number {
  if (bytes.length < width) throw new MessageError(`${field}: truncated`);
  // Six bytes spell what a number holds exactly, and more than any message has.
  if (width > 6 || bytes[0] === 0) throw new MessageError(`${field}: bad length`);
  const length = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
  if (length <= SHORT) throw new MessageError(`${field}: length not in its shortest form`);
  return length;
}

function cut(
  bytes: Uint8Array,
  span: {
    readonly offset: number;
    readonly start: number;
    readonly length: number;
    readonly isList: boolean;
  },
  field: string,
): { item: RlpView; end: number } {
  const end = span.start + span.length;
  if (end > bytes.length) throw new MessageError(`${field}: truncated`);
  const payload = bytes.subarray(span.start, end);
  const isByte = !span.isList && span.length === 1 && span.start !== span.offset;
  if (isByte && (payload[0] ?? 0) < 0x80) throw new MessageError(`${field}: byte not in its shortest form`);
  return { item: { isList: span.isList, payload, encoded: bytes.subarray(span.offset, end) }, end };
}

/** The bytes in memory of their own; `slice` of a Buffer would still share, and hold, the whole message. */
export function copyOf(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}
