import { viewLog, type LogCriteria, type ethFilterMethods } from '@tetrad/api-node';
import { CriteriaSpace, FilterRegistry, LogQuery, RecentEntries, assertRange } from '@tetrad/node-queries';
import type { Handlers } from '@tetrad/rpc';
import { RefusalError, type Hash, type MinedLog } from '@tetrad/types';
import type { NodeParts } from './node-parts.js';
import { Subscriptions } from './subscriptions.js';

/** Blocks and transactions that one poll of a filter tells of; a client that does not poll misses the oldest. */
const MAX_BLOCK_HASHES = 10_000;
const MAX_TRANSACTION_HASHES = 100_000;

export function filterHandlers(
  parts: Pick<
    NodeParts,
    'clock' | 'ledger' | 'limits' | 'logger' | 'peers' | 'pool' | 'privacy' | 'privateState' | 'receipts'
  >,
): Handlers<typeof ethFilterMethods> {
  const { ledger, limits, clock } = parts;
  const query = new LogQuery(parts);
  const criteria = new CriteriaSpace();
  const filters = new FilterRegistry({
    ...{ limit: limits.filters, expiryMs: limits.filterExpiryMs },
    ...{ clock, criteria },
  });
  const subscriptions = new Subscriptions(parts, criteria);
  const blocks = new RecentEntries<Hash>(MAX_BLOCK_HASHES);
  const transactions = new RecentEntries<Hash>(MAX_TRANSACTION_HASHES);
  ledger.onBlock(({ hash }) => blocks.add(hash));
  parts.pool.onTransaction(({ hash }) => transactions.add(hash));
  const nextBlock = () => ledger.head().header.number + 1;

  return {
    eth_getLogs: async ([wanted]) => (await query.run(wanted)).map(viewLog),
    eth_newFilter([wanted]) {
      assertRange(wanted);
      return filters.add({ kind: 'logs', criteria: wanted, nextBlock: nextBlock() });
    },
    eth_newBlockFilter: () => filters.add({ kind: 'blocks', next: blocks.end }),
    eth_newPendingTransactionFilter: () => filters.add({ kind: 'transactions', next: transactions.end }),
    async eth_getFilterChanges([id]) {
      const filter = filters.get(id);
      if (filter.kind !== 'logs') {
        const recent = filter.kind === 'blocks' ? blocks : transactions;
        const hashes = recent.since(filter.next);
        filter.next = recent.end;
        return hashes;
      }
      const [from, next] = [filter.nextBlock, nextBlock()];
      // One that polls twice at a time hears of a block once; one that is refused asks for it again.
      filter.nextBlock = next;
      try {
        return (await newLogs(query, filter.criteria, { from, to: next - 1 })).map(viewLog);
      } catch (error) {
        filter.nextBlock = Math.min(filter.nextBlock, from);
        throw error;
      }
    },
    async eth_getFilterLogs([id]) {
      const filter = filters.get(id);
      if (filter.kind !== 'logs') throw new RefusalError('FILTER_NOT_FOUND', 'filter not found');
      return (await query.run(filter.criteria)).map(viewLog);
    },
    eth_uninstallFilter: ([id]) => filters.remove(id),
    eth_subscribe: ([kind, options], { connection }) => subscriptions.add(connection, kind, options),
    eth_unsubscribe: ([id], { connection }) => subscriptions.remove(connection, id),
  };
}

/** Logs of the blocks since the last poll, within the range of the filter. */
function newLogs(
  query: LogQuery,
  criteria: LogCriteria,
  since: { from: number; to: number },
): Promise<MinedLog[]> {
  const { fromBlock, toBlock, addresses, topics } = criteria;
  const from = typeof fromBlock === 'number' ? Math.max(fromBlock, since.from) : since.from;
  const to = typeof toBlock === 'number' ? Math.min(toBlock, since.to) : since.to;
  return from > to ? Promise.resolve([]) : query.search({ fromBlock: from, toBlock: to, addresses, topics });
}
