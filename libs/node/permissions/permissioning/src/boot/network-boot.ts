import { encodeOperation, type PermissionOperation } from '@tetrad/node-permission-contracts';
import { RequestError, bytesFromHex, type Hash, type Logger } from '@tetrad/types';
import type { PermissionRecords } from '../records/permission-records.js';
import { missingSteps, type BootPlan } from './boot-steps.js';

/** How the node's own transactions reach the chain. */
export interface NodeSender {
  /** Whether one of them waits to be mined. */
  isWaiting(): Promise<boolean>;
  /**
   * Signs a call of the contract with the node key and submits it.
   * @throws RequestError; as the database does
   */
  send(data: Uint8Array): Promise<Hash>;
}

export interface NetworkBootParts {
  readonly plan: BootPlan;
  /** Records after the head, which the caller keeps up to date. */
  readonly records: PermissionRecords;
  readonly sender: NodeSender;
  /** Whether the contracts answer in the state of the head. */
  readonly areContractsThere: () => Promise<boolean>;
  /** Whether this node has had the newest block of its peers. */
  readonly hasCaughtUp: () => boolean;
  readonly logger: Logger;
}

/**
 * Sets up the permissions of a network whose contracts are not initialized yet. Every node does so, possibly at the same
 * time: each checks at every head what is missing, and a duplicate operation is reverted and changes nothing.
 *
 * States: waiting for contracts → sending → done
 */
export class NetworkBoot {
  private state: 'waiting' | 'sending' | 'done' = 'waiting';
  private isLooking = false;
  private lastRejection: string | undefined;

  constructor(private readonly parts: NetworkBootParts) {}

  get isDone(): boolean {
    return this.parts.records.networkBoot;
  }

  /** Why the network is not set up; undefined once it is. */
  trouble(): string | undefined {
    if (this.isDone) return undefined;
    if (!this.parts.hasCaughtUp())
      return 'the permissions of the network are not set up: this node waits for a peer, to have its newest block first';
    if (this.state === 'waiting') return 'the permission contracts do not answer yet';
    const refused = this.lastRejection === undefined ? '' : `: ${this.lastRejection}`;
    return `the permissions of the network are not set up yet${refused}`;
  }

  /** Checks the head and sends what is missing; never fails. Pending transactions are awaited, not sent again. */
  async look(): Promise<void> {
    if (this.state === 'done' || this.isLooking) return;
    if (this.isDone) return this.end();
    this.isLooking = true;
    try {
      await this.sendMissing();
    } catch (error) {
      this.complain(error);
    } finally {
      this.isLooking = false;
    }
  }

  private async sendMissing(): Promise<void> {
    const { parts } = this;
    if (!parts.hasCaughtUp() || !(await parts.areContractsThere()) || this.isDone) return;
    const isFirst = this.state === 'waiting';
    this.state = 'sending';
    if (await parts.sender.isWaiting()) return;
    const steps = missingSteps(parts.records, parts.plan);
    if (isFirst) parts.logger.info('setting up the permissions of the network', { steps: steps.length });
    for (const step of steps) await parts.sender.send(this.encode(step));
    this.lastRejection = undefined;
  }

  private encode(step: PermissionOperation): Uint8Array {
    return bytesFromHex(encodeOperation(this.parts.plan.config.model, step));
  }

  private end(): void {
    if (this.state !== 'waiting') this.parts.logger.info('the permissions of the network are set up');
    this.state = 'done';
  }

  /** Logs each reason once, since it retries at every head. */
  private complain(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (message === this.lastRejection) return;
    this.lastRejection = message;
    const text = 'the permissions of the network cannot be set up now';
    if (error instanceof RequestError) this.parts.logger.error(text, { reason: message });
    else this.parts.logger.error(text, { error });
  }
}
