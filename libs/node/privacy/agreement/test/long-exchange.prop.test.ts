import { describe, expect, it } from '@jest/globals';
import { VirtualClock, seededRandom, testSeed } from '@tetrad/testkit';
import { VirtualNetwork, type VirtualTransaction } from './virtual-network.js';
import { VirtualParty } from './virtual-party.js';

const PERIOD_MS = 1_000;
/** Ten thousand transactions in all. */
const TRANSACTIONS = 3_334;
const MAX_IN_BLOCK = 12;
const CONTRACTS = 6;
/** Blocks within which all is agreed on once every party is up and the links are good. */
const SETTLED_WITHIN = 60;
/** Of these blocks at the head statements are under way. */
const UNDER_WAY = 6;

class Exchange {
  readonly clock = new VirtualClock();
  readonly random = seededRandom(testSeed());
  readonly network = new VirtualNetwork<VirtualParty>(this.clock, this.random);
  sent = 0;
  restarts = 0;

  constructor(private readonly count: number) {
    this.network.parties = Array.from({ length: count }, (_, index) => new VirtualParty(this.network, index));
    for (const party of this.network.parties) party.start();
  }

  /** Blocks with random transactions. */
  async mine(blocks: number, between?: () => void): Promise<void> {
    for (let block = 0; block < blocks; block++) {
      this.network.mine(this.transactions());
      between?.();
      await this.clock.runUntil(this.clock.now() + PERIOD_MS, () => false);
    }
  }

  /** Kills parties, for up to half a minute, and starts them again. */
  trouble(): void {
    for (const party of this.network.parties) {
      if (!party.isUp || this.random() > 0.02) continue;
      this.restarts += 1;
      party.kill();
      this.clock.schedule(this.random() * 30_000, () => party.start());
    }
  }

  /** Blocks before those at the head on which some party does not agree yet. */
  open(): string[] {
    return this.network.parties.flatMap((party) =>
      party
        .rows()
        .filter(({ block }) => block <= this.network.head - UNDER_WAY)
        .filter(({ state }) => state === 'pending' || state === 'comparing')
        .map(({ own, other, block, state, sends }) => `${own} ${other} ${block} ${state} ${sends}`),
    );
  }

  private transactions(): VirtualTransaction[] {
    return Array.from({ length: this.below(MAX_IN_BLOCK + 1) }, () => {
      const sender = this.below(this.count);
      const others = this.network.parties.map((_, one) => one).filter((one) => one !== sender);
      const some = others.filter(() => this.random() < 0.6);
      const recipients = some.length === 0 ? [others[this.below(others.length)] as number] : some;
      const contract = this.below(CONTRACTS);
      return { name: `${++this.sent}`, sender, recipients, contract, areKnownToAll: contract % 3 === 0 };
    });
  }

  private below(bound: number): number {
    return Math.floor(this.random() * bound);
  }
}

describe.each([2, 3, 4])('%i parties with equal results', (count) => {
  it('agree on each block soon after the last fault, and never report a divergence', async () => {
    const exchange = new Exchange(count);
    const { network } = exchange;
    network.faults = { lost: 0.05, twice: 0.05, maxDelayMs: 2_000 };
    while (exchange.sent < TRANSACTIONS) await exchange.mine(1, () => exchange.trouble());
    network.heal();
    await exchange.mine(SETTLED_WITHIN);
    expect(exchange.restarts).toBeGreaterThan(count);
    expect(exchange.open()).toEqual([]);
    for (const party of network.parties) expect(party.states.has('diverged')).toBe(false);
  });

  it('agree soon after all compare every block anew at once', async () => {
    const exchange = new Exchange(count);
    await exchange.mine(150);
    for (const party of exchange.network.parties) party.compareSince(1);
    await exchange.mine(SETTLED_WITHIN);
    expect(exchange.open()).toEqual([]);
    for (const party of exchange.network.parties) expect(party.states.has('diverged')).toBe(false);
  });
});
