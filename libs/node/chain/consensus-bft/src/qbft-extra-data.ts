import { copyOf, encodeRlp, type RlpFields, type RlpTree } from '@tetrad/rlp';
import { addressToBytes, bytesFromScalar, type Address } from '@tetrad/types';
import {
  extraDataFields,
  invalidExtraData,
  readCommittedSeals,
  readValidators,
} from './extra-data-fields.js';
import { VANITY_LENGTH } from './params.js';

/** A vote of a validator to add or drop an address. */
export interface ValidatorVote {
  readonly recipient: Address;
  readonly isAdd: boolean;
}

/** Extra data of a QBFT header. */
export interface QbftExtraData {
  readonly vanity: Uint8Array;
  /** The set that must produce this block, ascending by bytes; empty in contract mode. */
  readonly validators: readonly Address[];
  readonly vote?: ValidatorVote;
  readonly round: number;
  /** 65 bytes each: r, s and the parity. */
  readonly committedSeals: readonly Uint8Array[];
}

const ADD = Uint8Array.of(0xff);
/** An integer zero, which RLP writes as the empty string (0x80). */
const DROP = new Uint8Array(0);

/** Layout: RLP([vanity (32), [validator (20)…], vote, round, [seal (65)…]]); vote is [] or [recipient (20), type]. */
export function encodeQbftExtraData(extra: QbftExtraData): Uint8Array {
  const vote: RlpTree =
    extra.vote === undefined ? [] : [addressToBytes(extra.vote.recipient), extra.vote.isAdd ? ADD : DROP];
  return encodeRlp([
    extra.vanity,
    extra.validators.map((validator) => addressToBytes(validator)),
    vote,
    bytesFromScalar(extra.round),
    extra.committedSeals,
  ]);
}

/** @throws ConsensusError `invalid extra data format` */
export function decodeQbftExtraData(bytes: Uint8Array): QbftExtraData {
  const fields = extraDataFields(bytes);
  const extra = {
    vanity: copyOf(fields.bytes('vanity', VANITY_LENGTH)),
    validators: readValidators(fields),
    ...readVote(fields.list('vote')),
    round: Number(fields.scalar('round', 4)),
    committedSeals: readCommittedSeals(fields),
  };
  fields.end();
  return extra;
}

function readVote(fields: RlpFields): Pick<QbftExtraData, 'vote'> {
  if (fields.isDone) return {};
  const recipient = fields.address('recipient');
  const type = fields.exactly('type', DROP.length, ADD.length);
  fields.end();
  const isAdd = type.length === ADD.length;
  if (isAdd && type[0] !== ADD[0]) throw invalidExtraData();
  return { vote: { recipient, isAdd } };
}
