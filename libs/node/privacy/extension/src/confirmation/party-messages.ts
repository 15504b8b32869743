import {
  TokenBuckets,
  keepNewest,
  type BucketRate,
  type Clock,
  type Logger,
  type PtmKey,
} from '@tetrad/types';
import type { ExtensionManager } from '../manager-answers.js';
import { answerQuestion, type AnsweringParts } from './answer-question.js';
import { decodeQuestion } from './state-question.js';
import { MAX_STATEMENT_BYTES, decodeStatement, type SignedStatement } from './state-statement.js';

export interface PartyMessagesParts extends AnsweringParts {
  readonly manager: Pick<ExtensionManager, 'receive'>;
  /** Takes a statement with its sender's manager key, from the node that announced it. */
  readonly onStatement: (statement: SignedStatement, sender: PtmKey, node: string) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Messages that are read or answered at once; further ones are dropped, and their senders repeat them. */
const MAX_OPEN = 8;
/** Hashes of messages that were read, which are not read again. */
const MAX_REMEMBERED = 4_096;
/** Questions that are answered for one key, and keys that are counted. */
const ANSWERS: BucketRate = { perSecond: 0.5, burst: 16 };
const MAX_SENDERS = 1_024;

/** Reads the messages of other parties that peers tell of: questions are answered, statements are passed on. */
export class PartyMessages {
  private readonly open = new Set<Promise<void>>();
  private readonly read = new Set<string>();
  private readonly answers = new TokenBuckets<PtmKey>(ANSWERS, MAX_SENDERS);
  private isStopped = false;

  constructor(private readonly parts: PartyMessagesParts) {}

  /**
   * Never fails and never waits.
   * @param hash - 64 bytes
   * @param node - the peer's public key
   */
  received(hash: Uint8Array, node: string): void {
    if (this.isStopped || this.open.size >= MAX_OPEN) return;
    const name = Buffer.from(hash).toString('base64');
    if (this.read.has(name)) return;
    const work = this.handle(hash, node)
      .then((isRead) => void (isRead && remember(this.read, name)))
      .catch((error: unknown) => {
        this.parts.logger.debug('a message of a party was not answered', { error });
      })
      .finally(() => this.open.delete(work));
    this.open.add(work);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.open);
  }

  /** @returns whether the message need not be read again when a peer announces it again */
  private async handle(hash: Uint8Array, node: string): Promise<boolean> {
    const found = await this.parts.manager.receive(hash);
    if (found.kind !== 'found') return false;
    const { plaintext, sender, managedParties } = found.value;
    if (sender === undefined || plaintext.length > MAX_STATEMENT_BYTES) return true;
    const question = decodeQuestion(plaintext);
    if (question !== undefined) {
      if (!this.answers.take(sender, this.parts.clock.now())) return false;
      await answerQuestion(this.parts, { question, sender, to: managedParties?.[0] });
      return true;
    }
    const statement = decodeStatement(plaintext);
    if (statement !== undefined) this.parts.onStatement(statement, sender, node);
    return true;
  }
}

function remember(read: Set<string>, name: string): void {
  read.add(name);
  keepNewest(read, MAX_REMEMBERED);
}
