import { TetradError } from '@tetrad/types';

/** Bytes that are not RLP in its shortest form, or not the RLP that was asked for; the message says how. */
export class RlpError extends TetradError {
  override readonly name = 'RlpError';
  override readonly code = 'MALFORMED_RLP';
}

/** One RLP item as a view of the bytes that contain it. */
export interface RlpItem {
  readonly isList: boolean;
  /** A string's bytes, or the items of a list one after the other. */
  readonly content: Uint8Array;
  /** Offset of what follows the item. */
  readonly end: number;
}

/** Content up to here has its length in the prefix. */
const SHORT = 55;
/** A length of four bytes is more than any message has. */
const MAX_LENGTH_BYTES = 4;

/**
 * Reads the item at the offset, without copying and without looking into lists.
 *
 * `@ethereumjs/rlp` recurses and copies every level, so that a few megabytes of brackets from a peer would overflow the
 * stack or cost gigabytes. This reader opens a list only where the caller expects one: depth and work are bounded by the
 * expected shape, never by the bytes.
 *
 * Source: Yellow Paper, appendix B
 *
 * @throws RlpError when the item is not in its shortest encoding, or runs over the end
 */
export function readRlpItem(bytes: Uint8Array, offset: number): RlpItem {
  const prefix = bytes[offset];
  if (prefix === undefined) throw new RlpError('truncated');
  if (prefix < 0x80) return { isList: false, content: bytes.subarray(offset, offset + 1), end: offset + 1 };
  const isList = prefix >= 0xc0;
  const short = prefix - (isList ? 0xc0 : 0x80);
  const width = short <= SHORT ? 0 : short - SHORT;
  const start = offset + 1 + width;
  const length = width === 0 ? short : readLength(bytes, offset + 1, width);
  const end = start + length;
  if (end > bytes.length) throw new RlpError('truncated');
  const content = bytes.subarray(start, end);
  if (!isList && length === 1 && (content[0] ?? 0) < 0x80)
    throw new RlpError('byte not in its shortest form');
  return { isList, content, end };
}

/**
 * Reads bytes that are exactly one item.
 * @throws RlpError
 */
export function readRlp(bytes: Uint8Array): RlpItem {
  const item = readRlpItem(bytes, 0);
  if (item.end !== bytes.length) throw new RlpError('trailing bytes');
  return item;
}

/**
 * The items of a list.
 * @param most - the maximum number of items
 * @throws RlpError when it is not a list, or of more items
 */
export function readRlpList({ isList, content }: RlpItem, most: number): RlpItem[] {
  if (!isList) throw new RlpError('not a list');
  const items: RlpItem[] = [];
  for (let offset = 0; offset < content.length;) {
    if (items.length === most) throw new RlpError(`more than ${most} items`);
    const item = readRlpItem(content, offset);
    items.push(item);
    offset = item.end;
  }
  return items;
}

/** A copy in separate memory; `slice` of a Buffer would still share, and retain, the whole Buffer. */
export function copyOf(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}

/** A length behind the prefix: big-endian, no leading zero, more than fits into the prefix. */
function readLength(bytes: Uint8Array, offset: number, width: number): number {
  if (offset + width > bytes.length) throw new RlpError('truncated');
  if (width > MAX_LENGTH_BYTES || bytes[offset] === 0) throw new RlpError('bad length');
  let length = 0;
  for (let index = offset; index < offset + width; index++) length = length * 256 + (bytes[index] ?? 0);
  if (length <= SHORT) throw new RlpError('length not in its shortest form');
  return length;
}
