import type { SigningKey } from '@tetrad/crypto';
import { hashFromBytes, hashToBytes, type Hash, type PtmKey } from '@tetrad/types';
import { fixed, keyBytes, type FixedFields } from '../signed/fixed-fields.js';
import { openSigned, signMessage } from '../signed/node-signature.js';
import { readMessage } from '../signed/read-message.js';

/** Which block of which chain a party states something of, and to whom. */
export interface StatementSubject {
  readonly chainId: bigint;
  readonly genesisHash: Hash;
  /** Manager key of the party that states. */
  readonly from: PtmKey;
  /** Manager key of the party that it is for. */
  readonly to: PtmKey;
  readonly block: number;
  readonly blockHash: Hash;
}

/** What the node of a party states of the private transactions of a block that both parties take part in. */
export interface BlockStatement extends StatementSubject {
  /**
   * From 0 to 2^32 - 1. Grows when the node states something else of the block, as after a repair; a later one replaces an earlier one. Two
   * statements of one revision that differ convict their signer.
   */
  readonly revision: number;
  /** See `listDigest`. */
  readonly digest: Hash;
}

/** A statement whose signature was made by the key of the node. */
export interface SignedBlockStatement extends BlockStatement {
  /** Public key of the node, 128 hex digits. */
  readonly signer: string;
}

const MARK = Buffer.from('tetrad/agreement/statement/v1');

/** Bytes of a statement with its signature. */
export const STATEMENT_BYTES = 29 + 32 + 32 + 32 + 32 + 8 + 32 + 4 + 32 + 65;

/**
 * Layout: docs/spec/agreement-statements.md#statements
 *
 * @throws RequestError KEY_UNAVAILABLE when the node key is in a service that does not sign
 */
export async function signBlockStatement(
  statement: BlockStatement,
  nodeKey: Pick<SigningKey, 'sign'>,
): Promise<Uint8Array> {
  const message = Buffer.concat([
    MARK,
    fixed(statement.chainId, 32),
    hashToBytes(statement.genesisHash),
    keyBytes(statement.from),
    keyBytes(statement.to),
    fixed(statement.block, 8),
    hashToBytes(statement.blockHash),
    fixed(statement.revision, 4),
    hashToBytes(statement.digest),
  ]);
  return signMessage(message, nodeKey);
}

/** @returns undefined for another message, and for one that is not well formed or that no key has signed */
export function openBlockStatement(bytes: Uint8Array): SignedBlockStatement | undefined {
  if (bytes.length !== STATEMENT_BYTES) return undefined;
  const opened = openSigned(bytes, MARK);
  const statement = opened && readMessage(opened.message, MARK, readStatement);
  return statement && { ...statement, signer: opened.signer };
}

const HASH_AT = 29 + 32 + 32 + 32 + 32 + 8;
const REVISION_AT = HASH_AT + 32;

/** What a statement that was opened before says, without looking at its signature again. */
export function statedIn(signed: Uint8Array): Pick<BlockStatement, 'blockHash' | 'revision' | 'digest'> {
  const digestAt = REVISION_AT + 4;
  return {
    blockHash: hashFromBytes(signed.subarray(HASH_AT, REVISION_AT)),
    revision: Buffer.from(signed).readUInt32BE(REVISION_AT),
    digest: hashFromBytes(signed.subarray(digestAt, digestAt + 32)),
  };
}

function readStatement(fields: FixedFields): BlockStatement {
  return {
    chainId: fields.bigint(32),
    genesisHash: hashFromBytes(fields.take(32)),
    from: fields.key(),
    to: fields.key(),
    block: fields.number(),
    blockHash: hashFromBytes(fields.take(32)),
    revision: Number(fields.bigint(4)),
    digest: hashFromBytes(fields.take(32)),
  };
}
