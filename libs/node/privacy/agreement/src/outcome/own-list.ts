import { hashFromBytes, hashToBytes } from '@tetrad/types';
import { UNDISCLOSED, listBytes, type ListedOutcome } from './outcome-list.js';

/** An outcome of this node. */
export interface OwnListed extends ListedOutcome {
  /** Whether the other party may know it. */
  readonly isDisclosed: boolean;
}

const ENTRY_BYTES = 65;

/** The list as the other party gets it. */
export function disclosedList(own: readonly OwnListed[]): ListedOutcome[] {
  return own.map(({ hash, digest, isDisclosed }) => ({ hash, digest: isDisclosed ? digest : UNDISCLOSED }));
}

/** Layout: (hash (32) ‖ digest (32) ‖ whether it is disclosed (1)) for each */
export function ownListBytes(own: readonly OwnListed[]): Uint8Array {
  return Buffer.concat(
    own.flatMap(({ hash, digest, isDisclosed }) => [
      hashToBytes(hash),
      hashToBytes(digest),
      Uint8Array.of(isDisclosed ? 1 : 0),
    ]),
  );
}

/** Reads what `ownListBytes` wrote. */
export function readOwnList(bytes: Uint8Array): OwnListed[] {
  return Array.from({ length: bytes.length / ENTRY_BYTES }, (_, index) => {
    const entry = bytes.subarray(index * ENTRY_BYTES, (index + 1) * ENTRY_BYTES);
    return {
      hash: hashFromBytes(entry.subarray(0, 32)),
      digest: hashFromBytes(entry.subarray(32, 64)),
      isDisclosed: entry[64] === 1,
    };
  });
}

/** A stored own list as `listBytes` writes what the other party gets of it. */
export function encodeDisclosedList(stored: Uint8Array): Uint8Array {
  return listBytes(disclosedList(readOwnList(stored)));
}
