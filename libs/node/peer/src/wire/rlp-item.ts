import { WireError } from './wire-error.js';

/** One item of RLP as a view of the bytes it stands in. */
export interface RlpItem {
  readonly isList: boolean;
  /** A string's bytes, or a list's items one after the other. */
  readonly content: Uint8Array;
  /** Offset of what follows the item. */
  readonly end: number;
}

/**
 * Reads the item at the offset, without copying and without looking into lists.
 *
 * `@ethereumjs/rlp` copies every level of nesting and recurses, so that a few megabytes of brackets from a peer would
 * cost gigabytes of copying; what comes from peers is therefore read by this function, one level at a time.
 *
 * Fails: WireError when the item is not the shortest encoding of what it holds, or runs over the end
 * Source: Yellow Paper, appendix B
 */
export function readRlpItem(bytes: Uint8Array, offset: number): RlpItem {
  const prefix = bytes[offset];
  if (prefix === undefined) throw new WireError('RLP ends too early');
  if (prefix < 0x80) return { isList: false, content: bytes.subarray(offset, offset + 1), end: offset + 1 };
  const isList = prefix >= 0xc0;
  const short = prefix - (isList ? 0xc0 : 0x80);
  const [start, length] = short <= 55 ? [offset + 1, short] : longLength(bytes, offset, short - 55);
  const end = start + length;
  if (end > bytes.length) throw new WireError('RLP ends too early');
  const content = bytes.subarray(start, end);
  if (!isList && length === 1 && (content[0] ?? 0) < 0x80) throw new WireError('RLP is not the shortest');
  return { isList, content, end };
}

function longLength(bytes: Uint8Array, offset: number, size: number): [start: number, length: number] {
  const start = offset + 1 + size;
  if (size > 4 || start > bytes.length) throw new WireError('RLP ends too early');
  let length = 0;
  for (let index = offset + 1; index < start; index++) length = length * 256 + (bytes[index] ?? 0);
  if (length <= 55 || bytes[offset + 1] === 0) throw new WireError('RLP is not the shortest');
  return [start, length];
}

/**
 * Whether the bytes are one item of RLP whose lists nest at most so deep, so that readers which recurse may have it.
 *
 * Cost: each byte is looked at once per level at most
 */
export function isShallowRlp(bytes: Uint8Array, depth: number): boolean {
  try {
    const item = readRlpItem(bytes, 0);
    return item.end === bytes.length && (!item.isList || isShallowList(item.content, depth));
  } catch {
    return false;
  }
}

/** Fails: WireError. */
function isShallowList(content: Uint8Array, depth: number): boolean {
  if (depth === 0) return false;
  for (let offset = 0; offset < content.length;) {
    const item = readRlpItem(content, offset);
    if (item.isList && !isShallowList(item.content, depth - 1)) return false;
    offset = item.end;
  }
  return true;
}
