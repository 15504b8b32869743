import { numberOfPlace, placeOfNumber } from './place.js';

/** What an address was to a transaction, as bits; the numbers are stored. */
export const ROLE = {
  /** It signed the transaction. */
  sent: 1,
  /** The transaction was sent to it. */
  received: 2,
  /** The contract was created, by the transaction or by a contract. */
  created: 4,
  /** It called, was called or was paid within the execution, whether that was reverted or not. */
  called: 8,
  /** A token moved from or to it, by the logs of the contract. */
  moved: 16,
} as const;

const ROLE_BITS = 5;

/** A transaction of an address. */
export interface Entry {
  /** Place as a number (`numberOfPlace`). */
  readonly place: number;
  /** Bits of `ROLE`. */
  readonly roles: number;
}

/**
 * The entries of a row, in the order of the chain:
 *
 *     blocks since the previous entry ‖ index · 32 + roles, both as LEB128 of 1 to 8 bytes
 *
 * The first entry counts its blocks from the block of the row's own place, so they are 0.
 */
export function encodeEntry({ place, roles }: Entry, before: number): Uint8Array {
  const { blockNumber, index } = placeOfNumber(place);
  const bytes: number[] = [];
  writeNumber(bytes, blockNumber - placeOfNumber(before).blockNumber);
  writeNumber(bytes, index * 2 ** ROLE_BITS + roles);
  return Uint8Array.from(bytes);
}

/**
 * Reads the entries of a row.
 * @param first - place of the row
 * @throws Error when the bytes end within an entry
 */
export function decodeEntries(first: number, bytes: Uint8Array): Entry[] {
  const entries: Entry[] = [];
  const reader = { bytes, at: 0 };
  let { blockNumber } = placeOfNumber(first);
  while (reader.at < bytes.length) {
    blockNumber += readNumber(reader);
    const indexAndRoles = readNumber(reader);
    const index = Math.floor(indexAndRoles / 2 ** ROLE_BITS);
    entries.push({ place: numberOfPlace({ blockNumber, index }), roles: indexAndRoles % 2 ** ROLE_BITS });
  }
  return entries;
}

/** Seven bits a byte, the lowest first; every byte but the last has its highest bit set. */
function writeNumber(bytes: number[], value: number): void {
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
}

function readNumber(reader: { readonly bytes: Uint8Array; at: number }): number {
  let value = 0;
  for (let factor = 1; ; factor *= 128) {
    const byte = reader.bytes[reader.at++];
    if (byte === undefined) throw new Error('a row of the address index ends within an entry');
    value += (byte % 128) * factor;
    if (byte < 128) return value;
  }
}
