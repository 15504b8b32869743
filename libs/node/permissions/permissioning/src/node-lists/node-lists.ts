import { join } from 'node:path';
import type { NodeId } from '@tetrad/node-peer';
import type { Clock, Logger } from '@tetrad/types';
import { NODE_STATUS, type NodeEntry } from '../records/entries.js';
import { NodeListError, NodeListFile } from './node-list-file.js';

/** Milliseconds between checks of the files for changes by an operator. */
const REREAD_MS = 1_000;

export interface NodeListsOptions {
  /** Data folder of the node. */
  readonly folder: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called after each change of the listed nodes. */
  readonly onChange: () => void;
}

/**
 * `permissioned-nodes.json` and `disallowed-nodes.json` of the data folder, as they are on the disk: the nodes that may
 * connect while no contract decides.
 */
export class NodeLists {
  readonly permissioned: NodeListFile;
  readonly disallowed: NodeListFile;
  private cancel: () => void = () => undefined;
  private isStopped = false;
  private lastTrouble: string | undefined;
  private changes: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: NodeListsOptions) {
    this.permissioned = new NodeListFile(join(options.folder, 'permissioned-nodes.json'));
    this.disallowed = new NodeListFile(join(options.folder, 'disallowed-nodes.json'));
  }

  /**
   * Reads both files and follows them from then on.
   * @throws NodeListError naming the file
   */
  async start(): Promise<void> {
    await this.readBoth();
    if (!this.permissioned.exists)
      this.options.logger.warn('no file of permitted nodes, so it allows no node to connect', {
        path: this.permissioned.path,
      });
    this.wait();
  }

  /** Stops following the files; resolves when pending writes are finished. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.cancel();
    await this.changes;
  }

  /** Whether the files allow the node to connect; false for every node without a file of permitted ones. */
  allows(nodeId: NodeId): boolean {
    return this.permissioned.has(nodeId) && !this.disallowed.has(nodeId);
  }

  /** Why a file cannot be read; undefined while both can. */
  trouble(): string | undefined {
    return this.lastTrouble;
  }

  /**
   * Updates the files to the status of nodes, in their order; calls are sequential (docs/spec/permissions.md#files-of-nodes). A missing
   * file of permitted nodes is not created.
   */
  apply(nodes: readonly Pick<NodeEntry, 'url' | 'status'>[]): Promise<void> {
    const change = this.changes.then(() => this.write(nodes)).catch((error) => this.complain(error));
    this.changes = change;
    return change;
  }

  /** Both files, also when one of them has a fault: a node that must not connect is kept out by either. */
  private async write(nodes: readonly Pick<NodeEntry, 'url' | 'status'>[]): Promise<void> {
    const { approved, denylisted, deactivated } = NODE_STATUS;
    const changesBy = (statuses: readonly number[], listed: number) =>
      nodes.flatMap(({ url, status }) =>
        statuses.includes(status) ? [{ url, isListed: status === listed }] : [],
      );
    const disallowed = changesBy([approved, denylisted], denylisted);
    const permitted = changesBy([approved, denylisted, deactivated], approved);
    if (permitted.length === 0) return;
    const orCreate = disallowed.some(({ isListed }) => isListed);
    const written = await Promise.allSettled([
      this.disallowed.change(disallowed, { orCreate }),
      this.permissioned.change(permitted),
    ]);
    this.options.onChange();
    for (const one of written) if (one.status === 'rejected') throw one.reason;
  }

  private wait(): void {
    if (this.isStopped) return;
    this.cancel = this.options.clock.schedule(REREAD_MS, () => {
      void this.reread().then(() => this.wait());
    });
  }

  private async reread(): Promise<void> {
    try {
      if (await this.readBoth()) this.options.onChange();
      this.lastTrouble = undefined;
    } catch (error) {
      this.complain(error);
    }
  }

  private async readBoth(): Promise<boolean> {
    const changed = await Promise.all([this.permissioned.read(), this.disallowed.read()]);
    return changed.includes(true);
  }

  /** Logs each error once, since the files are checked every second. */
  private complain(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (message === this.lastTrouble) return;
    this.lastTrouble = message;
    const text = 'a list of nodes cannot be used; the last one that could be read stays in force';
    if (error instanceof NodeListError) this.options.logger.error(text, { reason: message });
    else this.options.logger.error(text, { error });
  }
}
