import type { ReceivedMessage } from '@tetrad/transaction-manager-client';
import { TokenBuckets, type BucketRate, type PtmKey } from '@tetrad/types';
import { KINDS, type ExchangeParts } from './exchange-parts.js';
import type { Heard } from './heard.js';
import type { HearDetails } from './hear-details.js';
import type { HearStatements } from './hear-statements.js';
import { ManagerAwayError } from './send-statements.js';

/** Messages of one key that are looked at; further ones are dropped, and what matters is sent again. */
const MESSAGES: BucketRate = { perSecond: 50, burst: 2_000 };
/** Keys that are counted. */
const MAX_SENDERS = 1_024;
/** Full answers of the manager after which other work has its turn. */
const MAX_ROUNDS = 8;
const FULL = 64;

export interface HearMessagesParts extends Pick<ExchangeParts, 'manager' | 'counters' | 'repairs' | 'clock'> {
  readonly statements: Pick<HearStatements, 'hear'>;
  readonly details: Pick<HearDetails, 'hearList' | 'hearOutcome' | 'hearRules'>;
}

/** Reads messages of other parties. Each is stored, or done, before it is acknowledged. */
export class HearMessages {
  private readonly senders = new TokenBuckets<PtmKey>(MESSAGES, MAX_SENDERS);

  constructor(private readonly parts: HearMessagesParts) {}

  /**
   * @returns whether more messages wait
   * @throws ManagerAwayError
   */
  async hearAll(isStopped: () => boolean): Promise<boolean> {
    const { manager } = this.parts;
    for (let round = 0; round < MAX_ROUNDS && !isStopped(); round++) {
      const read = await manager.unreadMessages();
      if (read.kind !== 'done') throw new ManagerAwayError(reasonOf(read));
      const { value: messages } = read;
      if (messages.length === 0) return false;
      for (const message of messages)
        this.parts.counters.heard.increment({ result: await this.hear(message) });
      const done = await manager.acknowledgeMessages(messages.map(({ id }) => id));
      if (done.kind !== 'done') throw new ManagerAwayError(reasonOf(done));
      if (messages.length < FULL) return false;
    }
    return true;
  }

  private async hear(message: ReceivedMessage): Promise<Heard> {
    const { statements, details, repairs, clock } = this.parts;
    if (!this.senders.take(message.from, clock.now())) return 'too-many';
    switch (message.kind) {
      case KINDS.statement:
        return statements.hear(message, false);
      case KINDS.reply:
        return statements.hear(message, true);
      case KINDS.list:
        return details.hearList(message);
      case KINDS.outcome:
        return details.hearOutcome(message);
      case KINDS.rules:
        return details.hearRules(message);
      default:
        return (await repairs?.hear(message)) ?? 'unknown';
    }
  }
}

function reasonOf(
  outcome:
    | { readonly kind: 'refused'; readonly text: string }
    | { readonly kind: 'unknown'; readonly reason: string },
): string {
  return outcome.kind === 'refused' ? outcome.text : outcome.reason;
}
