import { encodeRlp, type RlpFields } from '@tetrad/rlp';
import { bytesFromScalar } from '@tetrad/types';
import { WireError } from './wire-fields.js';

/** A trie of the public state, and the part of it that is wanted; all fields have 32 bytes. */
export interface RangeQuestion {
  /** Hash of the top node: a state root, or the storage root of an account. */
  readonly root: Uint8Array;
  /** The first key wanted, or where it would be. */
  readonly origin: Uint8Array;
  /** The range ends with the first entry that is here or behind. */
  readonly limit: Uint8Array;
}

/** What is found by the Keccak-256 of its bytes. */
export type ContentKind = 'node' | 'code' | 'preimage';

/** What a node that does not have a state asks of its peers, by kind; version 3 of the protocol added them. */
export interface StateQuestions {
  /** Headers in order from a number on, with their seals. */
  readonly headers: { readonly from: number; readonly limit: number; readonly byteBudget: number };
  /** Entries of tries with proofs. */
  readonly ranges: { readonly byteBudget: number; readonly questions: readonly RangeQuestion[] };
  readonly contents: {
    readonly what: ContentKind;
    readonly byteBudget: number;
    /** 32 bytes each. */
    readonly hashes: readonly Uint8Array[];
  };
  /** What shows which validators a contract names after a block. */
  readonly validators: { readonly number: number };
  /** Transactions and receipts of blocks, from a number on downwards. */
  readonly history: { readonly from: number; readonly limit: number; readonly byteBudget: number };
}

export type StateKind = keyof StateQuestions;

export type StateRequest = { [Kind in StateKind]: { readonly kind: Kind } & StateQuestions[Kind] }[StateKind];

/** Codes on the wire; they must not change. */
const CODES: Readonly<Record<StateKind, number>> = {
  headers: 5,
  ranges: 6,
  contents: 7,
  validators: 8,
  history: 9,
};
const CONTENT_KINDS: readonly ContentKind[] = ['node', 'code', 'preimage'];

/** Maximum number of headers of one answer, whatever was asked for. */
export const MAX_REQUESTED_HEADERS = 1_024;
/** Maximum number of blocks of one answer about the past. */
export const MAX_REQUESTED_PAST = 1_024;
/** Maximum number of tries that one request asks about. */
export const MAX_REQUESTED_RANGES = 256;
/** Maximum number of hashes of one request for contents. */
export const MAX_REQUESTED_CONTENTS = 1_024;
/** Maximum size in bytes of one answer about the state; its first item always fits. */
export const MAX_STATE_BUDGET = 2 * 1024 * 1024;

/**
 * Layouts: RLP([5, from, limit, byteBudget]) headers; RLP([6, byteBudget, [[root (32), origin (32), limit (32)]...]]) ranges;
 * RLP([7, what: 1 node, 2 code, 3 preimage, byteBudget, [hash (32)...]]) contents; RLP([8, number]) validators;
 * RLP([9, from, limit, byteBudget]) history
 */
export function encodeStateRequest(request: StateRequest): Uint8Array {
  const code = bytesFromScalar(CODES[request.kind]);
  switch (request.kind) {
    case 'headers':
    case 'history':
      return encodeRlp([code, ...[request.from, request.limit, request.byteBudget].map(bytesFromScalar)]);
    case 'ranges':
      return encodeRlp([
        code,
        bytesFromScalar(request.byteBudget),
        request.questions.map(({ root, origin, limit }) => [root, origin, limit]),
      ]);
    case 'contents': {
      const what = CONTENT_KINDS.indexOf(request.what) + 1;
      return encodeRlp([code, ...[what, request.byteBudget].map(bytesFromScalar), [...request.hashes]]);
    }
    case 'validators':
      return encodeRlp([code, bytesFromScalar(request.number)]);
  }
}

/**
 * The fields after the code.
 * @returns undefined for the code of another message
 * @throws WireError
 */
export function readStateRequest(fields: RlpFields, code: number): StateRequest | undefined {
  switch (code) {
    case CODES.headers:
      return { kind: 'headers', ...readSpan(fields, MAX_REQUESTED_HEADERS) };
    case CODES.ranges:
      return {
        kind: 'ranges',
        byteBudget: readBudget(fields),
        questions: fields.list('questions').repeated(MAX_REQUESTED_RANGES, readQuestion),
      };
    case CODES.contents:
      return {
        kind: 'contents',
        what: readContentKind(fields),
        byteBudget: readBudget(fields),
        hashes: fields
          .list('hashes')
          .repeated(MAX_REQUESTED_CONTENTS, (hashes) => hashes.exactly('hash', 32)),
      };
    case CODES.validators:
      return { kind: 'validators', number: fields.count('number') };
    case CODES.history:
      return { kind: 'history', ...readSpan(fields, MAX_REQUESTED_PAST) };
    default:
      return undefined;
  }
}

function readSpan(fields: RlpFields, most: number): StateQuestions['headers'] {
  return {
    from: fields.count('from'),
    limit: fields.count('limit', most),
    byteBudget: readBudget(fields),
  };
}

function readBudget(fields: RlpFields): number {
  return fields.count('byteBudget', MAX_STATE_BUDGET);
}

function readQuestion(questions: RlpFields): RangeQuestion {
  const fields = questions.list('question');
  const question = {
    root: fields.exactly('root', 32),
    origin: fields.exactly('origin', 32),
    limit: fields.exactly('limit', 32),
  };
  fields.end();
  return question;
}

function readContentKind(fields: RlpFields): ContentKind {
  const what = CONTENT_KINDS[fields.count('what', CONTENT_KINDS.length) - 1];
  if (what === undefined) throw new WireError('request: what');
  return what;
}
