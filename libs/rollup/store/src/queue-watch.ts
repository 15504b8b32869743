import type { AcceptanceBounds } from './acceptance-bounds.js';
import { readOwnPending } from './hot/own-pending.js';
import { readQueueLevel } from './hot/queue-level.js';
import { equalShare, type QueueLevel } from './queue-share.js';
import type { Statements } from './statements.js';

/** For how long a count is used, to which what this process has admitted is added: other processes admit meanwhile too. */
const KEPT_MS = 1_000;
/** The same from half full on, where the bound is near. */
const KEPT_ABOVE_HALF_MS = 250;

/** What is in the queue before some operations. */
export interface QueueBefore {
  readonly level: QueueLevel;
  /** Account → its pending operations, as far as they decide; empty while none can be refused. */
  readonly pending: Map<number, number>;
}

/** Knows how full the queue is without counting it for each group of operations. */
export class QueueWatch {
  private level: QueueLevel | undefined;
  private readAt = 0;

  constructor(private readonly bounds: Pick<AcceptanceBounds, 'maxPending' | 'clock'>) {}

  /**
   * @param statements - of the transaction that stores
   * @param accountIds - of the operations
   * @param count - of the operations
   */
  async read(statements: Statements, accountIds: ReadonlySet<number>, count: number): Promise<QueueBefore> {
    const { maxPending } = this.bounds;
    const level = await this.present(statements, count);
    if (level.operations + count < maxPending / 2 || accountIds.size === 0)
      return { level, pending: new Map() };
    // Further accounts that come to wait make shares smaller only.
    const limit = equalShare(level.accounts, maxPending);
    return { level, pending: await readOwnPending(statements, [...accountIds], limit) };
  }

  /** Adds what was stored. */
  note(level: QueueLevel): void {
    this.level = level;
  }

  private async present(statements: Statements, count: number): Promise<QueueLevel> {
    const { level } = this;
    if (level !== undefined && this.isKept(level, count)) return level;
    this.readAt = this.bounds.clock.now();
    return (this.level = await readQueueLevel(statements, this.bounds.maxPending));
  }

  private isKept({ operations }: QueueLevel, count: number): boolean {
    const { maxPending, clock } = this.bounds;
    const [half, ageMs] = [maxPending / 2, clock.now() - this.readAt];
    if (operations >= half) return ageMs >= 0 && ageMs < KEPT_ABOVE_HALF_MS;
    // Below the half it is not known of whom something waits already, so an account counts once for each operation.
    return operations + count < half && ageMs >= 0 && ageMs < KEPT_MS;
  }
}
