import {
  InvalidSignatureError,
  decodeSignature65,
  encodeSignature65,
  keccak256,
  recoverPublicKey,
  signDigest,
} from '@tetrad/crypto';
import { hashFromBytes, hashToBytes, type Hash, type PtmKey } from '@tetrad/types';
import { FixedFields, KEY_BYTES, fixed, keyBytes, startsWith } from './fixed-fields.js';
import { readSubject, stateBytes, subjectBytes, type ContractState, type Subject } from './state-question.js';

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

/** Most parties that a statement names. */
export const MAX_PARTIES = 64;

const MARK = Buffer.from('tetrad/extension/statement/v1');
const SIGNATURE_BYTES = 65;

/**
 * Layout: docs/spec/extension-statements.md.
 * @param nodeKey - 32 bytes
 */
export function signStatement(statement: StateStatement, nodeKey: Uint8Array): Uint8Array {
  const { block, blockHash, state, parties } = statement;
  const signed = Buffer.concat([
    MARK,
    subjectBytes(statement),
    keyBytes(statement.party),
    fixed(block, 8),
    hashToBytes(blockHash),
    stateBytes(state),
    fixed(parties.length, 1),
    ...parties.map(keyBytes),
  ]);
  return Buffer.concat([signed, encodeSignature65(signDigest(keccak256(signed), nodeKey))]);
}

/** @returns undefined for another payload, and for one that is not well formed or that no key has signed */
export function decodeStatement(payload: Uint8Array): SignedStatement | undefined {
  if (!startsWith(payload, MARK)) return undefined;
  const signed = payload.subarray(0, Math.max(0, payload.length - SIGNATURE_BYTES));
  try {
    const statement = readStatement(new FixedFields(signed.subarray(MARK.length)));
    if (statement === undefined) return undefined;
    const signature = decodeSignature65(payload.subarray(signed.length));
    const signer = Buffer.from(recoverPublicKey(keccak256(signed), signature)).toString('hex');
    return { ...statement, signer };
  } catch (error) {
    if (error instanceof RangeError || error instanceof InvalidSignatureError) return undefined;
    throw error;
  }
}

function readStatement(fields: FixedFields): StateStatement | undefined {
  const subject = readSubject(fields);
  const party = fields.key();
  const block = fields.number();
  const blockHash = hashFromBytes(fields.take(32));
  const state = {
    nonce: fields.bigint(8),
    balance: fields.bigint(32),
    storageRoot: hashFromBytes(fields.take(32)),
    codeHash: hashFromBytes(fields.take(32)),
  };
  const count = Number(fields.bigint(1));
  if (count > MAX_PARTIES) return undefined;
  const parties = Array.from({ length: count }, () => fields.key());
  return fields.isAtEnd ? { ...subject, party, block, blockHash, state, parties } : undefined;
}

/** Largest statement in bytes. */
export const MAX_STATEMENT_BYTES = 512 + MAX_PARTIES * KEY_BYTES;
