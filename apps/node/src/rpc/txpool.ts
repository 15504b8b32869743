import { viewTransaction, type txpoolMethods } from '@tetrad/api-node';
import { maxGasPrice } from '@tetrad/node-execution';
import type { Handlers } from '@tetrad/rpc';
import type { Address, SignedTransaction } from '@tetrad/types';
import type { NodeParts } from './node-parts.js';

type BySender = ReadonlyMap<Address, readonly SignedTransaction[]>;

export function txpoolHandlers({ pool }: NodeParts): Handlers<typeof txpoolMethods> {
  return {
    async txpool_content() {
      const { pending, queued } = await pool.content();
      return { pending: show(pending, viewOne), queued: show(queued, viewOne) };
    },
    async txpool_contentFrom([address]) {
      const { pending, queued } = await pool.content();
      return {
        pending: byNonce(pending.get(address) ?? [], viewOne),
        queued: byNonce(queued.get(address) ?? [], viewOne),
      };
    },
    async txpool_inspect() {
      const { pending, queued } = await pool.content();
      return { pending: show(pending, summarise), queued: show(queued, summarise) };
    },
    async txpool_status() {
      const { pending, queued } = await pool.content();
      return { pending: count(pending), queued: count(queued) };
    },
  };
}

const viewOne = (transaction: SignedTransaction) => viewTransaction(transaction);

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
