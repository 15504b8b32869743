import { keccak256, keccakHash } from '@tetrad/crypto';
import { trieRoot } from '@tetrad/node-evm';
import { encodeRlp } from '@tetrad/rlp';
import { bytesFromHex, bytesFromScalar, hashFromBytes } from '@tetrad/types';
import type { SharedState } from '../extension/shared-state.js';

/**
 * Whether code and slots are those of the state's hashes, both computed anew.
 *
 * Cost: all slots are hashed once
 */
export function isWholeState({ code, codeHash, storage, storageRoot }: SharedState): boolean {
  if (code.length === 0 || keccakHash(code) !== codeHash) return false;
  const entries = new Map<string, Uint8Array>();
  for (const [slot, value] of storage) {
    const held = bytesFromScalar(BigInt(value));
    if (held.length === 0) return false;
    entries.set(Buffer.from(keccak256(bytesFromHex(slot))).toString('hex'), encodeRlp(held));
  }
  return hashFromBytes(trieRoot(entries)) === storageRoot;
}
