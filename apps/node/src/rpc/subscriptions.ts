import {
  headerCodec,
  logCodec,
  transactionCodec,
  viewHeader,
  viewLog,
  viewTransaction,
  type LogCriteria,
} from '@tetrad/api-node';
import type { Connection } from '@tetrad/rpc';
import { minedLogs } from '@tetrad/node-ledger';
import { RefusalError } from '@tetrad/types';
import { z } from 'zod';
import { newFilterId } from './filter-registry.js';
import { matches } from './log-query.js';
import type { NodeParts } from './node-parts.js';

type Kind = 'newHeads' | 'logs' | 'newPendingTransactions';
type Options = boolean | LogCriteria | undefined;

/** What connections asked to be told of; it ends with the connection. */
export class Subscriptions {
  private readonly byConnection = new Map<Connection, Map<string, () => void>>();

  constructor(private readonly parts: NodeParts) {}

  /** Fails: RefusalError SUBSCRIPTIONS_NEED_WEBSOCKET, TOO_MANY_SUBSCRIPTIONS. */
  add(connection: Connection | undefined, kind: Kind, options: Options): string {
    const own = this.of(connection);
    const limit = this.parts.limits.subscriptionsPerConnection;
    if (own.size >= limit)
      throw new RefusalError('TOO_MANY_SUBSCRIPTIONS', 'too many subscriptions', { limit });
    const id = newFilterId();
    const notify = (result: unknown) => connection?.notify('eth_subscription', { subscription: id, result });
    own.set(id, this.listen(kind, options, notify));
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

  private listen(kind: Kind, options: Options, notify: (result: unknown) => void): () => void {
    const { ledger, pool } = this.parts;
    if (kind === 'newHeads')
      return ledger.onBlock((block) => notify(z.encode(headerCodec, viewHeader(block))));
    if (kind === 'logs') {
      const criteria = typeof options === 'object' ? options : { addresses: [], topics: [] };
      return ledger.onBlock((block, receipts) => {
        for (const log of minedLogs(block, receipts)) {
          if (matches(log, criteria)) notify(z.encode(logCodec, viewLog(log)));
        }
      });
    }
    return pool.onTransaction((transaction) =>
      notify(options === true ? z.encode(transactionCodec, viewTransaction(transaction)) : transaction.hash),
    );
  }
}
