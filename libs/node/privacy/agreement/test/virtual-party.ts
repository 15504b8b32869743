import { keccakHash, signingKeyOf } from '@tetrad/crypto';
import type { AgreementBlock, KeyPair } from '@tetrad/node-store';
import type { PartyMessage, ReceivedMessage } from '@tetrad/transaction-manager-client';
import { parsePtmKey, silentLogger, silentMetrics, type Hash, type PtmKey } from '@tetrad/types';
import { AgreementDuty } from '../src/exchange/agreement-duty.js';
import type { ExchangeParts } from '../src/exchange/exchange-parts.js';
import { logsHash, outcomeDigest, type TransactionOutcome } from '../src/outcome/transaction-outcome.js';
import { RULES } from '../src/statement/stated-rules.js';
import type { PairResults } from '../src/results/block-results.js';
import { MemoryStore } from './memory-store.js';
import type { VirtualNetwork, VirtualTransaction } from './virtual-network.js';

/** How long a node reads results of a block, in virtual time. */
const READ_MS = 20;

const hashOf = (text: string): Hash => keccakHash(Buffer.from(text));

/** A node with its rows, which goes on from them after it was killed. */
export class VirtualParty {
  readonly key: PtmKey;
  inbox: ReceivedMessage[] = [];
  /** States that a row has had. */
  readonly states = new Set<AgreementBlock['state']>();
  store = new MemoryStore();
  /** Names of transactions of which it has another result. */
  readonly altered = new Set<string>();
  /** By which it executes. */
  readonly fork = 7;
  private duty: AgreementDuty | undefined;
  private life = 0;
  /** `contract party` of those to which it has sent a transaction of the contract. */
  private readonly proved = new Set<string>();

  constructor(
    private readonly network: VirtualNetwork,
    private readonly index: number,
  ) {
    this.key = parsePtmKey(Buffer.alloc(32, index + 1).toString('base64'));
  }

  get isUp(): boolean {
    return this.duty !== undefined;
  }

  start(): void {
    this.duty = new AgreementDuty(this.parts(++this.life));
    this.duty.wake();
  }

  /** Nothing that was under way is stored or sent any more. */
  kill(): void {
    this.life += 1;
    void this.duty?.stop();
    this.duty = undefined;
  }

  onBlock(): void {
    this.duty?.onBlock();
  }

  compareSince(block: number): void {
    this.duty?.compareSince(block);
  }

  rows(): AgreementBlock[] {
    return [...this.store.blocks.values()];
  }

  private parts(life: number): ExchangeParts {
    const { network } = this;
    const counter = silentMetrics.counter('', '');
    return {
      chainId: 1_337n,
      genesisHash: hashOf('genesis'),
      nodeKey: signingKeyOf(Buffer.alloc(32, this.index + 1)),
      store: this.during(life, this.watched()),
      manager: this.during(life, this.manager()),
      results: this.during(life, {
        read: async (block: number, only?: KeyPair) => {
          await new Promise<void>((done) => network.clock.schedule(READ_MS, done));
          return this.results(block, only);
        },
      }),
      followed: () => network.head,
      hashOf: async (block) => (block <= network.head ? hashOf(`block ${block}`) : undefined),
      rulesAt: async () => new Map([[RULES.fork, this.fork]]),
      countTransactions: async (block) => network.blocks[block]?.length ?? 0,
      counters: { heard: counter, sent: counter },
      clock: network.clock,
      logger: silentLogger,
    };
  }

  /** The same, as long as the process that was started with it lives. */
  private during<T extends object>(life: number, of: T): T {
    return new Proxy(of, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...values: unknown[]) => {
          if (this.life !== life) throw new Error('the process was killed');
          return Reflect.apply(member, target, values) as unknown;
        };
      },
    });
  }

  private watched(): MemoryStore {
    const { store, states } = this;
    store.onSaved = ({ state }) => states.add(state);
    return store;
  }

  private manager(): ExchangeParts['manager'] {
    const done = <T>(value: T) => ({ kind: 'done', value }) as const;
    return {
      features: async () => done({ partyMessages: true }),
      sendMessages: async (messages: readonly PartyMessage[]) =>
        messages.map((message) => done(this.network.send(message) ? 'accepted' : 'full')),
      unreadMessages: async () => done(this.inbox.slice(0, 64)),
      acknowledgeMessages: async (ids: readonly string[]) => {
        this.inbox = this.inbox.filter(({ id }) => !ids.includes(id));
        return done(undefined);
      },
    } as unknown as ExchangeParts['manager'];
  }

  private results(block: number, only?: KeyPair): PairResults[] {
    const { network, index } = this;
    const found = new Map<number, PairResults>();
    const wanted = only && network.numberOf(only.other);
    for (const { place, others } of network.transactionsOf(block, index, wanted))
      for (const other of others) {
        const results: PairResults = found.get(other) ?? {
          pair: network.pairOf(index, other),
          list: [],
          outcomes: [],
          contracts: new Map(),
        };
        const outcome = this.outcomeOf(place);
        const isDisclosed = this.isDisclosed(place, other);
        results.list.push({ hash: outcome.hash, digest: outcomeDigest(outcome), isDisclosed });
        if (isDisclosed) results.outcomes.push(outcome);
        found.set(other, results);
      }
    return [...found.values()];
  }

  /** With flag 0 a recipient proves only by what it has sent that another party has the contract (docs/adr/0272). */
  private isDisclosed({ sender, contract, areKnownToAll }: VirtualTransaction, other: number): boolean {
    const name = `${contract} ${other}`;
    if (sender === this.index) this.proved.add(name);
    return areKnownToAll || this.proved.has(name);
  }

  private outcomeOf({ name }: VirtualTransaction): TransactionOutcome {
    const gasUsed = this.altered.has(name) ? 2n : 1n;
    return { hash: hashOf(name), status: 1, gasUsed, logsHash: logsHash([]), contracts: [] };
  }
}
