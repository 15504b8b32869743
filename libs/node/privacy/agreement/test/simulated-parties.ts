import { keccakHash, signingKeyOf } from '@tetrad/crypto';
import type { KeyPair } from '@tetrad/node-store';
import type { MessageOutcome, PartyMessage, ReceivedMessage } from '@tetrad/transaction-manager-client';
import { parsePtmKey, silentLogger, silentMetrics, type Hash, type PtmKey } from '@tetrad/types';
import type { ExchangeParts } from '../src/exchange/exchange-parts.js';
import { HearDetails } from '../src/exchange/hear-details.js';
import { HearMessages } from '../src/exchange/hear-messages.js';
import { HearStatements } from '../src/exchange/hear-statements.js';
import { SendStatements } from '../src/exchange/send-statements.js';
import { SettledAnswers } from '../src/exchange/settled-answers.js';
import { StateBlocks } from '../src/exchange/state-blocks.js';
import { logsHash, outcomeDigest, type TransactionOutcome } from '../src/outcome/transaction-outcome.js';
import { RULES } from '../src/statement/stated-rules.js';
import type { PairResults } from '../src/results/block-results.js';
import { pairName } from '../src/results/payload-parties.js';
import { MemoryStore } from './memory-store.js';

/** A transaction between two parties, by their numbers. */
export interface SimulatedTransaction {
  readonly block: number;
  readonly sender: number;
  readonly recipient: number;
}

const hashOf = (text: string): Hash => keccakHash(Buffer.from(text));

/** Parties on one chain, whose managers carry messages as the test lets them. */
export class SimulatedParties {
  readonly parties: SimulatedParty[];
  readonly transactions: SimulatedTransaction[] = [];
  head = 0;
  nowMs = 1_800_000_000_000;

  constructor(count: number) {
    this.parties = Array.from({ length: count }, (_, index) => new SimulatedParty(this, index));
  }

  /** Mines a block with transactions between pairs of parties. */
  mine(pairs: readonly (readonly [number, number])[]): void {
    this.head += 1;
    for (const [sender, recipient] of pairs)
      if (sender !== recipient) this.transactions.push({ block: this.head, sender, recipient });
  }

  /** Lets time pass and all parties work until nothing is due any more, or for some days. */
  async rest(): Promise<void> {
    for (let step = 0; step < 12; step++) {
      for (let round = 0; round < 8; round++) for (const party of this.parties) await party.work();
      this.nowMs += 12 * 3_600_000;
    }
  }
}

export class SimulatedParty {
  readonly key: PtmKey;
  store = new MemoryStore();
  /** Messages that wait for the node. */
  inbox: ReceivedMessage[] = [];
  sent: PartyMessage[] = [];
  /** What its manager does with a message to another party. */
  outcome: MessageOutcome = 'accepted';
  /** Names of transactions of which it has another result, or none. */
  readonly altered = new Set<string>();
  readonly missing = new Set<string>();
  /** By which it executes. */
  fork = 7;
  /** Which messages its manager takes and loses. */
  loses: (message: PartyMessage) => boolean = () => false;
  /** For which messages its manager is gone. */
  isAway: (message: PartyMessage) => boolean = () => false;
  private steps: { blocks: StateBlocks; sending: SendStatements; hearing: HearMessages };

  constructor(
    private readonly network: SimulatedParties,
    private readonly index: number,
  ) {
    this.key = parsePtmKey(Buffer.alloc(32, index + 1).toString('base64'));
    this.steps = this.start();
  }

  /** As after a restart, with these rows. */
  restart(store: MemoryStore): void {
    this.store = store;
    this.steps = this.start();
  }

  /** As its operator asks for it. */
  compareSince(block: number): Promise<void> {
    return this.steps.blocks.setBack(block);
  }

  async work(): Promise<void> {
    const { blocks, sending, hearing } = this.steps;
    const goesOn = () => false;
    await blocks.advance(goesOn);
    await sending.sendDue(goesOn);
    await hearing.hearAll(goesOn);
  }

  private start() {
    const parts = this.parts();
    const blocks = new StateBlocks(parts);
    const answers = new SettledAnswers(parts);
    const statements = new HearStatements({ ...parts, answers, stated: () => blocks.head });
    const hearing = new HearMessages({ ...parts, statements, details: new HearDetails(parts) });
    return { blocks, sending: new SendStatements({ ...parts, answers }), hearing };
  }

  private parts(): ExchangeParts {
    const { network } = this;
    const counter = silentMetrics.counter('', '');
    return {
      chainId: 1_337n,
      genesisHash: hashOf('genesis'),
      nodeKey: signingKeyOf(Buffer.alloc(32, this.index + 1)),
      store: this.store,
      manager: this.manager(),
      results: { read: async (block, only) => this.results(block, only) },
      followed: () => network.head,
      hashOf: async (block) => (block <= network.head ? hashOf(`block ${block}`) : undefined),
      rulesAt: async () => new Map([[RULES.fork, this.fork]]),
      countTransactions: async (block) => network.transactions.filter((one) => one.block === block).length,
      counters: { heard: counter, sent: counter },
      clock: { now: () => network.nowMs, schedule: () => () => undefined },
      logger: silentLogger,
    };
  }

  private manager(): ExchangeParts['manager'] {
    const done = <T>(value: T) => ({ kind: 'done', value }) as const;
    return {
      sendMessages: async (messages: readonly PartyMessage[]) =>
        messages.map((message) => {
          if (this.isAway(message)) return { kind: 'unknown', reason: 'it was killed' };
          if (this.outcome === 'accepted') this.carry(message);
          return done(this.outcome);
        }),
      unreadMessages: async () => done(this.inbox.slice(0, 64)),
      acknowledgeMessages: async (ids: readonly string[]) => {
        this.inbox = this.inbox.filter(({ id }) => !ids.includes(id));
        return done(undefined);
      },
    } as unknown as ExchangeParts['manager'];
  }

  private carry(message: PartyMessage): void {
    const to = this.network.parties.find(({ key }) => key === message.to);
    this.sent.push(message);
    if (!this.loses(message)) to?.inbox.push({ ...message, id: `${this.sent.length}-${this.index}` });
  }

  private results(block: number, only?: KeyPair): PairResults[] {
    const found = new Map<string, PairResults>();
    for (const [place, one] of this.network.transactions.entries()) {
      const other = this.otherOf(one);
      if (one.block !== block || other === undefined || this.missing.has(nameOf(place))) continue;
      const pair = { own: this.key, other };
      if (only !== undefined && pairName(only) !== pairName(pair)) continue;
      const outcome = this.outcomeOf(place);
      const results: PairResults = found.get(pairName(pair)) ?? {
        pair,
        list: [],
        outcomes: [],
        contracts: new Map(),
      };
      results.list.push({ hash: outcome.hash, digest: outcomeDigest(outcome), isDisclosed: true });
      results.outcomes.push(outcome);
      found.set(pairName(pair), results);
    }
    return [...found.values()];
  }

  private otherOf({ sender, recipient }: SimulatedTransaction): PtmKey | undefined {
    if (sender === this.index) return this.network.parties[recipient]?.key;
    return recipient === this.index ? this.network.parties[sender]?.key : undefined;
  }

  private outcomeOf(place: number): TransactionOutcome {
    const gasUsed = this.altered.has(nameOf(place)) ? 2n : 1n;
    const hash = hashOf(nameOf(place));
    return { hash, status: 1, gasUsed, logsHash: logsHash([]), contracts: [] };
  }
}

export function nameOf(place: number): string {
  return `transaction ${place}`;
}
