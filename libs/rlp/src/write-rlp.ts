import { bytesFromScalar, hashToBytes, type Hash } from '@tetrad/types';

/** A string, or a list of values of this type. */
export type RlpTree = Uint8Array | readonly RlpTree[];

/** Content up to here has its length in the prefix. */
const SHORT = 55;
const STRING = 0x80;
const LIST = 0xc0;

export const EMPTY_LIST = Uint8Array.of(LIST);

/** Strings and lists as RLP. Cost: one allocation, whatever is in it */
export function encodeRlp(tree: RlpTree): Uint8Array {
  const bytes = new Uint8Array(sizeOf(tree));
  write(tree, bytes, 0);
  return bytes;
}

/** An RLP list of items that are encoded already, so that a block is copied and not encoded again. */
export function rlpList(items: readonly Uint8Array[]): Uint8Array {
  const { bytes, start } = emptyRlpList(items.reduce((sum, item) => sum + item.length, 0));
  let offset = start;
  for (const item of items) {
    bytes.set(item, offset);
    offset += item.length;
  }
  return bytes;
}

/**
 * Space for an RLP list that the caller writes the encoded items of.
 * @param length - bytes of the items
 * @returns the list with its prefix; the items begin at `start`
 */
export function emptyRlpList(length: number): { readonly bytes: Uint8Array; readonly start: number } {
  const start = rlpPrefixLength(length);
  const bytes = new Uint8Array(start + length);
  writePrefix(bytes, 0, { length, kind: LIST });
  return { bytes, start };
}

/** An RLP string. */
export function rlpBytes(bytes: Uint8Array): Uint8Array {
  return encodeRlp(bytes);
}

export function rlpScalar(value: bigint | number): Uint8Array {
  return encodeRlp(bytesFromScalar(value));
}

export function rlpHash(hash: Hash): Uint8Array {
  return encodeRlp(hashToBytes(hash));
}

/** Bytes in front of a list, or of a string that is not a single low byte, with so many bytes of content. */
export function rlpPrefixLength(content: number): number {
  if (content <= SHORT) return 1;
  let length = 2;
  for (let rest = content; rest > 0xff; rest = Math.floor(rest / 256)) length += 1;
  return length;
}

function sizeOf(tree: RlpTree): number {
  if (tree instanceof Uint8Array && isOwnEncoding(tree)) return 1;
  const length = contentLength(tree);
  return length + rlpPrefixLength(length);
}

function contentLength(tree: RlpTree): number {
  if (tree instanceof Uint8Array) return tree.length;
  let length = 0;
  for (const child of tree) length += sizeOf(child);
  return length;
}

/**
 * Writes an RLP string into memory of the caller, which has space for it.
 * @returns the offset behind it
 */
export function writeRlpBytes(bytes: Uint8Array, into: Uint8Array, at: number): number {
  const start = isOwnEncoding(bytes) ? at : writePrefix(into, at, { length: bytes.length, kind: STRING });
  into.set(bytes, start);
  return start + bytes.length;
}

/**
 * Writes the prefix of a list.
 * @param length - bytes of the items
 * @returns the offset behind it, `rlpPrefixLength` further on
 */
export function writeRlpListPrefix(length: number, into: Uint8Array, at: number): number {
  return writePrefix(into, at, { length, kind: LIST });
}

/** @returns the offset behind it */
function write(tree: RlpTree, bytes: Uint8Array, offset: number): number {
  if (!(tree instanceof Uint8Array)) {
    let end = writePrefix(bytes, offset, { length: contentLength(tree), kind: LIST });
    for (const child of tree) end = write(child, bytes, end);
    return end;
  }
  return writeRlpBytes(tree, bytes, offset);
}

/** A byte below 0x80 is its own encoding. */
function isOwnEncoding(bytes: Uint8Array): boolean {
  return bytes.length === 1 && (bytes[0] ?? STRING) < STRING;
}

/** @returns the offset behind it */
function writePrefix(
  bytes: Uint8Array,
  offset: number,
  { length, kind }: { length: number; kind: number },
): number {
  const end = offset + rlpPrefixLength(length);
  if (length <= SHORT) {
    bytes[offset] = kind + length;
    return end;
  }
  bytes[offset] = kind + SHORT + (end - offset - 1);
  for (let [at, rest] = [end - 1, length]; at > offset; at--, rest = Math.floor(rest / 256))
    bytes[at] = rest % 256;
  return end;
}
