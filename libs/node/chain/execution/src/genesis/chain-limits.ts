import type { Transition } from './transitions.js';

/** Bounds on transactions that may change at a block; absent ones stay as they were. */
export interface ChainLimits {
  /** Bytes of deployed code; EIP-170's 24,576 when absent. */
  readonly maxCodeSize?: number | undefined;
  /** Bytes of a transaction; the pool's own limit when absent. */
  readonly maxTransactionSize?: number | undefined;
  /** Gas limit of a transaction, infinite for none but the block's; the fork's (EIP-7825 from Osaka on) when absent. */
  readonly maxTransactionGas?: number | undefined;
  /** Whether no transaction may offer a gas price, as on GoQuorum networks unless they enable it. */
  readonly isGasFree?: boolean | undefined;
}

/** Limits with the block from which they hold; those further down the list override. */
export interface LimitChange extends ChainLimits {
  /** Number of the first block with the limits. */
  readonly block: number;
}

/** The limits at a block. */
export function limitsAt(changes: readonly LimitChange[], blockNumber: number): ChainLimits {
  const limits: { -readonly [Key in keyof ChainLimits]: ChainLimits[Key] } = {};
  for (const { block, ...change } of changes) {
    if (block > blockNumber) continue;
    limits.maxCodeSize = change.maxCodeSize ?? limits.maxCodeSize;
    limits.maxTransactionSize = change.maxTransactionSize ?? limits.maxTransactionSize;
    limits.maxTransactionGas = change.maxTransactionGas ?? limits.maxTransactionGas;
    limits.isGasFree = change.isGasFree ?? limits.isGasFree;
  }
  return limits;
}

/** The limits that transitions set. */
export function limitsOf(transitions: readonly Transition[]): readonly LimitChange[] {
  return transitions.map(({ block, maxCodeSize, maxTransactionSize, gasPriceEnabled }) => ({
    block,
    maxCodeSize,
    maxTransactionSize,
    isGasFree: gasPriceEnabled === undefined ? undefined : !gasPriceEnabled,
  }));
}
