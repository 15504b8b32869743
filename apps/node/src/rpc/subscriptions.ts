import {
  headerCodec,
  logCodec,
  receiptCodec,
  transactionCodec,
  viewHeader,
  viewLog,
  viewReceipt,
  viewTransaction,
  type LogCriteria,
  type ReceiptsQuery,
  type SubscriptionKind,
} from '@tetrad/api-node';
import {
  BlockNotifier,
  SubscriptionRegistry,
  SyncWatch,
  matches,
  receiptFilter,
  type CriteriaSpace,
} from '@tetrad/node-queries';
import type { Connection } from '@tetrad/rpc';
import type { Block } from '@tetrad/types';
import { z } from 'zod';
import type { NodeParts } from './node-parts.js';

type Options = boolean | LogCriteria | ReceiptsQuery | undefined;
type Notify = (result: unknown) => void;

type SubscriptionParts = Pick<
  NodeParts,
  'clock' | 'ledger' | 'limits' | 'logger' | 'peers' | 'pool' | 'privacy' | 'privateState' | 'receipts'
>;

const EVERY_LOG = { addresses: [], topics: [] };

/** Subscriptions of connections, with notifications in JSON. */
export class Subscriptions {
  private readonly registry: SubscriptionRegistry;
  private readonly sync: SyncWatch;
  private readonly notifier: BlockNotifier;
  /** The last notified block, and its JSON. */
  private lastHead: { readonly block: Block; readonly view: unknown } | undefined;

  constructor(
    private readonly parts: SubscriptionParts,
    criteria: CriteriaSpace,
  ) {
    const { subscriptionsPerConnection: perConnection, filters: total } = parts.limits;
    this.registry = new SubscriptionRegistry({ limits: { perConnection, total }, criteria });
    this.sync = new SyncWatch(parts);
    this.notifier = new BlockNotifier({ ...parts, follower: parts.privacy.own?.follower });
  }

  /** @throws RequestError SUBSCRIPTIONS_NEED_WEBSOCKET, TOO_MANY_SUBSCRIPTIONS */
  add(connection: Connection | undefined, kind: SubscriptionKind, options: Options): string {
    return this.registry.add(connection, {
      criteria: typeof options === 'object' ? options : undefined,
      listen: (subscription) =>
        this.listen(kind, options, (result) =>
          connection?.notify('eth_subscription', { subscription, result }),
        ),
    });
  }

  /**
   * Notifies once.
   * @param find - what is notified; the signal says that the caller has gone
   * @throws RequestError SUBSCRIPTIONS_NEED_WEBSOCKET, TOO_MANY_SUBSCRIPTIONS
   */
  addOnce(connection: Connection | undefined, find: (signal: AbortSignal) => Promise<unknown>): string {
    return this.registry.add(connection, {
      criteria: undefined,
      listen: (subscription) => {
        const ended = new AbortController();
        void find(ended.signal).then((result) => {
          if (!ended.signal.aborted) connection?.notify('eth_subscription', { subscription, result });
        });
        return () => ended.abort();
      },
    });
  }

  /** @throws RequestError SUBSCRIPTIONS_NEED_WEBSOCKET, SUBSCRIPTION_NOT_FOUND */
  remove(connection: Connection | undefined, id: string): boolean {
    return this.registry.remove(connection, id);
  }

  private listen(kind: SubscriptionKind, options: Options, notify: Notify): () => void {
    const { ledger, pool } = this.parts;
    if (kind === 'newHeads') return ledger.onBlock((block) => notify(this.viewHead(block)));
    if (kind === 'syncing') return this.sync.onChange(notify);
    if (kind === 'transactionReceipts') return this.listenToReceipts(options, notify);
    if (kind === 'logs') return this.listenToLogs(options, notify);
    return pool.onTransaction((transaction) =>
      notify(options === true ? z.encode(transactionCodec, viewTransaction(transaction)) : transaction.hash),
    );
  }

  /** Encodes a head once for all subscribers. */
  private viewHead(block: Block): unknown {
    if (this.lastHead?.block !== block)
      this.lastHead = { block, view: z.encode(headerCodec, viewHeader(block)) };
    return this.lastHead.view;
  }

  private listenToLogs(options: Options, notify: Notify): () => void {
    const criteria = typeof options === 'object' && 'topics' in options ? options : EVERY_LOG;
    return this.notifier.onBlock(({ logs }) => {
      for (const log of logs) {
        if (matches(log, criteria)) notify(z.encode(logCodec, viewLog(log)));
      }
    });
  }

  /** The receipts of a block go in one notification, which is omitted when none is wanted (as geth). */
  private listenToReceipts(options: Options, notify: Notify): () => void {
    const pick = receiptFilter(
      typeof options === 'object' && 'transactionHashes' in options ? options.transactionHashes : null,
    );
    return this.notifier.onBlock((notified) => {
      const receipts = pick(notified);
      if (receipts.length > 0)
        notify(receipts.map((receipt) => z.encode(receiptCodec, viewReceipt(receipt))));
    });
  }
}
