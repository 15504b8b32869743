import { keccakHash } from '@tetrad/crypto';
import { hashFromBytes, hashToBytes, type Hash } from '@tetrad/types';
import {
  listBytes,
  listDigest,
  readList,
  type ListedOutcome,
  type ToldList,
} from '../outcome/outcome-list.js';
import {
  outcomeBytes,
  outcomeDigest,
  readOutcome,
  type ToldOutcome,
  type TransactionOutcome,
} from '../outcome/transaction-outcome.js';
import { FixedFields, fixed } from '../signed/fixed-fields.js';
import { readMessage } from '../signed/read-message.js';
import { SIGNATURE_BYTES } from '../signed/node-signature.js';
import { STATEMENT_BYTES, type BlockStatement } from './block-statement.js';

const LIST_MARK = Buffer.from('tetrad/agreement/list/v1');
const OUTCOME_MARK = Buffer.from('tetrad/agreement/outcome/v1');

/** A detail, and the statement that it belongs to. */
export interface Detail<T> {
  /** Keccak-256 of the statement without its signature. */
  readonly statement: Hash;
  readonly value: T;
}

/**
 * By which details name a statement: keccak256 of it without its signature, since one that is signed again in an HSM has another.
 *
 * @param signed - as `signBlockStatement` made it
 */
export function statementHash(signed: Uint8Array): Hash {
  return keccakHash(signed.subarray(0, STATEMENT_BYTES - SIGNATURE_BYTES));
}

const BLOCK_BYTES = 8;

/** Layout: block (8) ‖ detail, as a message carries it. */
export function withBlock(block: number, detail: Uint8Array): Uint8Array {
  return Buffer.concat([fixed(block, BLOCK_BYTES), detail]);
}

/** Reads what `withBlock` wrote; undefined for a message that is too short, or names no block. */
export function splitBlock(
  message: Uint8Array,
): { readonly block: number; readonly detail: Uint8Array } | undefined {
  if (message.length < BLOCK_BYTES) return undefined;
  const block = Number(Buffer.from(message).readBigUInt64BE(0));
  return Number.isSafeInteger(block) ? { block, detail: message.subarray(BLOCK_BYTES) } : undefined;
}

/**
 * Reads a list that was stored.
 * @throws RangeError for bytes that `listBytes` did not write
 */
export function readListBytes(bytes: Uint8Array): ToldList {
  const list = readList(new FixedFields(bytes));
  if (list === undefined) throw new RangeError('not a list of outcomes');
  return list;
}

/** Layout: "tetrad/agreement/list/v1" (24) ‖ hash of the statement (32) ‖ list (see `listBytes`) */
export function encodeList(statement: Hash, outcomes: readonly ListedOutcome[]): Uint8Array {
  return Buffer.concat([LIST_MARK, hashToBytes(statement), listBytes(outcomes)]);
}

/** @returns undefined for another message, and for one that is not well formed */
export function decodeList(bytes: Uint8Array): Detail<ToldList> | undefined {
  return readMessage(bytes, LIST_MARK, (fields) => {
    const statement = hashFromBytes(fields.take(32));
    const value = readList(fields);
    return value && { statement, value };
  });
}

/** Layout: "tetrad/agreement/outcome/v1" (27) ‖ hash of the statement (32) ‖ outcome (see `outcomeBytes`) */
export function encodeOutcome(statement: Hash, outcome: TransactionOutcome): Uint8Array {
  return Buffer.concat([OUTCOME_MARK, hashToBytes(statement), outcomeBytes(outcome)]);
}

/** @returns undefined for another message, and for one that is not well formed */
export function decodeOutcome(bytes: Uint8Array): Detail<ToldOutcome> | undefined {
  return readMessage(bytes, OUTCOME_MARK, (fields) => {
    const statement = hashFromBytes(fields.take(32));
    const value = readOutcome(fields);
    return value && { statement, value };
  });
}

/** Whether a list is the one that a statement was signed of; that of more than 1,000 transactions cannot be checked. */
export function isListOf({ digest }: Pick<BlockStatement, 'digest'>, list: ToldList): boolean {
  return !list.isWhole || listDigest(list.outcomes) === digest;
}

/** Whether an outcome is the one that a list names. */
export function isOutcomeOf({ outcomes }: Pick<ToldList, 'outcomes'>, outcome: ToldOutcome): boolean {
  return outcomes.some(({ hash, digest }) => hash === outcome.hash && digest === outcomeDigest(outcome));
}
