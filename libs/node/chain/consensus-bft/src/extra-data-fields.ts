import { RlpFields, copyOf } from '@tetrad/rlp';
import type { Address } from '@tetrad/types';
import { ConsensusError } from './consensus-error.js';
import { SEAL_LENGTH } from './params.js';

/** More than any list of validators or seals has. */
const MAX_ENTRIES = 10_000;

/** The fields of the list in extra data of either format; every field fails with the one error that readers know. */
export function extraDataFields(bytes: Uint8Array): RlpFields {
  return RlpFields.of(bytes, 'extra data', invalidExtraData);
}

export function readValidators(fields: RlpFields): Address[] {
  return fields.list('validators').repeated(MAX_ENTRIES, (list) => list.address('validator'));
}

export function readCommittedSeals(fields: RlpFields): Uint8Array[] {
  return fields.list('seals').repeated(MAX_ENTRIES, (list) => copyOf(list.exactly('seal', SEAL_LENGTH)));
}

export function invalidExtraData(): ConsensusError {
  return new ConsensusError('invalid extra data format');
}
