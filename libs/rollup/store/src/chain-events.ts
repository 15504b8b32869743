import type { Address, Hash } from '@tetrad/types';
import type { Deposit } from './deposit-rows.js';
import type { StoredRequest } from './requests.js';

/** A block of the chain under the rollup. */
export interface ChainBlock {
  readonly number: number;
  readonly hash: Hash;
}

export interface Token {
  readonly tokenId: number;
  /** Zeros for ether. */
  readonly address: Address;
  /** Base units of the token in one unit of the rollup. */
  readonly unit: bigint;
}

/** What the contract's events up to a block say; every item with the block it is in. */
export interface ChainEvents {
  readonly tokens: readonly (Token & { readonly blockNumber: number })[];
  readonly deposits: readonly (Deposit & { readonly sender: Address; readonly blockNumber: number })[];
  readonly requests: readonly OutboundRequest[];
  /** Of a contract that freezes. */
  readonly requested?: readonly StoredRequest[];
  readonly frozen?: FrozenRollup | undefined;
  /** Heights of batches in these blocks, which are final. */
  readonly batches?: readonly number[];
}

/** No batch comes after the one of this height. */
export interface FrozenRollup {
  readonly height: number;
  readonly blockNumber: number;
}

export interface OutboundRequest {
  readonly blockNumber: number;
  readonly logIndex: number;
  readonly accountId: number;
  readonly recipient: Address;
  readonly tokenId: number;
  readonly amount: bigint;
  /** Unix time in seconds. */
  readonly overdueAt: number;
}
