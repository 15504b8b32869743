import { encodeRlp } from '@tetrad/rlp';
import {
  addressFromBytes,
  addressToBytes,
  bytesFromScalar,
  scalarFromBytes,
  type Address,
} from '@tetrad/types';
import { decodeExtraList, invalidExtraData, isListOf, type RlpItem } from './extra-data-rlp.js';
import { VANITY_LENGTH } from './params.js';

/** What a validator asks to be done with another address. */
export interface ValidatorVote {
  readonly recipient: Address;
  readonly add: boolean;
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
  const vote: RlpItem =
    extra.vote === undefined ? [] : [addressToBytes(extra.vote.recipient), extra.vote.add ? ADD : DROP];
  return encodeRlp([
    extra.vanity,
    extra.validators.map((validator) => addressToBytes(validator)),
    vote,
    bytesFromScalar(extra.round),
    extra.committedSeals,
  ]);
}

/** Fails: ConsensusError `invalid extra data format`. */
export function decodeQbftExtraData(bytes: Uint8Array): QbftExtraData {
  const [vanity, validators, vote, round, seals, ...rest] = decodeExtraList(bytes);
  const wellFormed =
    vanity instanceof Uint8Array &&
    vanity.length <= VANITY_LENGTH &&
    isListOf(validators, 20) &&
    Array.isArray(vote) &&
    round instanceof Uint8Array &&
    round[0] !== 0 &&
    round.length <= 4 &&
    isListOf(seals, 65) &&
    rest.length === 0;
  if (!wellFormed) throw invalidExtraData();
  return {
    vanity,
    validators: validators.map((validator) => addressFromBytes(validator)),
    ...readVote(vote),
    round: Number(scalarFromBytes(round)),
    committedSeals: seals,
  };
}

function readVote(item: readonly RlpItem[]): Pick<QbftExtraData, 'vote'> {
  if (item.length === 0) return {};
  const [recipient, type] = item;
  const isAdd = type instanceof Uint8Array && type.length === 1 && type[0] === 0xff;
  const isDrop = type instanceof Uint8Array && type.length === 0;
  if (
    item.length !== 2 ||
    !(recipient instanceof Uint8Array) ||
    recipient.length !== 20 ||
    (!isAdd && !isDrop)
  ) {
    throw invalidExtraData();
  }
  return { vote: { recipient: addressFromBytes(recipient), add: isAdd } };
}
