import type { FreezeHistory } from '@tetrad/rollup-chain';
import type { Account } from '@tetrad/rollup-state';
import type { Address, Hash } from '@tetrad/types';
import type { RollupContract } from '../chain/rollup-contract.js';
import type { RollupKeys } from '../keys/rollup-keys.js';
import type { WantedTokens } from './wanted-tokens.js';

/** Units of a token that leave the rollup. */
export interface PlannedTransfer {
  readonly tokenId: number;
  readonly amount: bigint;
}

/** What an exit does, in the order in which it happens; each may be the last before an interruption. */
export type ExitProgress =
  | { readonly kind: 'reading'; readonly block: number }
  | { readonly kind: 'account'; readonly account: Account; readonly openOrders: number }
  | ({
      readonly kind: 'requesting' | 'requested';
      /** Total index of the order that is to be redeemed; absent for a transfer of a balance. */
      readonly order?: number;
      /** Earlier orders that are lost if the operator makes it. */
      readonly passed?: number;
    } & PlannedTransfer)
  /** Until a time of the chain, Unix time in seconds. */
  | { readonly kind: 'waiting'; readonly until: number }
  /** Of contracts with turns. */
  | { readonly kind: 'proving' | 'submitting'; readonly height: number }
  /** That the contract will be frozen, for the operator to see. */
  | { readonly kind: 'announcing' }
  | { readonly kind: 'freezing' }
  /** No batch comes after the one of this height; by whom, where the Ethereum client shows it. */
  | { readonly kind: 'frozen'; readonly height: number; readonly history?: FreezeHistory | undefined }
  | { readonly kind: 'claiming'; readonly recipient: Address }
  /** Whom the holder has named before, for good. */
  | { readonly kind: 'claimed'; readonly recipient: Address }
  | { readonly kind: 'withdrawing'; readonly what: 'balances' | 'orders'; readonly count: number }
  | { readonly kind: 'returning'; readonly deposits: number }
  /** Transactions of the payer from before, which are waited for. */
  | { readonly kind: 'pending'; readonly transactions: number }
  /** It is waited for until gas costs no more than the most that is paid, in wei. */
  | { readonly kind: 'dear'; readonly price: bigint; readonly most: bigint }
  | { readonly kind: 'sent'; readonly hash: Hash }
  | ({ readonly kind: 'left' } & PlannedTransfer)
  /** The call is not accepted now: the state is another one than was read, or others have the turn. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** What is too small to be asked for while the contract is served. */
  | { readonly kind: 'kept'; readonly orders: number; readonly balances: number }
  /** A payment that failed and is still owed by the contract. */
  | ({ readonly kind: 'owed' } & PlannedTransfer);

export interface ExitOptions {
  readonly contract: RollupContract;
  readonly keys: RollupKeys;
  /** Who is paid. */
  readonly recipient: Address;
  /** Secret key of the Ethereum account that sends the transactions and pays their gas; by default that of the keys. */
  readonly payerKey?: Uint8Array | undefined;
  /** Maximum fee for a unit of gas of withdrawals, which can wait; by default four times what it costs when they begin. */
  readonly maxFeePerGas?: bigint | undefined;
  /** Orders of fewer units are left; by default none are, but see `chooseRequest`. */
  readonly minimum?: bigint | undefined;
  /** Tokens that leave; the others stay, and no order of theirs is lost for one of these unless it is dust beside it. */
  readonly tokens?: WantedTokens;
  /** Block of the contract's creation, or one before. */
  readonly fromBlock: number;
  readonly signal: AbortSignal;
  onProgress(progress: ExitProgress): void;
  /** Waits for the chain; ends early when the signal comes. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
}
