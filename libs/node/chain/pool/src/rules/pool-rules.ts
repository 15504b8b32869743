import type { MayTransact } from '@tetrad/node-execution';
import { blockGasLimit } from './block-gas-limit.js';
import { funds } from './funds.js';
import { gasPrice } from './gas-price.js';
import { nonce } from './nonce.js';
import { permission } from './permission.js';
import type { SenderRule, StateRule, TransactionRule } from './pool-rule.js';
import { privateTransaction } from './private-transaction.js';
import { replacement } from './replacement.js';
import { senderCode } from './sender-code.js';
import { transactionSize } from './transaction-size.js';
import { wellFormed } from './well-formed.js';

/** The rules for a transaction, in this order; the limits come last (make-room.ts), since they may evict others. */
export interface PoolRules {
  readonly transaction: readonly TransactionRule[];
  readonly state: readonly StateRule[];
  readonly sender: readonly SenderRule[];
}

/** The rules of every chain, and the permission rule where transacting is restricted. */
export function poolRules(mayTransact?: MayTransact): PoolRules {
  return {
    transaction: [transactionSize, wellFormed, privateTransaction, blockGasLimit, gasPrice],
    state: mayTransact === undefined ? [] : [permission(mayTransact)],
    sender: [nonce, senderCode, funds, replacement],
  };
}
