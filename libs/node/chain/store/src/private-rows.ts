import type { Address, Hash } from '@tetrad/types';
import type { ExtensionChanges } from './extension-rows.js';
import type { StoredRepair } from './repair-rows.js';
import type { BlockWrite, StoredLog } from './ledger-rows.js';

/** The block up to which the chain's private transactions were executed here. */
export interface PrivateHead {
  readonly number: number;
  readonly hash: Hash;
}

/** What a private transaction did here besides its receipt, which parties compare. */
export interface StoredPrivateEffects {
  readonly gasUsed: bigint;
  /** Private contracts that were entered, created or named, ascending. */
  readonly entered: readonly Address[];
}

/** A mined private transaction that this node is a party to, and its result here. */
export interface StoredPrivateReceipt {
  readonly blockNumber: number;
  /** Index of the transaction in the block. */
  readonly index: number;
  /** Hash of the transaction in the block, which may be a marker. */
  readonly hash: Hash;
  /** The executed transaction: the one in the block, or the one behind the marker. */
  readonly raw: Uint8Array;
  readonly sender: Address;
  readonly status: 0 | 1;
  readonly contractAddress?: Address;
  /** Return data of a revert; empty otherwise. */
  readonly returnData: Uint8Array;
  /** Index in the block of the first log, and how many there are; they are numbered behind the public ones. */
  readonly firstLog: number;
  readonly logCount: number;
  /** Undefined for a result that was stored by a version before. */
  readonly effects: StoredPrivateEffects | undefined;
}

/** A contract that was created with a privacy flag other than 0, or extended since. */
export interface StoredPrivateContract {
  readonly address: Address;
  /** Of the payload that created it, or of its state when it was extended last; 64 bytes. */
  readonly creation: Uint8Array;
  readonly privacyFlag: number;
}

/** Everything that is stored with a block's private transactions. */
export interface PrivateBlockWrite extends Pick<BlockWrite, 'nodes' | 'codes' | 'preimages'> {
  readonly stateRoot: Hash;
  readonly receipts: readonly StoredPrivateReceipt[];
  readonly logs: readonly StoredLog[];
  readonly contracts: readonly StoredPrivateContract[];
  readonly extensions: ExtensionChanges;
  /** Contracts that were replaced at the end of the block. */
  readonly repairs?: readonly StoredRepair[];
}
