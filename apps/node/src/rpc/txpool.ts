import { viewTransaction, type TransactionView, type txpoolMethods } from '@tetrad/api-node';
import { maxGasPrice } from '@tetrad/node-execution';
import { AnswerBudget } from '@tetrad/node-queries';
import type { Handlers } from '@tetrad/rpc';
import type { Address, SignedTransaction } from '@tetrad/types';
import type { NodeParts } from './node-parts.js';

type BySender = ReadonlyMap<Address, readonly SignedTransaction[]>;

export function txpoolHandlers({
  pool,
  limits,
}: Pick<NodeParts, 'limits' | 'pool'>): Handlers<typeof txpoolMethods> {
  return {
    async txpool_content() {
      const { pending, queued } = await pool.content();
      const view = viewWithin(limits.answerBytes);
      return { pending: show(pending, view), queued: show(queued, view) };
    },
    async txpool_contentFrom([address]) {
      const { pending, queued } = await pool.content();
      const view = viewWithin(limits.answerBytes);
      return {
        pending: byNonce(pending.get(address) ?? [], view),
        queued: byNonce(queued.get(address) ?? [], view),
      };
    },
    async txpool_inspect() {
      const { pending, queued } = await pool.content();
      const budget = new AnswerBudget(limits.answerBytes);
      const line = (transaction: SignedTransaction) => {
        budget.spend(LINE_BYTES);
        return summarise(transaction);
      };
      return { pending: show(pending, line), queued: show(queued, line) };
    },
    async txpool_status() {
      const { pending, queued } = await pool.content();
      return { pending: count(pending), queued: count(queued) };
    },
  };
}

/** Minimum JSON size of a transaction without its data, and of a summary line. */
const VIEW_BYTES = 500;
const LINE_BYTES = 80;

/**
 * Encodes transactions until the answer is too large.
 * @throws RequestError RESPONSE_TOO_LARGE
 */
function viewWithin(bytes: number): (transaction: SignedTransaction) => TransactionView {
  const budget = new AnswerBudget(bytes);
  return (transaction) => {
    budget.spend(VIEW_BYTES + 2 * transaction.data.length);
    return viewTransaction(transaction);
  };
}

function show<T>(
  senders: BySender,
  one: (transaction: SignedTransaction) => T,
): Map<Address, Map<bigint, T>> {
  return new Map([...senders].map(([sender, transactions]) => [sender, byNonce(transactions, one)]));
}

function byNonce<T>(
  transactions: readonly SignedTransaction[],
  one: (transaction: SignedTransaction) => T,
): Map<bigint, T> {
  return new Map(transactions.map((transaction) => [transaction.nonce, one(transaction)]));
}

/** One line, as geth's inspection writes it. */
function summarise(transaction: SignedTransaction): string {
  const { to, value, gasLimit } = transaction;
  const price = maxGasPrice(transaction);
  return `${to ?? 'contract creation'}: ${value} wei + ${gasLimit} gas × ${price} wei`;
}

function count(senders: BySender): number {
  return [...senders.values()].reduce((sum, transactions) => sum + transactions.length, 0);
}
