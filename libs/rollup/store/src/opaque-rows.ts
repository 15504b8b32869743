import { decodeWord, decodeWords, operationKinds, type SignedKind } from '@tetrad/rollup-crypto';
import { addressFromBytes, type Address } from '@tetrad/types';
import type { BatchPlace } from './execution-rows.js';
import type { opaquePlace } from './generated/tables.js';
import { integerOf, type ReadRow } from './read-row.js';
import type { RollupCalls } from './rollup-client.js';

/** What the chain says of an operation in a batch that changes an account: signed, or a credit. Kept of those whose account cannot be read. */
export interface PublicPlace extends BatchPlace {
  readonly kind: SignedKind['kind'] | 'credit';
  readonly accountId: number;
  /** Token id of transfers out; 0 otherwise. */
  readonly tokenId: number;
  readonly amount: bigint;
  readonly recipient: Address;
  /** The 15 words as published, which need not be a ciphertext. */
  readonly words: readonly bigint[];
  /** Leaf of the account tree, afterwards. */
  readonly leaf: bigint;
  /** Hash of the created money order, or 0. */
  readonly orderHash: bigint;
}

/** A place whose account cannot be read. */
export interface OpaquePlace extends PublicPlace {
  /** Blinding factor of a new account, as the operator's key reads it in the words; undefined without the key. */
  readonly blindingFactor?: bigint | undefined;
}

/** What a registration says that a creation on the chain may say too. */
export interface Registration {
  readonly words: readonly bigint[];
  readonly blindingFactor: bigint;
}

/** The history of an opaque account, in order. */
export async function findOpaqueHistory(calls: RollupCalls, accountId: number): Promise<OpaquePlace[]> {
  const rows = await calls.opaquePlace.findMany({
    where: { accountId },
    orderBy: [{ batchHeight: 'asc' }, { batchIndex: 'asc' }],
  });
  return rows.map(parsePlace);
}

/** A place, by the client or by a statement. */
export function parsePlace(
  row: ReadRow<typeof opaquePlace, keyof NonNullable<(typeof opaquePlace)['model']>>,
): OpaquePlace {
  const { batchIndex, accountId, tokenId, blindingFactor } = row;
  return {
    batchHeight: Number(row.batchHeight),
    batchIndex,
    accountId,
    tokenId,
    kind: KINDS.find((kind) => operationKinds[kind] === row.kind) as PublicPlace['kind'],
    amount: integerOf(row.amount),
    recipient: addressFromBytes(row.recipient),
    words: decodeWords(row.ciphertext),
    leaf: decodeWord(row.leaf),
    orderHash: decodeWord(row.orderHash),
    blindingFactor: blindingFactor === null ? undefined : decodeWord(blindingFactor),
  };
}

const KINDS = [
  'createAccount',
  'createMoneyOrder',
  'redeemMoneyOrder',
  'outboundTransfer',
  'setConsent',
  'credit',
] as const;
