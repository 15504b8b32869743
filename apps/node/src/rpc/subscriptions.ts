import {
  headerCodec,
  logCodec,
  transactionCodec,
  viewHeader,
  viewLog,
  viewTransaction,
  receiptCodec,
  viewReceipt,
  type LogCriteria,
  type ReceiptsQuery,
  type SubscriptionKind,
} from '@tetrad/api-node';
import {
  BlockTeller,
  SyncWatch,
  type CriteriaSpace,
  type ToldBlock,
  matches,
  newFilterId,
} from '@tetrad/node-queries';
import type { Connection } from '@tetrad/rpc';
import { RefusalError, type Block } from '@tetrad/types';
import { z } from 'zod';
import type { NodeParts } from './node-parts.js';

type Options = boolean | LogCriteria | ReceiptsQuery | undefined;

type SubscriptionParts = Pick<
  NodeParts,
  'clock' | 'ledger' | 'limits' | 'logger' | 'peers' | 'pool' | 'privacy' | 'privateState' | 'receipts'
>;

/** What connections asked to be told of; it ends with the connection. */
export class Subscriptions {
  private readonly byConnection = new Map<Connection, Map<string, () => void>>();
  private count = 0;
  /** The block that was told of last, as it is told. */
  private lastHead: { readonly block: Block; readonly view: unknown } | undefined;

  private readonly sync: SyncWatch;
  private readonly teller: BlockTeller;

  constructor(
    private readonly parts: SubscriptionParts,
    private readonly criteria: CriteriaSpace,
  ) {
    this.sync = new SyncWatch(parts);
    this.teller = new BlockTeller({ ...parts, follower: parts.privacy.own?.follower });
  }

  /** Fails: RefusalError SUBSCRIPTIONS_NEED_WEBSOCKET, TOO_MANY_SUBSCRIPTIONS. */
  add(connection: Connection | undefined, kind: SubscriptionKind, options: Options): string {
    const own = this.of(connection);
    const { subscriptionsPerConnection: limit, filters } = this.parts.limits;
    if (own.size >= limit || this.count >= filters)
      throw new RefusalError('TOO_MANY_SUBSCRIPTIONS', 'too many subscriptions', { limit });
    const wanted = typeof options === 'object' ? options : undefined;
    if (!this.criteria.take(wanted))
      throw new RefusalError(
        'TOO_MANY_SUBSCRIPTIONS',
        'too many addresses, topics and hashes in all subscriptions',
      );
    const id = newFilterId();
    const notify = (result: unknown) => connection?.notify('eth_subscription', { subscription: id, result });
    const stop = this.listen(kind, options, notify);
    this.count++;
    own.set(id, () => {
      stop();
      this.count--;
      this.criteria.giveBack(wanted);
    });
    return id;
  }

  /** Fails: RefusalError SUBSCRIPTIONS_NEED_WEBSOCKET, SUBSCRIPTION_NOT_FOUND. */
  remove(connection: Connection | undefined, id: string): boolean {
    const own = this.of(connection);
    const stop = own.get(id);
    if (stop === undefined) throw new RefusalError('SUBSCRIPTION_NOT_FOUND', 'subscription not found');
    stop();
    return own.delete(id);
  }

  private of(connection: Connection | undefined): Map<string, () => void> {
    if (connection === undefined) {
      throw new RefusalError('SUBSCRIPTIONS_NEED_WEBSOCKET', 'notifications not supported');
    }
    let own = this.byConnection.get(connection);
    if (own === undefined) {
      const created = new Map<string, () => void>();
      own = created;
      this.byConnection.set(connection, created);
      connection.onClose(() => {
        for (const stop of created.values()) stop();
        this.byConnection.delete(connection);
      });
    }
    return own;
  }

  /** Once for all who are told of it. */
  private viewHead(block: Block): unknown {
    if (this.lastHead?.block !== block)
      this.lastHead = { block, view: z.encode(headerCodec, viewHeader(block)) };
    return this.lastHead.view;
  }

  private listen(kind: SubscriptionKind, options: Options, notify: (result: unknown) => void): () => void {
    const { ledger, pool } = this.parts;
    if (kind === 'newHeads') return ledger.onBlock((block) => notify(this.viewHead(block)));
    if (kind === 'syncing') return this.sync.onChange(notify);
    if (kind === 'transactionReceipts') return this.teller.onBlock(receiptTeller(options, notify));
    if (kind === 'logs') {
      const criteria =
        typeof options === 'object' && 'topics' in options ? options : { addresses: [], topics: [] };
      return this.teller.onBlock(({ logs }) => {
        for (const log of logs) {
          if (matches(log, criteria)) notify(z.encode(logCodec, viewLog(log)));
        }
      });
    }
    return pool.onTransaction((transaction) =>
      notify(options === true ? z.encode(transactionCodec, viewTransaction(transaction)) : transaction.hash),
    );
  }
}

/** Tells of the receipts of a block that are wanted, in one notification; of none when no one is (as geth). */
function receiptTeller(options: Options, notify: (result: unknown) => void) {
  const hashes =
    typeof options === 'object' && 'transactionHashes' in options ? options.transactionHashes : null;
  const wanted = hashes === null || hashes.length === 0 ? undefined : new Set(hashes);
  return ({ receipts }: ToldBlock) => {
    const told = receipts.filter(({ transaction }) => wanted === undefined || wanted.has(transaction.hash));
    if (told.length > 0) notify(told.map((receipt) => z.encode(receiptCodec, viewReceipt(receipt))));
  };
}
