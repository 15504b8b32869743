import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { operationsPerTimeout, ratePerTimeout } from './request-load.js';

interface Open {
  readonly account: number;
  readonly amount: number;
  share: number;
}

/**
 * Requests as Requests.sol counts them, without their first time-out: in a turn each gains its part of what is held. The operator
 * answers one in a turn, and is `speed` times as fast as all of them together gain.
 */
class Game {
  readonly open: Open[] = [];
  readonly balances: number[];
  largest = 0;

  constructor(
    accounts: number,
    private readonly speed: number,
  ) {
    this.balances = Array.from({ length: accounts }, () => 1);
  }

  request(account: number, part: number): void {
    const balance = this.balances[account] as number;
    if (balance === 0 || this.open.some((each) => each.account === account)) return;
    this.open.push({ account, amount: balance * part, share: 0 });
  }

  /** @param choose - which the operator answers of those that are open */
  turn(choose: (open: readonly Open[]) => Open | undefined): void {
    const held = this.balances.reduce((sum, balance) => sum + balance, 0);
    for (const each of this.open) each.share += each.amount / held / this.speed;
    this.largest = Math.max(this.largest, ...this.open.map(({ share }) => share));
    const chosen = choose(this.open);
    if (chosen === undefined) return;
    this.open.splice(this.open.indexOf(chosen), 1);
    (this.balances[chosen.account] as number) -= chosen.amount;
  }
}

const largestShare = (open: readonly Open[]) =>
  open.reduce<Open | undefined>((best, each) => (each.share > (best?.share ?? -1) ? each : best), undefined);

const harmonic = (count: number) =>
  Array.from({ length: count }, (_, index) => 1 / (index + 1)).reduce((a, b) => a + b, 0);

describe('the load of requests', () => {
  it('never exceeds an operator with its speed that serves the largest share first', () => {
    const act = fc.record({
      account: fc.nat(15),
      part: fc.constantFrom(1, 0.5, 0.001),
      brings: fc.constantFrom(0, 0, 1, 30, 10_000),
      requests: fc.nat(16),
    });
    fc.assert(
      fc.property(fc.array(act, { maxLength: 300 }), (acts) => {
        const game = new Game(16, harmonic(16));
        for (const { account, part, brings, requests } of acts) {
          (game.balances[account] as number) += brings;
          for (let index = 0; index < requests; index += 1) game.request((account + index) % 16, part);
          game.turn(largestShare);
        }
        expect(game.largest).toBeLessThanOrEqual(1 + 1e-9);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    [1, harmonic(64)],
    [harmonic(64), 1],
  ])(
    'of 64 equal accounts whose money leaves as they are answered, at speed %d, comes to %d',
    (speed, share) => {
      const game = new Game(64, speed);
      for (let account = 0; account < 64; account += 1) game.request(account, 1);
      for (let turn = 0; turn < 64; turn += 1) game.turn(largestShare);
      expect(game.largest).toBeCloseTo(share, 6);
    },
  );

  it('is what a deployment promises to serve', () => {
    const rates = {
      requestsPerTimeout: ratePerTimeout(1_000, 86_400),
      depositsPerTimeout: ratePerTimeout(10_000, 86_400),
    };
    expect(operationsPerTimeout({ ...rates, tokens: 1 })).toBe(31_000);
    expect(operationsPerTimeout({ ...rates, tokens: 3 })).toBe(73_000);
    expect([120, 1].map((seconds) => ratePerTimeout(1_000, seconds))).toEqual([1, 1]);
    // The harmonic number of as many accounts as there can be.
    const requests = { requestsPerTimeout: 1, depositsPerTimeout: 0, tokens: 1 };
    expect(operationsPerTimeout(requests)).toBeGreaterThan(Math.log(2 ** 28) + 0.5773 + 1);
  });
});
