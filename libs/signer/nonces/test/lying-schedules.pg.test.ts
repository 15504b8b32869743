import { describe, expect, it } from '@jest/globals';
import { seededRandom, testSeed } from '@tetrad/testkit';
import { LyingClient, type Lies } from './lying-client.js';
import { ACCOUNT, useNonceManager } from './nonce-manager-setup.js';
import { until, type Replica } from './replica.js';

const manager = useNonceManager();
const SEED = testSeed();
const STEPS = 600;
/** Sends under way at a time: while a client is doubted they wait. */
const AT_A_TIME = 20;

/** Short, so that doubts end both ways within a schedule. */
const TIMING = { jumpPatienceMs: 150, resetGraceMs: 150, fillGapMs: 100, quietMs: 100, announceMs: 100 };

const WORDS = ['nonce too low', 'Nonce too low', 'replacement transaction underpriced', 'already known'];

/** Sends, lies, lost blocks and lost pools in any order. */
class Schedule {
  private readonly random: () => number;
  private readonly underWay = new Set<string>();

  constructor(
    private readonly parts: { readonly client: LyingClient; readonly replicas: readonly Replica[] },
    seed: number,
  ) {
    this.random = seededRandom(seed);
  }

  get sendsUnderWay(): number {
    return this.underWay.size;
  }

  async run(): Promise<void> {
    for (let step = 0; step < STEPS; step += 1) {
      this.act(step);
      await new Promise((tick) => setTimeout(tick, this.below(6)));
    }
    this.parts.client.lies = {};
  }

  send(id: string): void {
    const { client, replicas } = this.parts;
    const replica = replicas[this.below(replicas.length)] as Replica;
    this.underWay.add(id);
    replica
      .send(ACCOUNT, id, { sign: client.signFor(ACCOUNT, id) })
      .catch(() => undefined)
      .finally(() => this.underWay.delete(id));
  }

  private act(step: number): void {
    const { chain } = manager;
    const what = this.random();
    if (what < 0.3 && this.underWay.size < AT_A_TIME)
      this.send(`${this.random() < 0.1 ? 'poor' : 'send'} ${step}`);
    else if (what < 0.5) chain.mine();
    else if (what < 0.58) this.parts.client.lies = this.anyLies();
    else if (what < 0.66) this.parts.client.lies = {};
    else if (what < 0.68) chain.takeBack(ACCOUNT, this.below(4), { lost: this.random() < 0.5 });
    else if (what < 0.69) chain.dropPool();
  }

  private anyLies(): Lies {
    const count = () => {
      const truth = Number(manager.chain.pendingCount(ACCOUNT));
      const spread = [3, 10, 10_000][this.below(3)] as number;
      return BigInt(Math.max(0, truth + this.below(2 * spread) - spread));
    };
    return {
      ...(this.random() < 0.6 ? { pending: count() } : {}),
      ...(this.random() < 0.4 ? { mined: count() } : {}),
      ...(this.random() < 0.3 ? { knows: this.random() < 0.2 } : {}),
      ...(this.random() < 0.3 ? { refusal: WORDS[this.below(WORDS.length)] as string } : {}),
    };
  }

  private below(limit: number): number {
    return Math.floor(this.random() * limit);
  }
}

describe(`any schedule of lies, sends and lost blocks (seed ${SEED})`, () => {
  it.each([1, 2])(
    'signs no nonce twice while the first transaction may still be mined, and leaves an account that pays (%i)',
    async (index) => {
      const client = new LyingClient(manager.chain);
      const start = () =>
        manager.start(
          {},
          {
            clientFor: (of) => client.for(of),
            timing: TIMING,
            fillsGaps: true,
            signFiller: (filler) => client.signed.sign(filler),
          },
        );
      const schedule = new Schedule({ client, replicas: [await start(), await start()] }, SEED + index);
      await schedule.run();
      await until(() => {
        manager.chain.mine();
        return schedule.sendsUnderWay === 0;
      }, 'every caller has an answer');
      const before = manager.chain.mined(ACCOUNT).length;
      for (let last = 0; manager.chain.mined(ACCOUNT).length <= before; last += 1) {
        schedule.send(`last ${last}`);
        await until(() => schedule.sendsUnderWay === 0, 'the send is answered');
        manager.chain.mine();
        await new Promise((tick) => setTimeout(tick, 50));
      }
      const mined = manager.chain.mined(ACCOUNT);
      expect(client.signed.conflicts).toEqual([]);
      const ids = mined.map(({ transaction }) => transaction.id);
      expect(ids.filter((id) => id.startsWith('poor'))).toEqual([]);
      expect(mined.length).toBeGreaterThan(20);
    },
  );
});
