import { ChainFileError } from './chain-file-error.js';

/** An encoded block, and where it begins in the content of its file. */
export interface EncodedBlock {
  readonly bytes: Uint8Array;
  readonly offset: number;
}

/**
 * Bytes of a block. A block of GoQuorum is a message between nodes, which has at most 16 MiB; a length above this is
 * that of a damaged file.
 */
export const MAX_BLOCK_BYTES = 64 * 1024 * 1024;

/** A list with a length of up to four bytes. */
const MAX_PREFIX = 5;
const FIRST_LIST_BYTE = 0xc0;
const FIRST_LONG_LIST_BYTE = 0xf7;

/**
 * Cuts consecutive RLP lists, which is all that `geth export` writes. The lists are not looked into.
 * @throws ChainFileError at the first byte that begins no list, a list that is too long, and one that is cut off Cost:
 *   holds one list and one chunk
 */
export async function* splitBlocks(
  chunks: AsyncIterable<Uint8Array>,
  path: string,
): AsyncGenerator<EncodedBlock, void, undefined> {
  let waiting: Uint8Array[] = [];
  let [have, offset, wanted] = [0, 0, 1];
  for await (const chunk of chunks) {
    waiting.push(chunk);
    have += chunk.length;
    if (have < wanted) continue;
    const bytes = waiting.length === 1 ? chunk : Buffer.concat(waiting);
    let from = 0;
    for (;;) {
      wanted = lengthOf(bytes.subarray(from), offset, path);
      if (from + wanted > bytes.length) break;
      yield { bytes: bytes.subarray(from, from + wanted), offset };
      from += wanted;
      offset += wanted;
    }
    // A view of the chunk would keep all of it for the few bytes at its end.
    waiting = from === bytes.length ? [] : [Uint8Array.from(bytes.subarray(from))];
    have = bytes.length - from;
  }
  if (have > 0)
    throw new ChainFileError(
      `${path}: ends within a block, after ${have} of its bytes; the block begins at byte ${offset} of the content`,
    );
}

/** Bytes of the list at the start, or as many as are needed to know that. */
function lengthOf(bytes: Uint8Array, offset: number, path: string): number {
  const prefix = bytes[0];
  if (prefix === undefined) return 1;
  if (prefix < FIRST_LIST_BYTE)
    throw new ChainFileError(`${path}: no block begins at byte ${offset} of the content`);
  if (prefix <= FIRST_LONG_LIST_BYTE) return 1 + prefix - FIRST_LIST_BYTE;
  const width = prefix - FIRST_LONG_LIST_BYTE;
  const tooLong = () =>
    new ChainFileError(
      `${path}: the block at byte ${offset} of the content is longer than ${MAX_BLOCK_BYTES} bytes`,
    );
  if (1 + width > MAX_PREFIX) throw tooLong();
  if (bytes.length < 1 + width) return 1 + width;
  let length = 0;
  for (const byte of bytes.subarray(1, 1 + width)) length = length * 256 + byte;
  if (length > MAX_BLOCK_BYTES) throw tooLong();
  return 1 + width + length;
}
