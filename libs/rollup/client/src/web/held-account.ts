/** An order for the account. */
export interface RollupOrder {
  /** By which it is redeemed. */
  readonly totalIndex: number;
  readonly fromAccountId: number;
  readonly tokenId: number;
  /** Units of the rollup. */
  readonly amount: bigint;
}

/** An operation that the operator has accepted. */
export interface AcceptedOperation {
  readonly hash: `0x${string}`;
  readonly nonce: number;
}

/** What became of an operation whose answer was lost. */
export interface SettledRollupOperation {
  readonly hash: `0x${string}`;
  readonly method: string;
  /** Whether the operator has it now. */
  readonly isAccepted: boolean;
  /** Why not. */
  readonly reason: string | undefined;
}

/** The final state of an account, proved against the contract. */
export interface ProvedRollupState {
  /** Height of the batch. */
  readonly height: number;
  /** Nonce of the latest operation; 0 before the first. */
  readonly nonce: number;
  /** Those above 0, by token id. */
  readonly balances: ReadonlyMap<number, bigint>;
}

/** An account of the rollup in the hands of its owner. Amounts are units of the rollup, from 1 to 2^64 − 1. */
export interface HeldAccount {
  readonly id: number;
  /** The latest final state, with proofs checked. */
  state(): Promise<ProvedRollupState>;
  /** Pays another account. */
  send(payment: {
    readonly toAccountId: number;
    readonly tokenId: number;
    readonly amount: bigint;
    /** Whether it may be credited where its receiver has a consent: payer and receiver are public then. */
    readonly isDirect?: boolean;
  }): Promise<AcceptedOperation>;
  /** Orders that can be redeemed, in the order in which they must be, as the operator says; `redeem` checks them. */
  redeemable(): AsyncIterable<RollupOrder>;
  /** An order for the account, with its proof checked. */
  received(totalIndex: number): Promise<RollupOrder>;
  /** Turns a received order into balance, after checking its proof. */
  redeem(totalIndex: number): Promise<AcceptedOperation>;
  /** Pays an address of the chain. */
  withdraw(transfer: {
    readonly to: `0x${string}`;
    readonly tokenId: number;
    readonly amount: bigint;
  }): Promise<AcceptedOperation>;
  /** Finds out about operations whose answer was lost; nothing else is signed before. */
  settle(): Promise<readonly SettledRollupOperation[]>;
  /** Closes the journal, so that another page can open it. */
  close(): Promise<void>;
}
