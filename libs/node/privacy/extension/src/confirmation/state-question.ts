import { fixed, keyBytes, readMessage, type FixedFields } from '@tetrad/node-agreement';
import {
  addressFromBytes,
  addressToBytes,
  hashFromBytes,
  hashToBytes,
  type Address,
  type Hash,
  type PtmKey,
} from '@tetrad/types';

/** What a question and its statements are about. */
export interface Subject {
  readonly chainId: bigint;
  readonly contract: Address;
  readonly management: Address;
  /** Manager key of the new party. */
  readonly recipientKey: PtmKey;
  /** Chosen by the recipient at random for each question. */
  readonly id: Hash;
}

/** Asks which state a contract has, or whether it had a certain one in one of the blocks. */
export interface StateQuestion extends Subject {
  /** Blocks in which the state is looked for, inclusive. */
  readonly firstBlock: number;
  readonly lastBlock: number;
  readonly lastHash: Hash;
  /** Digest of the state that was shared; zero when the state in the last block is asked for. */
  readonly wanted: Hash;
}

const MARK = Buffer.from('tetrad/extension/question/v1');

/** Layout: docs/spec/extension-statements.md */
export function encodeQuestion(question: StateQuestion): Uint8Array {
  return Buffer.concat([
    MARK,
    subjectBytes(question),
    fixed(question.firstBlock, 8),
    fixed(question.lastBlock, 8),
    hashToBytes(question.lastHash),
    hashToBytes(question.wanted),
  ]);
}

/** @returns undefined for another payload, and for one that is not well formed */
export function decodeQuestion(payload: Uint8Array): StateQuestion | undefined {
  return readMessage(payload, MARK, (fields) => {
    const question = {
      ...readSubject(fields),
      firstBlock: fields.number(),
      lastBlock: fields.number(),
      lastHash: hashFromBytes(fields.take(32)),
      wanted: hashFromBytes(fields.take(32)),
    };
    return question.firstBlock <= question.lastBlock ? question : undefined;
  });
}

export function subjectBytes({ chainId, contract, management, recipientKey, id }: Subject): Uint8Array {
  return Buffer.concat([
    fixed(chainId, 32),
    addressToBytes(contract),
    addressToBytes(management),
    keyBytes(recipientKey),
    hashToBytes(id),
  ]);
}

/** @throws RangeError */
export function readSubject(fields: FixedFields): Subject {
  return {
    chainId: fields.bigint(32),
    contract: addressFromBytes(fields.take(20)),
    management: addressFromBytes(fields.take(20)),
    recipientKey: fields.key(),
    id: hashFromBytes(fields.take(32)),
  };
}
