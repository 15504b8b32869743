import { copyOf, encodeRlp } from '@tetrad/rlp';
import { addressToBytes, type Address } from '@tetrad/types';
import { ConsensusError } from './consensus-error.js';
import { extraDataFields, readCommittedSeals, readValidators } from './extra-data-fields.js';
import { SEAL_LENGTH, VANITY_LENGTH } from './params.js';

/** Extra data of a header of the older IBFT format. */
export interface IbftExtraData {
  /** 32 bytes. */
  readonly vanity: Uint8Array;
  readonly validators: readonly Address[];
  /** 65 bytes, or empty before the proposer has signed. */
  readonly proposerSeal: Uint8Array;
  readonly committedSeals: readonly Uint8Array[];
}

/**
 * Layout: vanity (32) ‖ RLP([[validator (20)…], proposer seal (65 or 0), [committed seal (65)…]]).
 * @throws ConsensusError when a seal has another length, with the texts of the reference's writers
 */
export function encodeIbftExtraData(extra: IbftExtraData): Uint8Array {
  if (![0, SEAL_LENGTH].includes(extra.proposerSeal.length)) throw new ConsensusError('invalid signature');
  if (extra.committedSeals.some(({ length }) => length !== SEAL_LENGTH)) {
    throw new ConsensusError('invalid committed seals');
  }
  const list = encodeRlp([
    extra.validators.map((validator) => addressToBytes(validator)),
    extra.proposerSeal,
    extra.committedSeals,
  ]);
  return Buffer.concat([fitVanity(extra.vanity), list]);
}

/** The first 32 bytes, right-padded with zeros. */
export function fitVanity(bytes: Uint8Array): Uint8Array {
  const vanity = new Uint8Array(VANITY_LENGTH);
  vanity.set(bytes.subarray(0, VANITY_LENGTH));
  return vanity;
}

/** @throws ConsensusError with the texts of the reference */
export function decodeIbftExtraData(bytes: Uint8Array): IbftExtraData {
  if (bytes.length < VANITY_LENGTH) throw new ConsensusError('invalid istanbul header extra-data');
  const fields = extraDataFields(bytes.subarray(VANITY_LENGTH));
  const extra = {
    vanity: bytes.slice(0, VANITY_LENGTH),
    validators: readValidators(fields),
    proposerSeal: copyOf(fields.exactly('proposer seal', 0, SEAL_LENGTH)),
    committedSeals: readCommittedSeals(fields),
  };
  fields.end();
  return extra;
}
