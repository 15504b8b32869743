import type { SigningKey } from '@tetrad/crypto';
import { hashFromBytes, hashToBytes, type Hash } from '@tetrad/types';
import { readState, stateBytes, type ContractState } from '../signed/contract-state.js';
import { fixed } from '../signed/fixed-fields.js';
import { signMessage } from '../signed/node-signature.js';
import {
  SUBJECT_BYTES,
  openMarked,
  readSubject,
  subjectBytes,
  type RepairSubject,
  type Signed,
} from './repair-request.js';

/** What the node of a party states of a contract after a block, to the party that asked. */
export interface RepairStatement extends RepairSubject {
  readonly state: ContractState;
  /** Bytes of the whole contract, and Keccak-256 of them; 0 and zero where only the account was asked for. */
  readonly wholeBytes: number;
  readonly wholeHash: Hash;
}

/** That a party has replaced its contract at the end of a block. */
export interface RepairDone extends RepairSubject {
  readonly before: ContractState;
  readonly after: ContractState;
}

const STATEMENT_MARK = Buffer.from('tetrad/agreement/repair-statement/v1');
const DONE_MARK = Buffer.from('tetrad/agreement/repair-done/v1');
const STATE_BYTES = 104;
const STATEMENT_LENGTH = SUBJECT_BYTES + STATE_BYTES + 4 + 32;
const DONE_LENGTH = SUBJECT_BYTES + 2 * STATE_BYTES;

/** Bytes of a signed statement. */
const REPAIR_STATEMENT_BYTES = STATEMENT_MARK.length + STATEMENT_LENGTH + 65;

/**
 * Layout: docs/spec/contract-repairs.md#messages
 *
 * @throws RequestError KEY_UNAVAILABLE when the node key is in a service that does not sign
 */
export function signRepairStatement(
  statement: RepairStatement,
  nodeKey: Pick<SigningKey, 'sign'>,
): Promise<Uint8Array> {
  const { state, wholeBytes, wholeHash } = statement;
  const whole = [fixed(wholeBytes, 4), hashToBytes(wholeHash)];
  const message = Buffer.concat([STATEMENT_MARK, subjectBytes(statement), stateBytes(state), ...whole]);
  return signMessage(message, nodeKey);
}

/** @returns undefined for another message, and for one that is not well formed or that no key has signed */
export function openRepairStatement(bytes: Uint8Array): Signed<RepairStatement> | undefined {
  return openMarked(bytes, STATEMENT_MARK, STATEMENT_LENGTH, (fields) => ({
    ...readSubject(fields),
    state: readState(fields),
    wholeBytes: Number(fields.bigint(4)),
    wholeHash: hashFromBytes(fields.take(32)),
  }));
}

/** As `signRepairStatement`. */
export function signRepairDone(done: RepairDone, nodeKey: Pick<SigningKey, 'sign'>): Promise<Uint8Array> {
  const states = [stateBytes(done.before), stateBytes(done.after)];
  return signMessage(Buffer.concat([DONE_MARK, subjectBytes(done), ...states]), nodeKey);
}

/** As `openRepairStatement`. */
export function openRepairDone(bytes: Uint8Array): Signed<RepairDone> | undefined {
  return openMarked(bytes, DONE_MARK, DONE_LENGTH, (fields) => ({
    ...readSubject(fields),
    before: readState(fields),
    after: readState(fields),
  }));
}

/** Statements that were stored one after the other. */
export function splitStatements(bytes: Uint8Array): Uint8Array[] {
  return Array.from({ length: bytes.length / REPAIR_STATEMENT_BYTES }, (_, at) =>
    bytes.subarray(at * REPAIR_STATEMENT_BYTES, (at + 1) * REPAIR_STATEMENT_BYTES),
  );
}
