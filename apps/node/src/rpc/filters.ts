import { viewLog, type agreementMethods, type ethFilterMethods } from '@tetrad/api-node';
import { CriteriaSpace, FilterPoll, LogQuery, shareOwner } from '@tetrad/node-queries';
import type { Handlers } from '@tetrad/rpc';
import { agreementIn, viewAwaited } from './agreement.js';
import type { NodeParts } from './node-parts.js';
import { Subscriptions } from './subscriptions.js';

/** Of a subscription that names no time. */
const USUAL_WAIT_MS = 60_000;

export function filterHandlers(
  parts: Pick<
    NodeParts,
    | 'agreement'
    | 'clock'
    | 'ledger'
    | 'limits'
    | 'logger'
    | 'peers'
    | 'pool'
    | 'privacy'
    | 'privateState'
    | 'receipts'
  >,
): Handlers<typeof ethFilterMethods & Pick<typeof agreementMethods, 'privacy_subscribeAgreement'>> {
  const query = new LogQuery(parts);
  const criteria = new CriteriaSpace();
  const filters = new FilterPoll({ ...parts, criteria, query });
  const subscriptions = new Subscriptions(parts, criteria);

  return {
    eth_getLogs: async ([wanted]) => (await query.run(wanted)).map(viewLog),
    eth_newFilter: ([wanted], caller) => filters.addLogs(wanted, shareOwner(caller)),
    eth_newBlockFilter: (_params, caller) => filters.addBlocks(shareOwner(caller)),
    eth_newPendingTransactionFilter: (_params, caller) => filters.addTransactions(shareOwner(caller)),
    async eth_getFilterChanges([id]) {
      const changes = await filters.changes(id);
      return changes.kind === 'hashes' ? [...changes.hashes] : changes.logs.map(viewLog);
    },
    eth_getFilterLogs: async ([id]) => (await filters.logs(id)).map(viewLog),
    eth_uninstallFilter: ([id]) => filters.remove(id),
    eth_subscribe: ([kind, options], { connection }) => subscriptions.add(connection, kind, options),
    privacy_subscribeAgreement: ([hash, wait = USUAL_WAIT_MS], { connection }) => {
      const { waiter } = agreementIn(parts);
      return subscriptions.addOnce(connection, async (signal) =>
        viewAwaited(await waiter.wait(hash, wait, signal)),
      );
    },
    eth_unsubscribe: ([id], { connection }) => subscriptions.remove(connection, id),
  };
}
