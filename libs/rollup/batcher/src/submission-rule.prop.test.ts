import { describe, expect, it } from '@jest/globals';
import type { Fees } from '@tetrad/rollup-chain';
import { parseHash, type Hash } from '@tetrad/types';
import fc from 'fast-check';
import { nextStep, retryDelay, type SubmissionBounds } from './submission-rule.js';

const BOUNDS: SubmissionBounds = {
  bumpAfterMs: 10,
  maxFeeLimit: 10_000n,
  retryMs: 2,
  longestRetryMs: 16,
};

interface Sent extends Fees {
  readonly hash: Hash;
  readonly nonce: number;
  readonly sentAt: number;
  isGivenUp: boolean;
  isOutdated: boolean;
}

/** A chain that does to transactions whatever chains do, and a submitter that follows the rule. */
class World {
  now = 0;
  height = 0;
  nonce = 0;
  readonly pool = new Set<Hash>();
  readonly mined = new Map<Hash, boolean>();
  readonly sent: Sent[] = [];
  failures = 0;
  lastFailureAt: number | undefined;
  accepted = 0;

  view() {
    return {
      height: 1,
      previousStateRoot: 5n,
      nextStateRoot: 6n,
      now: this.now,
      nonce: this.nonce,
      contract: { height: this.height, stateRoot: this.height === 0 ? 5n : 6n },
      market: { baseFee: 7n, gasPrice: 9n },
      attempts: this.sent
        .filter(({ isGivenUp }) => !isGivenUp)
        .map((sent) => ({
          ...sent,
          isKnown: this.pool.has(sent.hash) || this.mined.has(sent.hash),
          succeeded: this.mined.get(sent.hash),
        })),
      failures: this.failures,
      lastFailureAt: this.lastFailureAt,
    };
  }

  step(): string {
    const step = nextStep(this.view(), BOUNDS);
    if (step.do === 'send') this.send(step.nonce, step.fees);
    if (step.do === 'resend') this.resend(step.hash);
    if (step.do === 'reverted' || step.do === 'dropped') {
      this.sent.find(({ hash }) => hash === step.hash)!.isGivenUp = true;
      this.failures += 1;
      this.lastFailureAt = this.now;
    }
    return step.do;
  }

  private resend(hash: Hash): void {
    expect(this.sent.find((one) => one.hash === hash)?.isOutdated).toBe(false);
    this.pool.add(hash);
  }

  private send(nonce: number, fees: Fees): void {
    const hash = parseHash(`0x${(this.sent.length + 1).toString(16).padStart(64, '0')}`);
    for (const { nonce: other, hash: replaced } of this.sent) if (other === nonce) this.pool.delete(replaced);
    this.sent.push({ hash, nonce, ...fees, sentAt: this.now, isGivenUp: false, isOutdated: false });
    this.pool.add(hash);
  }

  /** Mines one of the pool with the next nonce. */
  mine(success: boolean): void {
    const next = this.sent.find(({ hash, nonce }) => this.pool.has(hash) && nonce === this.nonce);
    if (next === undefined) return;
    this.pool.delete(next.hash);
    this.nonce += 1;
    // The contract takes a height once, whatever was proved.
    const isAccepted = success && this.height === 0 && !next.isOutdated;
    this.mined.set(next.hash, isAccepted);
    if (!isAccepted) return;
    this.height = 1;
    this.accepted += 1;
  }

  /** The batch is taken back, and made anew with another state. */
  makeAnew(): void {
    for (const one of this.sent) one.isOutdated = true;
  }

  /** The last block is replaced by an empty one; its transaction is lost. */
  reorganise(): void {
    const last = [...this.mined.keys()].at(-1);
    if (last === undefined) return;
    if (this.mined.get(last) === true) [this.height, this.accepted] = [0, this.accepted - 1];
    this.mined.delete(last);
    this.nonce -= 1;
  }
}

const fault = fc.constantFrom(
  'mine',
  'revert',
  'lose',
  'reorganise',
  'anew',
  'other',
  'wait',
  'step',
  'step',
);

describe('the steps of a submission', () => {
  it('get the batch onto the chain once, whatever happened before', () => {
    fc.assert(
      fc.property(fc.array(fault, { maxLength: 60 }), (faults) => {
        const world = new World();
        for (const name of faults) {
          world.now += 3;
          if (name === 'mine') world.mine(true);
          if (name === 'revert') world.mine(false);
          if (name === 'lose') world.pool.clear();
          if (name === 'reorganise') world.reorganise();
          if (name === 'anew' && world.height === 0) world.makeAnew();
          // A transaction of the operator's account that has nothing to do with the batch.
          if (name === 'other') world.nonce += 1;
          if (name === 'step') world.step();
          expect(world.accepted).toBeLessThanOrEqual(1);
        }
        for (let calm = 0; calm < 200 && world.height === 0; calm += 1) {
          world.now += 3;
          world.step();
          world.mine(true);
        }
        expect([world.accepted, world.step()]).toEqual([1, 'included']);
      }),
      { numRuns: 2_000 },
    );
  });

  it('raise the fees of a transaction that is not mined, up to the limit and not where gas is free', () => {
    const world = new World();
    world.step();
    const offers = [];
    for (let round = 0; round < 400; round += 1) {
      world.now += 5;
      if (world.step() === 'send') offers.push(world.sent.at(-1)!);
    }
    expect(new Set(world.sent.map(({ nonce }) => nonce))).toEqual(new Set([0]));
    expect(offers.length).toBeGreaterThan(10);
    offers.forEach((offer, index) => {
      const before = world.sent[index]!;
      expect(offer.maxFee * 10n).toBeGreaterThanOrEqual(before.maxFee * 11n);
      expect(offer.maxPriorityFee * 10n).toBeGreaterThanOrEqual(before.maxPriorityFee * 11n);
      expect(offer.maxFee).toBeLessThanOrEqual(BOUNDS.maxFeeLimit);
    });
    const [sent] = world.view().attempts;
    const free = { ...sent!, maxFee: 0n, maxPriorityFee: 0n };
    const view = { ...world.view(), market: { baseFee: 0n, gasPrice: 0n }, attempts: [free], now: 10_000 };
    expect(nextStep(view, BOUNDS)).toEqual({ do: 'resend', hash: free.hash });
  });

  it('take the nonce of what was sent for a batch that was taken back, and never send that again', () => {
    const world = new World();
    world.step();
    world.makeAnew();
    const [sent] = world.view().attempts;
    const view = { ...world.view(), attempts: [sent!], now: world.now };
    const replacement = nextStep(view, BOUNDS);
    expect(replacement).toMatchObject({ do: 'send', nonce: 0 });
    expect((replacement as { fees: Fees }).fees.maxFee * 10n).toBeGreaterThanOrEqual(sent!.maxFee * 11n);
    const free = { ...sent!, maxFee: 0n, maxPriorityFee: 0n };
    const market = { baseFee: undefined, gasPrice: 0n };
    // Nothing takes its place where gas is free, and it is not waited for once it is lost.
    expect(nextStep({ ...view, market, attempts: [free] }, BOUNDS)).toEqual({ do: 'wait' });
    const lost = { ...free, isKnown: false };
    const again = { do: 'send', nonce: 0, fees: { maxFee: 0n, maxPriorityFee: 0n } };
    expect(nextStep({ ...view, market, attempts: [lost] }, BOUNDS)).toEqual(again);
    const failed = { failures: 1, lastFailureAt: view.now };
    expect(nextStep({ ...view, ...failed }, BOUNDS)).toEqual({ do: 'wait' });
  });

  it('offer no more than the limit, and wait by name while the base fee is above it', () => {
    const { maxFeeLimit: limit } = BOUNDS;
    const view = new World().view();
    const hostile = { ...view, market: { baseFee: 7n, gasPrice: limit * 1_000n } };
    const fees = { maxFee: limit, maxPriorityFee: limit };
    expect(nextStep(hostile, BOUNDS)).toEqual({ do: 'send', nonce: 0, fees });
    const why = 'the base fee of 10001 wei is above the maximum gas price of 10000 wei';
    const dear = { ...view, market: { baseFee: limit + 1n, gasPrice: limit + 2n } };
    expect(nextStep(dear, BOUNDS)).toEqual({ do: 'wait', why });
    const world = new World();
    world.step();
    expect(nextStep({ ...dear, attempts: world.view().attempts }, BOUNDS)).toEqual({ do: 'wait', why });
  });

  it('wait for the batch before, and stop at a state that is not the one before', () => {
    const view = new World().view();
    expect(nextStep({ ...view, height: 2 }, BOUNDS)).toEqual({ do: 'wait' });
    expect(nextStep({ ...view, contract: { height: 0, stateRoot: 4n } }, BOUNDS)).toEqual({ do: 'diverged' });
    expect(nextStep({ ...view, contract: { height: 1, stateRoot: 4n } }, BOUNDS)).toEqual({ do: 'diverged' });
    expect(nextStep({ ...view, contract: { height: 2, stateRoot: 4n } }, BOUNDS)).toEqual({ do: 'included' });
  });

  it('pause longer after each failure, up to the longest', () => {
    expect([1, 2, 3, 4, 5, 1_000].map((count) => retryDelay(count, BOUNDS))).toEqual([2, 4, 8, 16, 16, 16]);
    const view = { ...new World().view(), failures: 2, lastFailureAt: 100 };
    expect(nextStep({ ...view, now: 103 }, BOUNDS)).toEqual({ do: 'wait' });
    expect(nextStep({ ...view, now: 104 }, BOUNDS)).toMatchObject({ do: 'send', nonce: 0 });
  });
});
