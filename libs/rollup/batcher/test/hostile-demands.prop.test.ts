import { describe, expect, it } from '@jest/globals';
import { deployedTerms } from '@tetrad/rollup-chain';
import { seededRandom, testSeed } from '@tetrad/testkit';
import { DemandGame } from './demand-game.js';

const DAY = 86_400;
/** As `deploy` has them. */
const DEFAULTS = deployedTerms({ stallTimeoutSeconds: DAY });
/** The same with few operations, for many days. */
const FEW = { stallTimeoutSeconds: DAY, requestsPerTimeout: 2, depositsPerTimeout: 10, tokens: 1 };

type Random = () => number;

const oneOf = <Value>(random: Random, values: readonly Value[]): Value =>
  values[Math.floor(random() * values.length)] as Value;

/** What holders do at random, knowing all: one of these, with all their accounts or one. */
function act(game: DemandGame, random: Random, accounts: number): void {
  const account = Math.floor(random() * accounts);
  const all = [...game.sums];
  switch (oneOf(random, ['deposit', 'flood', 'ask', 'askAll', 'return', 'nothing'])) {
    case 'deposit':
      return game.deposit(account, oneOf(random, [1, 30, 10_000, 1_000_000]));
    case 'flood':
      // What a deposit costs is gas, so that there are many and no end of them.
      for (let index = 0; index < 8 && game.waitingDeposits < 100; index += 1) game.deposit(account, 1);
      return undefined;
    case 'ask':
      if (all.length > 0) game.request(oneOf(random, all), oneOf(random, [1, 0.5, 0.001]));
      return undefined;
    case 'askAll':
      for (const sum of all) game.request(sum, oneOf(random, [1, 1, 0.5, 0.001]));
      return undefined;
    case 'return': {
      const back = Math.floor(game.paid * random());
      if (back < 1) return undefined;
      game.paid -= back;
      return game.deposit(account, back);
    }
    default:
      return undefined;
  }
}

describe('holders that want to freeze a rollup', () => {
  it('do not within 10,000 days while its operator works', () => {
    let days = 0;
    for (let life = 0; life < 20; life += 1) {
      const random = seededRandom(testSeed() + life);
      const game = new DemandGame({ terms: FEW, batchSize: 2, speed: 1 });
      let brought = 0;
      while (game.time < 500 * DAY) {
        if (random() < 0.1) act(game, random, 64);
        game.step();
        if (game.isOverdue) throw new Error(`life ${life} ends on day ${game.time / DAY}`);
        brought = Math.max(brought, game.held + game.paid);
      }
      // What is held is what holders have, and can withdraw.
      expect(game.held).toBe(game.inside);
      expect(brought).toBeGreaterThan(0);
      days += game.time / DAY;
    }
    expect(days).toBeGreaterThanOrEqual(10_000);
  });

  it('do it to an operator that is slower than it promised', () => {
    const game = new DemandGame({ terms: FEW, batchSize: 2, speed: 0.05 });
    for (let account = 0; account < 64; account += 1) game.deposit(account, 1_000);
    while (!game.isOverdue && game.time < 30 * DAY) game.step();
    expect(game.isOverdue).toBe(true);
  });

  it.each([
    ['does nothing', (game: DemandGame) => (game.isWorking = false)],
    ['leaves out one account', (game: DemandGame) => (game.censored = 7)],
  ])('do it to one that %s, in the window of the request', (_, begin) => {
    for (let life = 0; life < 50; life += 1) {
      const random = seededRandom(testSeed() + life);
      const game = new DemandGame({ terms: FEW, batchSize: 2, speed: 1 });
      for (let account = 0; account < 20; account += 1) game.deposit(account, 1_000);
      while (game.waitingDeposits > 0) game.step();
      begin(game);
      const most = Math.max(game.held, 1);
      const sum = game.sums.find(({ account }) => account === 7)!;
      game.request(sum, 1);
      const asked = game.time;
      const window = Math.max(DAY, (DAY * most) / (FEW.requestsPerTimeout * sum.amount));
      while (!game.isOverdue) {
        // Others leave meanwhile, which makes the window no longer.
        if (random() < 0.05) game.request(oneOf(random, game.sums), 1);
        game.step();
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
