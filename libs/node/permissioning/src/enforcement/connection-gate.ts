import type { IsAllowed, NodeId } from '@tetrad/node-peer';
import type { Counter, Logger, Metrics } from '@tetrad/types';
import { LRUCache } from 'lru-cache';
import { connectionRejection } from './connection-rule.js';

/** Nodes of which is remembered that their rejection was told. */
const REMEMBERED_NODES = 1_000;

/** Asks the rule, counts rejections, and tells of each refused node once until it is let in. */
export class ConnectionGate {
  private readonly told = new LRUCache<string, true>({ max: REMEMBERED_NODES });
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
      this.told.delete(key);
      return true;
    }
    this.rejections.increment({ direction });
    if (!this.told.has(key)) {
      this.told.set(key, true);
      this.parts.logger.warn(connectionRejection(this.parts.ownId, request));
    }
    return false;
  };
}
