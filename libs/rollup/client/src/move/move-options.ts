import type { Address, Hash } from '@tetrad/types';
import type { RollupContract } from '../chain/rollup-contract.js';
import type { ExitProgress } from '../exit/exit-options.js';
import type { RollupKeys } from '../keys/rollup-keys.js';
import type { OperatorClient } from '../operator/operator-client.js';
import type { JournalStore } from '../account/journal-store.js';
import type { MoveFile } from './move-file.js';

/** What a move waits for: others have to do it. */
export type Awaited =
  /** Operations of the account that are not final. */
  | 'operations'
  /** Deposits of the account that no batch has taken. */
  | 'deposits'
  /** The account in the successor. */
  | 'account'
  /** Transactions of the address that are not mined. */
  | 'transactions'
  /** Events of a block of which the Ethereum client has the state. */
  | 'events';

/** What a move does, in the order in which it happens; each may be the last before an interruption. */
export type MoveProgress =
  | ExitProgress
  /** The file is written: block and height from which the move counts. */
  | { readonly kind: 'began'; readonly block: number; readonly height: number }
  /** Deposits for the account by others, which are not of the move. */
  | { readonly kind: 'foreignDeposit'; readonly index: number; readonly from: Address }
  | { readonly kind: 'registering' }
  /** Id of the account in the successor. */
  | { readonly kind: 'registered'; readonly id: number }
  /** An operation of before whose answer was lost. */
  | { readonly kind: 'settled'; readonly hash: Hash; readonly isAccepted: boolean }
  | { readonly kind: 'awaiting'; readonly what: Awaited }
  /** An operation that the operator has accepted; of a token of the rollup that is left, in its units. */
  | {
      readonly kind: 'redemption' | 'transfer';
      readonly hash: Hash;
      readonly tokenId: number;
      readonly amount: bigint;
    }
  /** Of a token of the successor, in its units. */
  | {
      readonly kind: 'approving' | 'depositing' | 'deposited';
      readonly tokenId: number;
      readonly amount: bigint;
    };

export interface MoveOptions {
  /** The rollup that is left. */
  readonly contract: RollupContract;
  /** Verified by the caller. */
  readonly successor: RollupContract;
  readonly keys: RollupKeys;
  readonly file: MoveFile;
  /** Token ids of the rollup that is left; undefined for all. */
  readonly tokens: ReadonlySet<number> | undefined;
  /** Orders of fewer units of the rollup that is left stay there, but for those that its operator redeems before others; by default none do. */
  readonly minimum?: bigint | undefined;
  /** Operator of the rollup that is left. */
  readonly operator: OperatorClient;
  /** Makes the account in the successor; not needed where it is. */
  readonly successorOperator?: OperatorClient | undefined;
  /** Opens the journal of the account in the rollup that is left. */
  openJournal(): Promise<JournalStore>;
  /** Leaves by requests on the contract, and freezes it where they are overdue, in place of asking the operator. */
  readonly byChain: boolean;
  /** Blocks of the creations of the two contracts, or ones before. */
  readonly fromBlock: number;
  readonly successorFromBlock: number;
  /** As of an exit. */
  readonly maxFeePerGas?: bigint | undefined;
  /** After so many ms without any change an operator is said not to serve. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  onProgress(progress: MoveProgress): void;
  /** Waits for the chain and the operators; ends early when the signal comes. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
}
