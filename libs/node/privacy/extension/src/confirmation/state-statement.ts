import type { SigningKey } from '@tetrad/crypto';
import {
  KEY_BYTES,
  fixed,
  keyBytes,
  openSigned,
  readMessage,
  readState,
  signMessage,
  stateBytes,
  type ContractState,
  type FixedFields,
} from '@tetrad/node-agreement';
import { hashFromBytes, hashToBytes, type Hash, type PtmKey } from '@tetrad/types';
import { readSubject, subjectBytes, type Subject } from './state-question.js';

/** What the node of a party says of a contract. */
export interface StateStatement extends Subject {
  /** Manager key of the party. */
  readonly party: PtmKey;
  readonly block: number;
  readonly blockHash: Hash;
  /** After that block. */
  readonly state: ContractState;
  /** Other parties, as its manager knows them. Only the initiator names them. */
  readonly parties: readonly PtmKey[];
}

/** A statement whose signature was made by the key of the node. */
export interface SignedStatement extends StateStatement {
  /** Public key of the node, 128 hex digits. */
  readonly signer: string;
}

/** Maximum number of parties that a statement names. */
export const MAX_PARTIES = 64;

const MARK = Buffer.from('tetrad/extension/statement/v1');

/**
 * Layout: docs/spec/extension-statements.md.
 * @throws RequestError KEY_UNAVAILABLE when the node key is in a service that does not sign
 */
export async function signStatement(
  statement: StateStatement,
  nodeKey: Pick<SigningKey, 'sign'>,
): Promise<Uint8Array> {
  const { block, blockHash, state, parties } = statement;
  const message = Buffer.concat([
    MARK,
    subjectBytes(statement),
    keyBytes(statement.party),
    fixed(block, 8),
    hashToBytes(blockHash),
    stateBytes(state),
    fixed(parties.length, 1),
    ...parties.map(keyBytes),
  ]);
  return signMessage(message, nodeKey);
}

/** @returns undefined for another payload, and for one that is not well formed or that no key has signed */
export function decodeStatement(payload: Uint8Array): SignedStatement | undefined {
  const opened = openSigned(payload, MARK);
  const statement = opened && readMessage(opened.message, MARK, readStatement);
  return statement && { ...statement, signer: opened.signer };
}

function readStatement(fields: FixedFields): StateStatement | undefined {
  const subject = readSubject(fields);
  const party = fields.key();
  const block = fields.number();
  const blockHash = hashFromBytes(fields.take(32));
  const state = readState(fields);
  const count = Number(fields.bigint(1));
  if (count > MAX_PARTIES) return undefined;
  const parties = Array.from({ length: count }, () => fields.key());
  return { ...subject, party, block, blockHash, state, parties };
}

/** Largest statement in bytes. */
export const MAX_STATEMENT_BYTES = 512 + MAX_PARTIES * KEY_BYTES;
