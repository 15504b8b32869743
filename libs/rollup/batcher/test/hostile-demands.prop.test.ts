import { describe, expect, it } from '@jest/globals';
import { deployedTerms } from '@tetrad/rollup-chain';
import { seededRandom, testSeed } from '@tetrad/testkit';
import { DemandGame, type ServingRules } from './demand-game.js';
import { HOLDERS, oneOf } from './hostile-holders.js';

const DAY = 86_400;
/** As `deploy` has them. */
const DEFAULTS = deployedTerms({ stallTimeoutSeconds: DAY });
/** The same with few operations, for many days. */
const FEW = { stallTimeoutSeconds: DAY, requestsPerTimeout: 2, depositsPerTimeout: 10, tokens: 1 };
/** Days of all lives together; `./tetrad bench rollup-game` plays more. */
const DAYS = Number(process.env['TETRAD_GAME_DAYS'] ?? 2_800);
const LIVES = 28;
const ACCOUNTS = 64;

/**
 * Day on which anyone may freeze the contract.
 * @returns undefined when it is not before the last one
 */
function overdueOn(game: DemandGame, holders: string, seed: number, days: number): number | undefined {
  const random = seededRandom(seed);
  const act = HOLDERS[holders]!(ACCOUNTS);
  while (game.time < days * DAY) {
    act(game, random);
    game.step();
    if (game.isOverdue) return game.time / DAY;
  }
  return undefined;
}

describe('holders that want to freeze a rollup', () => {
  it(`do not within ${DAYS} days while its operator works`, () => {
    const names = Object.keys(HOLDERS);
    let days = 0;
    let replaced = 0;
    for (let life = 0; life < LIVES; life += 1) {
      const game = new DemandGame({ terms: FEW, batchSize: 2, speed: 1 });
      const holders = names[life % names.length] as string;
      const overdue = overdueOn(game, holders, testSeed() + life, DAYS / LIVES);
      expect([life, holders, overdue]).toEqual([life, holders, undefined]);
      // What is held is what holders have, and can withdraw.
      expect(game.held).toBe(game.inside);
      expect(game.most).toBeGreaterThan(0);
      days += game.time / DAY;
      replaced += game.replaced;
    }
    expect(days).toBeGreaterThanOrEqual(DAYS);
    expect(replaced).toBeGreaterThan(20);
  });

  it.each<[string, Partial<ServingRules>, number]>([
    ['makes requests in the order in which they came', { rank: ({ since }) => since }, 1],
    ['makes the smallest share first', { rank: ({ left }) => -left }, 1],
    ['takes no deposits while requests wait', { partOfDeposits: 0 }, 1],
    ['makes no requests while deposits wait', { partOfDeposits: 1 }, 1],
    ['lets far more closed batches wait', { maxWaiting: 60 * 16 }, 1],
    ['takes a fifth of the operations that it promised', {}, 0.2],
    ['takes no deposits', { takesDeposits: false }, 1],
    ['makes nothing', { takesDeposits: false, makes: () => false }, 1],
    [
      'makes requests only when a twentieth of their window is left',
      { makes: (_, missing) => missing() < 0.05 },
      1,
    ],
  ])('do it to one that %s', (_, rules, speed) => {
    const found = Object.keys(HOLDERS).filter((holders) => {
      const game = new DemandGame({ terms: FEW, batchSize: 2, speed, rules });
      return overdueOn(game, holders, testSeed(), 60) !== undefined;
    });
    expect(found).not.toEqual([]);
  });

  it.each<[string, Partial<ServingRules>]>([
    ['does nothing', { takesDeposits: false, makes: () => false }],
    ['leaves out one account', { makes: ({ sum }) => sum.account !== 7 }],
    ['makes no requests', { makes: () => false }],
    ['takes no deposits', { takesDeposits: false, makes: ({ sum }) => sum.account !== 7 }],
  ])('do it to one that %s, in the window of the request', (_, rules) => {
    for (let life = 0; life < 50; life += 1) {
      const random = seededRandom(testSeed() + life);
      const game = new DemandGame({ terms: FEW, batchSize: 2, speed: 1 });
      for (let account = 0; account < 20; account += 1) game.deposit(account, 1_000);
      while (game.waitingDeposits > 0) game.step();
      game.rules = { ...game.rules, ...rules };
      const sum = game.sums.find(({ account }) => account === 7)!;
      game.request(sum, 1);
      const asked = game.time;
      while (!game.isOverdue) {
        // Others leave meanwhile, which makes the window no longer; the operator brings money, which does.
        if (random() < 0.05) game.request(oneOf(random, game.sums), 1);
        if (life % 2 === 1 && random() < 0.01 && game.held < 100_000) game.deposit(3, 5_000);
        game.step();
        const window = Math.max(DAY, (DAY * game.most) / (FEW.requestsPerTimeout * sum.amount));
        if (game.time > asked + window + DAY / 10)
          throw new Error(`life ${life}: not overdue after ${window} s`);
      }
      expect(game.held).toBe(game.inside);
    }
  });

  it('do not with 4,000 accounts at the defaults, which all ask for dust, deposit and send what costs nothing', () => {
    const game = new DemandGame({ terms: DEFAULTS, batchSize: 2, speed: 1, batchesPerLook: 8 });
    const accounts = 4_000;
    for (let account = 0; account < accounts; account += 1) game.deposit(account, 1_000);
    let answered = 0;
    for (let index = 0; index < 3 * 5_200; index += 1) {
      if (index % 1_000 === 0) {
        const before = game.requests.size;
        for (const sum of [...game.sums]) game.request(sum, index % 2_000 === 0 ? 0.001 : 1);
        answered += game.requests.size - before;
        for (let more = 0; more < 500; more += 1) game.deposit(more, 1);
      }
      game.step();
      if (game.isOverdue) throw new Error(`overdue on day ${game.time / DAY}`);
    }
    expect(game.time).toBeGreaterThan(2.9 * DAY);
    expect(answered).toBeGreaterThan(accounts);
    // They do not keep out what was accepted either: a quarter of the places is its own.
    expect(game.ordinary).toBeGreaterThan((3 * 5_200 * 2) / 4 - 100);
    expect(game.held).toBe(game.inside);
  });
});
