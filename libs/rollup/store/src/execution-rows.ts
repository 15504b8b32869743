import type { MoneyOrder, Point } from '@tetrad/rollup-crypto';
import type { AccountVersion } from './account-rows.js';
import type { StoredBatch } from './batch-rows.js';

/** What executing operations changes; operations by their sequence number. */
export interface ExecutionWrite {
  readonly executed: readonly ExecutedOperation[];
  readonly rejected: readonly { readonly sequence: number; readonly reason: string }[];
  /** Those that wait for the nonces before theirs. */
  readonly waiting: readonly number[];
  readonly deposits: readonly ({ readonly index: number } & BatchPlace)[];
  readonly created: readonly {
    readonly publicKey: Point;
    readonly id: number;
    readonly createdHeight: number;
  }[];
  readonly versions: readonly AccountVersion[];
  /** Accounts that a batch leaves in a state that cannot be read, whatever `versions` has of them for the same batch. */
  readonly opaque: readonly Pick<AccountVersion, 'id' | 'batchHeight'>[];
  /** An order that cannot be read is a hash. */
  readonly orders: readonly {
    readonly totalIndex: number;
    readonly hash: bigint;
    readonly order: MoneyOrder | undefined;
  }[];
  readonly redeemed: readonly {
    readonly totalIndex: number;
    readonly batchHeight: number;
    readonly order: MoneyOrder;
  }[];
  /** Payments that are credited at once, and never redeemed. */
  readonly credits: readonly {
    readonly totalIndex: number;
    readonly batchHeight: number;
    readonly order: MoneyOrder;
  }[];
  readonly batches: readonly WrittenBatch[];
}

export interface BatchPlace {
  readonly batchHeight: number;
  readonly batchIndex: number;
}

export interface ExecutedOperation extends BatchPlace {
  readonly sequence: number;
  readonly accountId: number;
  /** Total index of the created or redeemed order. */
  readonly totalIndex: number | undefined;
}

export type WrittenBatch = Pick<
  StoredBatch,
  'height' | 'operations' | 'size' | 'inboundFrom' | 'inboundTo'
> & {
  readonly state: 'open' | 'sealed';
};
