import {
  NOTICE_METHOD,
  batchNoticeCodec,
  progressNoticeCodec,
  receivedNoticeCodec,
  type rollupNoticeMethods,
} from '@tetrad/api-rollup-operator';
import { splitTotalIndex } from '@tetrad/rollup-crypto';
import type { AccountDirectory, FinalNews, ProgressNews, Subscriptions } from '@tetrad/rollup-operations';
import type { AccountProgress, StoredBatch, StoredMoneyOrder } from '@tetrad/rollup-store';
import type { Connection, Handlers } from '@tetrad/rpc';
import { z } from 'zod';
import type { AccessReader } from './bind-to-accounts.js';
import { hashOfWord, moneyOrderView } from './wire-records.js';

/** What the handlers of notices are built from. */
export interface NoticeParts {
  readonly accounts: Pick<AccountDirectory, 'get'>;
  readonly accessOf: AccessReader;
  readonly news: Pick<FinalNews, 'onBatch' | 'onReceived'>;
  readonly progress: Pick<ProgressNews, 'onProgress'>;
  readonly subscriptions: Subscriptions;
}

export function noticeHandlers({
  accounts,
  accessOf,
  news,
  progress,
  subscriptions,
}: NoticeParts): Handlers<typeof rollupNoticeMethods> {
  return {
    rollup_subscribeReceivedMoneyOrders: ([accountId], context) => {
      accessOf(context).assertCovers('accountId', accountId);
      return subscriptions.add(context.connection, async (id, connection) => {
        await accounts.get(accountId);
        return news.onReceived(accountId, (order) => notify(connection, id, receivedNotice(order)));
      });
    },
    rollup_subscribeAccountProgress: ([accountId], context) => {
      accessOf(context).assertCovers('accountId', accountId);
      return subscriptions.add(context.connection, async (id, connection) => {
        await accounts.get(accountId);
        return progress.onProgress(accountId, (one) => notify(connection, id, progressNotice(one)));
      });
    },
    rollup_subscribeFinalBatches: (_, { connection: from }) =>
      subscriptions.add(from, (id, connection) =>
        news.onBatch((batch) => notify(connection, id, batchNotice(batch))),
      ),
    rollup_unsubscribe: ([id], { connection }) => subscriptions.remove(connection, id),
  };
}

function notify(connection: Connection, subscription: string, result: unknown): void {
  connection.notify(NOTICE_METHOD, { subscription, result });
}

function receivedNotice({ order, totalIndex }: StoredMoneyOrder): unknown {
  const { batchHeight } = splitTotalIndex(totalIndex);
  const moneyOrder = moneyOrderView(order);
  return z.encode(receivedNoticeCodec, { moneyOrder, moneyOrderTotalIndex: totalIndex, batchHeight });
}

function progressNotice({ accountId, pendingOperations, ...known }: AccountProgress): unknown {
  const { executedNonce = null, provedNonce = null, finalNonce = null } = known;
  const { executedCredit = null, provedCredit = null, finalCredit = null } = known;
  return z.encode(progressNoticeCodec, {
    accountId,
    executedNonce,
    provedNonce,
    finalNonce,
    pendingOperations,
    executedCredit,
    provedCredit,
    finalCredit,
  });
}

function batchNotice({ height, roots, blockNumber, blockHash }: StoredBatch): unknown {
  if (roots === undefined || blockNumber === undefined || blockHash === undefined)
    throw new TypeError(`batch ${height} is not final`);
  const batchStateRootHash = hashOfWord(roots.state);
  return z.encode(batchNoticeCodec, { batchHeight: height, batchStateRootHash, blockNumber, blockHash });
}
