import { asBuffer, clientBytes } from '@tetrad/db';
import {
  addressFromBytes,
  addressToBytes,
  hashFromBytes,
  hashToBytes,
  parsePtmKey,
  type Address,
  type Hash,
  type PtmKey,
} from '@tetrad/types';
import type {
  PrivateAgreementBlockModel,
  PrivateAgreementContractModel,
  PrivateAgreementPairModel,
} from './generated/models.js';

/** A row of the client, or of a statement, whose block numbers are no bigints. */
type Driven<Model, Numbers extends keyof Model> = Omit<Model, Numbers> & {
  readonly [Name in Numbers]: Model[Name] | number;
};

/** A key of this node's manager, and the key of another party. */
export interface KeyPair {
  readonly own: PtmKey;
  readonly other: PtmKey;
}

/** Two parties that state results to each other. */
export interface AgreementPair extends KeyPair {
  /** First block that is compared; a later one without a row is one on which both agree. */
  readonly since: number;
  readonly agreedBlock: number | undefined;
  /** Node key that signed the other party's first statement, and its last one: 128 hex digits. */
  readonly firstSigner: string | undefined;
  readonly lastSigner: string | undefined;
  /** When a statement of the other party came last. */
  readonly heardAtMs: number | undefined;
  /** Whether the other party's manager carries messages. */
  readonly carriesMessages: boolean;
}

/**
 * `pending` until the other party states something, `comparing` until it tells the list of a statement that differs; `undisclosed`
 * where one of both does not tell all transactions, and the others are equal.
 */
export type AgreementState = 'pending' | 'comparing' | 'diverged' | 'undisclosed' | 'agreed';

/** A block on which two parties do not agree, or not yet. */
export interface AgreementBlock extends KeyPair {
  readonly block: number;
  /** Signed; undefined until this node has followed the block. */
  readonly ownStatement: Uint8Array | undefined;
  readonly ownList: Uint8Array | undefined;
  readonly otherStatement: Uint8Array | undefined;
  /** Another statement of the other party about the block, with another digest. */
  readonly otherBefore: Uint8Array | undefined;
  readonly otherList: Uint8Array | undefined;
  readonly otherOutcome: Uint8Array | undefined;
  /** Signed: by which rules each end executes; undefined where it has not said so. */
  readonly ownRules: Uint8Array | undefined;
  readonly otherRules: Uint8Array | undefined;
  readonly state: AgreementState;
  /** The first transaction that differs. */
  readonly transaction: Hash | undefined;
  /** What our manager has taken: nothing (0, or -1 where an answer is due), the statement (1), the list too (2), an outcome too (3), its rules too (4). */
  readonly sent: number;
  /** How often the statement was sent. */
  readonly sends: number;
  /** When something is to be sent; undefined when nothing is. */
  readonly nextAtMs: number | undefined;
  readonly madeAtMs: number;
}

/** A block on which two parties do not agree, or not yet, without what they stated. */
export type OpenBlock = Pick<AgreementBlock, 'own' | 'other' | 'block' | 'state' | 'transaction'>;

/** The newest transaction of two parties that entered a contract. */
export interface AgreementContract extends KeyPair {
  readonly contract: Address;
  readonly block: number;
  readonly transaction: Hash;
  /** Whether this node has sent the other party a transaction to the contract. */
  readonly isShared: boolean;
}

export function pairColumns({ own, other }: KeyPair) {
  return { own: keyBytes(own), other: keyBytes(other) };
}

export function toPair(row: Driven<PrivateAgreementPairModel, 'since' | 'agreedBlock'>): AgreementPair {
  return {
    ...toKeys(row),
    since: Number(row.since),
    agreedBlock: row.agreedBlock === null ? undefined : Number(row.agreedBlock),
    firstSigner: row.firstSigner === null ? undefined : asBuffer(row.firstSigner).toString('hex'),
    lastSigner: row.lastSigner === null ? undefined : asBuffer(row.lastSigner).toString('hex'),
    heardAtMs: row.heardAt?.getTime(),
    carriesMessages: row.carriesMessages,
  };
}

export function toBlock(row: Driven<PrivateAgreementBlockModel, 'blockNumber'>): AgreementBlock {
  return {
    ...toKeys(row),
    block: Number(row.blockNumber),
    ownStatement: row.ownStatement ?? undefined,
    ownList: row.ownList ?? undefined,
    otherStatement: row.otherStatement ?? undefined,
    otherBefore: row.otherBefore ?? undefined,
    otherList: row.otherList ?? undefined,
    otherOutcome: row.otherOutcome ?? undefined,
    ownRules: row.ownRules ?? undefined,
    otherRules: row.otherRules ?? undefined,
    state: row.state as AgreementState,
    transaction: row.transaction === null ? undefined : hashFromBytes(row.transaction),
    sent: row.sent,
    sends: row.sends,
    nextAtMs: row.nextAt?.getTime(),
    madeAtMs: row.madeAt.getTime(),
  };
}

export function toOpenBlock(
  row: Pick<PrivateAgreementBlockModel, 'own' | 'other' | 'blockNumber' | 'state' | 'transaction'>,
): OpenBlock {
  return {
    ...toKeys(row),
    block: Number(row.blockNumber),
    state: row.state as AgreementState,
    transaction: row.transaction === null ? undefined : hashFromBytes(row.transaction),
  };
}

export function blockColumns(block: AgreementBlock) {
  return {
    ...pairColumns(block),
    blockNumber: BigInt(block.block),
    ownStatement: bytesOrNull(block.ownStatement),
    ownList: bytesOrNull(block.ownList),
    otherStatement: bytesOrNull(block.otherStatement),
    otherBefore: bytesOrNull(block.otherBefore),
    otherList: bytesOrNull(block.otherList),
    otherOutcome: bytesOrNull(block.otherOutcome),
    ownRules: bytesOrNull(block.ownRules),
    otherRules: bytesOrNull(block.otherRules),
    state: block.state,
    transaction: block.transaction === undefined ? null : clientBytes(hashToBytes(block.transaction)),
    sent: block.sent,
    sends: block.sends,
    nextAt: block.nextAtMs === undefined ? null : new Date(block.nextAtMs),
    madeAt: new Date(block.madeAtMs),
  };
}

export function toContract(row: PrivateAgreementContractModel): AgreementContract {
  return {
    ...toKeys(row),
    contract: addressFromBytes(row.contract),
    block: Number(row.blockNumber),
    transaction: hashFromBytes(row.transaction),
    isShared: row.isShared,
  };
}

export function contractColumns(row: AgreementContract) {
  return {
    ...pairColumns(row),
    contract: clientBytes(addressToBytes(row.contract)),
    blockNumber: BigInt(row.block),
    transaction: clientBytes(hashToBytes(row.transaction)),
    isShared: row.isShared,
  };
}

function toKeys({ own, other }: { readonly own: Uint8Array; readonly other: Uint8Array }): KeyPair {
  return { own: keyOf(own), other: keyOf(other) };
}

export function keyOf(bytes: Uint8Array): PtmKey {
  return parsePtmKey(asBuffer(bytes).toString('base64'));
}

function keyBytes(key: PtmKey): Uint8Array<ArrayBuffer> {
  return clientBytes(Buffer.from(key, 'base64'));
}

function bytesOrNull(bytes: Uint8Array | undefined): Uint8Array<ArrayBuffer> | null {
  return bytes === undefined ? null : clientBytes(bytes);
}
