import type { IsAllowed, NodeId } from '@tetrad/node-peer';
import type { Counter, Logger, Metrics } from '@tetrad/types';
import { LRUCache } from 'lru-cache';
import { connectionRejection } from './connection-rule.js';

/** Maximum number of nodes whose rejection is known to be logged. */
const REMEMBERED_NODES = 1_000;

/** Applies the rule, counts rejections, and logs the rejection of a node once until the node is allowed. */
export class ConnectionGate {
  private readonly logged = new LRUCache<string, true>({ max: REMEMBERED_NODES });
  private readonly rejections: Counter;

  constructor(
    private readonly parts: { readonly ownId: NodeId; readonly rule: IsAllowed; readonly logger: Logger },
    metrics: Metrics,
  ) {
    const help = 'Connections and messages of nodes without permission';
    this.rejections = metrics.counter('node_permission_refused_connections_total', help, ['direction']);
  }

  readonly isAllowed: IsAllowed = (request) => {
    const { nodeId, direction } = request;
    const key = `${direction} ${nodeId}`;
    if (this.parts.rule(request)) {
      this.logged.delete(key);
      return true;
    }
    this.rejections.increment({ direction });
    if (!this.logged.has(key)) {
      this.logged.set(key, true);
      this.parts.logger.warn(connectionRejection(this.parts.ownId, request));
    }
    return false;
  };
}
