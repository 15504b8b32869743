import { viewLog, type LogCriteria, type ethFilterMethods } from '@tetrad/api-node';
import type { Handlers } from '@tetrad/rpc';
import { RefusalError, type Hash, type MinedLog } from '@tetrad/types';
import { FilterRegistry } from './filter-registry.js';
import { LogQuery } from './log-query.js';
import type { NodeParts } from './node-parts.js';
import { Subscriptions } from './subscriptions.js';

/** Blocks that one poll of a block filter tells of. */
const MAX_BLOCK_HASHES = 10_000;

export function filterHandlers(parts: NodeParts): Handlers<typeof ethFilterMethods> {
  const { ledger, limits, clock } = parts;
  const query = new LogQuery(parts);
  const filters = new FilterRegistry({ limit: limits.filters, expiryMs: limits.filterExpiryMs, clock });
  const subscriptions = new Subscriptions(parts);
  parts.pool.onTransaction(({ hash }) => filters.noteTransaction(hash));
  const nextBlock = () => ledger.head().header.number + 1;

  return {
    eth_getLogs: async ([criteria]) => (await query.run(criteria)).map(viewLog),
    eth_newFilter([criteria]) {
      assertRange(criteria);
      return filters.add({ kind: 'logs', criteria, nextBlock: nextBlock() });
    },
    eth_newBlockFilter: () => filters.add({ kind: 'blocks', nextBlock: nextBlock() }),
    eth_newPendingTransactionFilter: () => filters.add({ kind: 'transactions', hashes: [] }),
    async eth_getFilterChanges([id]) {
      const filter = filters.get(id);
      if (filter.kind === 'transactions') return filter.hashes.splice(0);
      const from = filter.nextBlock;
      filter.nextBlock = nextBlock();
      if (filter.kind === 'blocks') return blockHashes(parts, from, filter.nextBlock);
      return (await newLogs(query, filter.criteria, { from, to: filter.nextBlock - 1 })).map(viewLog);
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

function assertRange({ fromBlock, toBlock }: LogCriteria): void {
  if (typeof fromBlock === 'number' && typeof toBlock === 'number' && fromBlock > toBlock) {
    throw new RefusalError('INVALID_BLOCK_RANGE', 'invalid block range params');
  }
}

async function blockHashes({ ledger }: NodeParts, from: number, end: number): Promise<Hash[]> {
  const first = Math.max(from, end - MAX_BLOCK_HASHES);
  const blocks = await Promise.all(
    Array.from({ length: end - first }, (_, index) => ledger.findBlock(first + index)),
  );
  return blocks.flatMap((block) => (block === undefined ? [] : [block.hash]));
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
