import type { Address, Gauge, Log, Logger, Metrics, Receipt } from '@tetrad/types';
import type { PermissionAddresses, PermissionModel } from '@tetrad/node-permission-contracts';
import type { NodeEntry } from '../records/entries.js';
import type { NodeEvent, PermissionEvent } from '../records/events.js';
import type { PermissionRecords } from '../records/permission-records.js';
import { eventOf } from './event-of.js';

export interface RecordFollowerParts {
  readonly model: PermissionModel;
  readonly isRaft: boolean;
  readonly addresses: PermissionAddresses;
  /** Records after the head. */
  readonly records: PermissionRecords;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Called after each block with the nodes whose status its events gave, in their order; the records have them. */
  readonly onNodes: (nodes: readonly NodeEntry[]) => void;
}

/** Updates records to each new head, by the events of the contracts in its block. */
export class RecordFollower {
  private readonly sources: ReadonlySet<Address>;
  private readonly entries: Gauge;
  private readonly omitted: Gauge;

  constructor(private readonly parts: RecordFollowerParts) {
    const { implementation, orgManager, roleManager, accountManager, nodeManager } = parts.addresses;
    this.sources = new Set([implementation, orgManager, roleManager, accountManager, nodeManager]);
    const { metrics } = parts;
    this.entries = metrics.gauge('node_permission_records', 'Entries of the permission contracts', ['kind']);
    this.omitted = metrics.gauge(
      'node_permission_records_left_out',
      'Entries that were left out beyond the capacity',
    );
    this.report();
  }

  /**
   * Takes the receipts of the block after the last one.
   * @returns whether records changed
   */
  follow(receipts: readonly Pick<Receipt, 'logs'>[]): boolean {
    let changed = false;
    const nodes: NodeEntry[] = [];
    for (const { logs } of receipts) {
      for (const log of logs) if (this.sources.has(log.address)) changed = this.take(log, nodes) || changed;
    }
    if (nodes.length > 0) this.parts.onNodes(nodes);
    if (changed) this.report();
    return changed;
  }

  private take(log: Log, nodes: NodeEntry[]): boolean {
    const event = this.read(log);
    if (event === undefined) return false;
    this.parts.records.apply(event);
    if (isNodeEvent(event)) {
      const node = this.parts.records.nodesNamed(event.url).find(({ orgId }) => orgId === event.orgId);
      if (node !== undefined) nodes.push(node);
    }
    return true;
  }

  private read(log: Log): PermissionEvent | undefined {
    try {
      return eventOf(log, this.parts);
    } catch (error) {
      this.parts.logger.error('an event of the permission contracts cannot be read', {
        address: log.address,
        topic: log.topics[0],
        error,
      });
      return undefined;
    }
  }

  private report(): void {
    const { records } = this.parts;
    this.entries.set(records.orgs().length, { kind: 'orgs' });
    this.entries.set(records.roles().length, { kind: 'roles' });
    this.entries.set(records.nodes().length, { kind: 'nodes' });
    this.entries.set(records.accounts().length, { kind: 'accounts' });
    this.omitted.set(records.leftOut);
  }
}

function isNodeEvent(event: PermissionEvent): event is NodeEvent {
  return event.name.startsWith('Node');
}
