import type { Address, Clock, Hash, PtmKey } from '@tetrad/types';
import type { PartyMail } from './party-mail.js';
import { encodeQuestion, type StateQuestion } from './state-question.js';
import type { SignedStatement } from './state-statement.js';

export interface ConfirmationsParts {
  readonly chainId: bigint;
  readonly mail: PartyMail;
  readonly hashOf: (block: number) => Promise<Hash | undefined>;
  /** 32 random bytes. */
  readonly randomId: () => Hash;
  readonly clock: Clock;
}

/** What the recipient asks the parties of a contract. */
export interface Inquiry extends Pick<StateQuestion, 'firstBlock' | 'lastBlock' | 'wanted'> {
  readonly contract: Address;
  readonly management: Address;
  readonly recipientKey: PtmKey;
  readonly initiatorKey: PtmKey;
  /** Other parties that this node's manager knows of. */
  readonly knownParties: readonly PtmKey[];
}

/** What the parties answered in time. */
export interface Answers {
  /** Parties of which this node learned, the initiator first. */
  readonly parties: readonly PtmKey[];
  readonly statements: ReadonlyMap<PtmKey, SignedStatement>;
}

interface Open {
  readonly question: StateQuestion;
  readonly inquiry: Inquiry;
  readonly statements: Map<PtmKey, SignedStatement>;
  /** Called after each statement that was taken. */
  changed: () => void;
}

/** Maximum number of keys of which the first statement is kept, parties and others. */
const MAX_STATEMENTS = 256;
/** After which a question is announced to peers again: some may have connected meanwhile. */
const REPEAT_MS = 1_000;

/** Asks the parties of a contract for signed statements of its state, and collects those that arrive in time. */
export class Confirmations {
  private readonly open = new Map<Hash, Open>();
  private isStopped = false;

  constructor(private readonly parts: ConfirmationsParts) {}

  /**
   * Ends as soon as all parties have answered, and after `waitMs` at the latest. What others do cannot make it fail.
   * @returns undefined when the node stops meanwhile, or does not have the last block
   */
  async ask(inquiry: Inquiry, waitMs: number): Promise<Answers | undefined> {
    const { chainId, hashOf, randomId, clock } = this.parts;
    const lastHash = await hashOf(inquiry.lastBlock);
    if (lastHash === undefined) return undefined;
    const { contract, management, recipientKey, firstBlock, lastBlock, wanted } = inquiry;
    const about = { chainId, contract, management, recipientKey, id: randomId() };
    const question = { ...about, firstBlock, lastBlock, lastHash, wanted };
    const open: Open = { question, inquiry, statements: new Map(), changed: () => undefined };
    this.open.set(question.id, open);
    try {
      await this.collect(open, clock.now() + waitMs);
      return this.isStopped ? undefined : answersOf(open);
    } finally {
      this.open.delete(question.id);
    }
  }

  /** Takes a statement that a node announced; one that answers no open question, or not as asked, is dropped. */
  take(statement: SignedStatement, sender: PtmKey, node: string): void {
    const open = this.open.get(statement.id);
    if (open === undefined || statement.signer !== node || statement.party !== sender) return;
    if (!isAnswer(statement, open.question)) return;
    if (open.statements.has(sender) || open.statements.size >= MAX_STATEMENTS) return;
    void this.parts
      .hashOf(statement.block)
      .then((hash) => {
        if (hash !== statement.blockHash || open.statements.has(sender)) return;
        open.statements.set(sender, statement);
        open.changed();
      })
      // A block that cannot be read now: the statement does not count.
      .catch(() => undefined);
  }

  /** Ends what is open, without answers. */
  stop(): void {
    this.isStopped = true;
    for (const { changed } of this.open.values()) changed();
  }

  private async collect(open: Open, endMs: number): Promise<void> {
    const { clock } = this.parts;
    const hashes = new Map<PtmKey, Uint8Array>();
    while (!this.isStopped && !isComplete(open)) {
      const leftMs = endMs - clock.now();
      if (leftMs <= 0) return;
      let cancel = () => {};
      const changed = new Promise<void>((resolve) => {
        open.changed = resolve;
        cancel = clock.schedule(Math.min(REPEAT_MS, leftMs), resolve);
      });
      void this.tell(open, hashes);
      await changed;
      cancel();
    }
  }

  /** Sends the question to those that do not have it yet, and tells peers of it again. */
  private async tell({ question, inquiry }: Open, hashes: Map<PtmKey, Uint8Array>): Promise<void> {
    const { mail } = this.parts;
    const message = encodeQuestion(question);
    await Promise.allSettled(
      partiesOf(inquiry).map(async (key) => {
        const hash = hashes.get(key);
        if (hash === BEING_SENT) return;
        if (hash !== undefined) return mail.notify(hash);
        hashes.set(key, BEING_SENT);
        try {
          hashes.set(key, await mail.send(message, inquiry.recipientKey, key));
        } catch {
          // The party's manager cannot be reached now.
          hashes.delete(key);
        }
      }),
    );
  }
}

/** In place of a hash that is not known yet. */
const BEING_SENT = new Uint8Array(0);

function partiesOf({ initiatorKey, knownParties, recipientKey }: Inquiry): PtmKey[] {
  return [...new Set([initiatorKey, ...knownParties])].filter((key) => key !== recipientKey);
}

/** The initiator names the parties that only its manager knows. */
function answersOf({ inquiry, statements }: Pick<Open, 'inquiry' | 'statements'>): Answers {
  const named = statements.get(inquiry.initiatorKey)?.parties ?? [];
  const parties = partiesOf({ ...inquiry, knownParties: [...inquiry.knownParties, ...named] });
  const heard = parties.flatMap((key) => {
    const statement = statements.get(key);
    return statement === undefined ? [] : [[key, statement] as const];
  });
  return { parties, statements: new Map(heard) };
}

function isComplete(open: Open): boolean {
  const { parties, statements } = answersOf(open);
  return statements.has(open.inquiry.initiatorKey) && statements.size === parties.length;
}

function isAnswer(statement: SignedStatement, question: StateQuestion): boolean {
  const { chainId, contract, management, recipientKey, firstBlock, lastBlock } = question;
  return (
    statement.chainId === chainId &&
    statement.contract === contract &&
    statement.management === management &&
    statement.recipientKey === recipientKey &&
    statement.block >= firstBlock &&
    statement.block <= lastBlock
  );
}
