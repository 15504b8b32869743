import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, isSearch, seededRandom, testSeed, type TestDatabase } from '@tetrad/testkit';
import type { Address, Hash } from '@tetrad/types';
import { SubmissionLog, faultyClient } from './faulty-client.js';
import { accountOf, startReplica, until, type Replica } from './replica.js';
import { StrictChain, encode } from './strict-chain.js';

/** What the event loop does in between is not in it. */
const SEED = testSeed();
const SENDS = isSearch() ? 10_000 : 4_000;
const REPLICAS = 3;
const ACCOUNTS = 5;
/** Sends under way at a time. */
const AT_A_TIME = 300;

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase('signer');
});
afterAll(() => testDatabase.drop());

/** The answers that callers got. */
interface CallerAnswers {
  readonly hashes: Map<string, Hash>;
  readonly refused: Set<string>;
  /** Ended without an answer of the client. */
  readonly unknown: Set<string>;
}

interface Disturbances {
  /** Another wallet sends from the accounts. */
  readonly elsewhere: boolean;
  /** The client forgets its pool. */
  readonly forgets: boolean;
}

/** Drives sends over replicas that come and go, until all of them are answered or their replica is dead. */
class Storm {
  readonly answers: CallerAnswers = { hashes: new Map(), refused: new Set(), unknown: new Set() };
  readonly log = new SubmissionLog();
  readonly random = seededRandom(SEED);
  private readonly underWay = new Map<string, { replica: Replica; over: () => void }>();
  private replicas: Replica[] = [];
  crashes = 0;

  constructor(
    readonly chain: StrictChain,
    private readonly accounts: readonly Address[],
  ) {}

  async run(disturbances: Disturbances): Promise<void> {
    for (let index = 0; index < REPLICAS; index += 1) this.replicas.push(await this.start());
    const mining = setInterval(() => this.chain.mine(), 10);
    try {
      for (let sent = 0; sent < SENDS; sent += 1) {
        if (this.underWay.size >= AT_A_TIME) await this.room();
        this.send(`${sent}`);
        if (sent % 1_000 === 500) await this.replaceReplica(sent % 2_000 === 500);
        if (sent % 100 === 50) this.disturb(disturbances);
      }
      await until(() => this.underWay.size === 0, 'every caller has an answer');
      await this.settle();
    } finally {
      clearInterval(mining);
      await Promise.all(this.replicas.map((replica) => replica.stop()));
    }
  }

  private send(id: string): void {
    const replica = this.replicas[Math.floor(this.random() * REPLICAS)] as Replica;
    const account = this.accounts[Math.floor(this.random() * this.accounts.length)] as Address;
    const over = () => void this.underWay.delete(id);
    this.underWay.set(id, { replica, over });
    // At random prices, so that a nonce that is used twice replaces what was acknowledged.
    const gasPrice = 1 + Math.floor(this.random() * 1_000);
    replica
      .send(account, id, { sign: (nonce) => encode({ account, nonce: nonce.toString(), id, gasPrice }) })
      .then(
        (hash) => void this.answers.hashes.set(id, hash),
        (error: unknown) => this.note(id, error),
      )
      .finally(over);
  }

  private note(id: string, error: unknown): void {
    const { message } = error as Error;
    if (message.startsWith('insufficient')) this.answers.refused.add(id);
    if (message.includes('timed out')) this.answers.unknown.add(id);
  }

  private async replaceReplica(inOrder: boolean): Promise<void> {
    const dead = this.replicas.shift() as Replica;
    if (inOrder) await dead.manager.stop();
    await dead.crash();
    this.crashes += 1;
    // Its callers hear nothing any more.
    for (const { replica, over } of [...this.underWay.values()]) if (replica === dead) over();
    this.replicas.push(await this.start());
  }

  private disturb({ elsewhere, forgets }: Disturbances): void {
    const account = this.accounts[Math.floor(this.random() * this.accounts.length)] as Address;
    const nonce = this.chain.pendingCount(account).toString();
    if (elsewhere) this.chain.submit(encode({ account, nonce, id: `elsewhere-${this.random()}` }).raw);
    if (forgets) this.chain.dropPool();
  }

  private room(): Promise<void> {
    return until(() => this.underWay.size < AT_A_TIME, 'a send is answered');
  }

  /** Nothing is under way any more: what is left are nonces that were given back above the last one used. */
  private settle(): Promise<void> {
    const [replica] = this.replicas as [Replica];
    return until(async () => {
      const { rowCount } = await replica.database.pool.query("SELECT FROM nonce_entry WHERE state <> 'free'");
      return rowCount === 0 && this.accounts.every((account) => this.chain.poolSize(account) === 0);
    }, 'every nonce is settled');
  }

  private start(): Promise<Replica> {
    return startReplica({
      url: testDatabase.url,
      clientFor: (account) => faultyClient(account, this),
      fillsGaps: true,
      // Under load a living replica may be considered dead: callers get a time-out then.
      timing: { replicaTtlMs: 2_000 },
    });
  }
}

function expectConsistent(chain: StrictChain, accounts: readonly Address[], answers: CallerAnswers): void {
  const mined = accounts.flatMap((account) => chain.mined(account));
  const ids = mined.map(({ transaction }) => transaction.id).filter((id) => /^\d+$/.test(id));
  // No send is on the chain twice, and none that was refused.
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => answers.refused.has(id))).toEqual([]);
  // Every acknowledged hash is, exactly once.
  const hashes = new Map<Hash, number>();
  for (const { hash } of mined) hashes.set(hash, (hashes.get(hash) ?? 0) + 1);
  expect([...answers.hashes].filter(([, hash]) => hashes.get(hash) !== 1)).toEqual([]);
  // The sequence of each account has no gap, and nothing waits behind one.
  for (const account of accounts) {
    expect(chain.mined(account).map(({ transaction }) => Number(transaction.nonce))).toEqual(
      chain.mined(account).map((_, index) => index),
    );
    expect(chain.poolSize(account)).toBe(0);
  }
}

/**
 * Whether a send without an answer is lost for no reason: it was submitted, the client did not refuse it, and no other
 * wallet used the nonce.
 */
function isForgotten(id: string, { chain, log }: Storm): boolean {
  const transaction = log.submitted.get(id);
  if (transaction === undefined || log.refused.has(id)) return false;
  const mined = chain.mined(transaction.account)[Number(transaction.nonce)]?.transaction.id ?? '';
  return mined !== id && !mined.startsWith('elsewhere');
}

describe(`three replicas, ${SENDS} sends, random faults (seed ${SEED})`, () => {
  it.each([
    ['others send from the accounts too', { elsewhere: true, forgets: false }, 0],
    ['the client forgets its pool', { elsewhere: false, forgets: true }, ACCOUNTS],
  ] as const)(
    'lose no nonce, use none twice and leave no gap while %s',
    async (_case, disturbances, firstAccount) => {
      const chain = new StrictChain();
      const accounts = Array.from({ length: ACCOUNTS }, (_, index) => accountOf(firstAccount + index));
      const storm = new Storm(chain, accounts);
      await storm.run(disturbances);
      expectConsistent(chain, accounts, storm.answers);
      expect(storm.crashes).toBe(SENDS / 1_000);
      // The storm is rough, but most of it gets through.
      expect(storm.answers.hashes.size).toBeGreaterThan(SENDS * 0.7);
      expect(storm.answers.refused.size).toBeGreaterThan(0);
      const { unknown } = storm.answers;
      expect(unknown.size).toBeGreaterThan(SENDS / 100);
      expect([...unknown].filter((id) => isForgotten(id, storm))).toEqual([]);
    },
  );
});
