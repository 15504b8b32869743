import type { Clock, Hash, Logger } from '@tetrad/types';
import type { AgreementReader, TransactionAgreement } from './agreement-reader.js';
import type { PartyAgreement } from './party-agreement.js';

/** What is known of all parties of a transaction when the wait has ended. */
export interface AwaitedAgreement {
  readonly transaction: Hash;
  /** `pending` also where this node has no result yet; otherwise the least that holds of all. */
  readonly agreement: 'agreed' | 'diverged' | 'pending' | 'cannotTell';
  readonly parties: readonly PartyAgreement[];
}

/** Time between two looks; all that wait are looked at one after the other. */
const LOOK_MS = 500;
/** Further waits end at once with what is known. */
const MAX_WAITING = 1_000;

interface Waiting {
  readonly transaction: Hash;
  readonly untilMs: number;
  readonly end: (found: AwaitedAgreement) => void;
}

/** Waits until the parties of transactions have the same result, or one does not. */
export class AgreementWaiter {
  private readonly waiting = new Set<Waiting>();
  private isLooking = false;
  private stopped = false;
  private cancelLook: () => void = () => undefined;

  constructor(
    private readonly parts: {
      readonly reader: Pick<AgreementReader, 'ofTransaction'>;
      readonly clock: Clock;
      readonly logger: Logger;
    },
  ) {}

  /**
   * @param waitMs - time after which it says what is known then
   * @param signal - ends the wait before
   */
  wait(transaction: Hash, waitMs: number, signal?: AbortSignal): Promise<AwaitedAgreement> {
    if (this.stopped || this.waiting.size >= MAX_WAITING) return this.find(transaction);
    return new Promise((resolve) => {
      const one: Waiting = {
        transaction,
        untilMs: this.parts.clock.now() + waitMs,
        end: (found) => {
          this.waiting.delete(one);
          resolve(found);
        },
      };
      this.waiting.add(one);
      signal?.addEventListener('abort', () => one.end(nothing(transaction)), { once: true });
      this.look();
    });
  }

  /** Ends all waits with what is known. */
  stop(): void {
    this.stopped = true;
    this.cancelLook();
    this.look();
  }

  private look(): void {
    if (this.isLooking || this.waiting.size === 0) return;
    this.isLooking = true;
    void this.lookAtAll().finally(() => {
      this.isLooking = false;
      this.cancelLook();
      if (this.stopped) this.look();
      else if (this.waiting.size > 0) this.cancelLook = this.parts.clock.schedule(LOOK_MS, () => this.look());
    });
  }

  private async lookAtAll(): Promise<void> {
    for (const one of [...this.waiting]) {
      const found = await this.find(one.transaction);
      const isOver = this.stopped || this.parts.clock.now() >= one.untilMs;
      if (isOver || found.agreement !== 'pending') one.end(found);
    }
  }

  private async find(transaction: Hash): Promise<AwaitedAgreement> {
    try {
      return awaited(transaction, await this.parts.reader.ofTransaction(transaction));
    } catch (error) {
      this.parts.logger.debug('the agreement of parties was not read', { transaction, error });
      return nothing(transaction);
    }
  }
}

function nothing(transaction: Hash): AwaitedAgreement {
  return { transaction, agreement: 'pending', parties: [] };
}

function awaited(transaction: Hash, found: TransactionAgreement | undefined): AwaitedAgreement {
  if (found === undefined) return nothing(transaction);
  const kinds = new Set(found.parties.map(({ agreement }) => agreement.kind));
  const least = (['diverged', 'pending', 'cannotTell'] as const).find((kind) => kinds.has(kind));
  return { transaction, agreement: least ?? 'agreed', parties: found.parties };
}
