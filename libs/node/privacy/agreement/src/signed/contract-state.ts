import { keccakHash } from '@tetrad/crypto';
import { hashFromBytes, hashToBytes, type Hash } from '@tetrad/types';
import { fixed, type FixedFields } from './fixed-fields.js';

/** The account of a private contract, as parties state and compare it. */
export interface ContractState {
  readonly nonce: bigint;
  /** Wei. */
  readonly balance: bigint;
  readonly storageRoot: Hash;
  readonly codeHash: Hash;
}

/** Layout: nonce (8) ‖ balance (32) ‖ storage root (32) ‖ code hash (32) */
export function stateBytes({ nonce, balance, storageRoot, codeHash }: ContractState): Uint8Array {
  return Buffer.concat([
    fixed(nonce, 8),
    fixed(balance, 32),
    hashToBytes(storageRoot),
    hashToBytes(codeHash),
  ]);
}

/** @throws RangeError */
export function readState(fields: FixedFields): ContractState {
  return {
    nonce: fields.bigint(8),
    balance: fields.bigint(32),
    storageRoot: hashFromBytes(fields.take(32)),
    codeHash: hashFromBytes(fields.take(32)),
  };
}

/** By which a state is compared and asked for. */
export function stateDigest(state: ContractState): Hash {
  return keccakHash(stateBytes(state));
}
