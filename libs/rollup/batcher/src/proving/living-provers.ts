import type { Database } from '@tetrad/db';
import { PROVING_SIZES, isLeased, takeLease } from '@tetrad/rollup-store';
import type { Clock } from '@tetrad/types';
import { HEARTBEAT_MS, PROVERS_GONE_MS, PROVER_LEASE_MS } from '../params.js';

/** All provers hold these leases together, so that one row a size says whether any of them lives. */
const HOLDER = 'provers';

const claimOf = (size: number) => ({ name: PROVING_SIZES + String(size), holder: HOLDER });

/**
 * Says that a prover lives for some sizes, for as long as a lease of a prover holds.
 *
 * @param database - of the operator
 * @param sizes - of the batches that it proves
 */
export async function announceProver({ pool }: Database, sizes: readonly number[]): Promise<void> {
  for (const size of sizes) await takeLease(pool, claimOf(size), PROVER_LEASE_MS);
}

export interface LivingProversParts {
  readonly database: Database;
  readonly clock: Clock;
  /** Sizes that batches may have. */
  readonly sizes: readonly number[];
}

/**
 * Which sizes batches are given: a batch of a size that no prover lives for would keep all that come behind it from the chain. While none lives for
 * any size, all are: it makes no difference, and provers of earlier versions do not say that they live.
 */
export class LivingProvers {
  /** Size → since when no prover lives for it, in ms since the epoch. */
  private readonly goneSince = new Map<number, number>();
  private lookedAt = -Infinity;

  constructor(private readonly parts: LivingProversParts) {}

  /** Sizes that some prover lives for, or lived a short time ago. */
  async sizes(): Promise<readonly number[]> {
    const { sizes, clock } = this.parts;
    const now = clock.now();
    if (now - this.lookedAt >= HEARTBEAT_MS) {
      this.lookedAt = now;
      await this.look(sizes, now);
    }
    const usable = sizes.filter((size) => !this.isGone(size));
    return usable.length === 0 ? sizes : usable;
  }

  /** Whether any prover says that it lives: those of the version before do not. */
  async isAnyAlive(): Promise<boolean> {
    return (await this.sizes()).some((size) => !this.goneSince.has(size));
  }

  /** Whether batches of the size wait for a prover that is gone, while others live. */
  async isAbandoned(size: number): Promise<boolean> {
    if ((await this.sizes()).includes(size)) return false;
    // A size of a former start.
    if (!this.parts.sizes.includes(size)) await this.look([size], this.parts.clock.now());
    return this.isGone(size);
  }

  private isGone(size: number): boolean {
    const since = this.goneSince.get(size);
    return since !== undefined && this.parts.clock.now() - since >= PROVERS_GONE_MS;
  }

  private async look(sizes: readonly number[], now: number): Promise<void> {
    for (const size of sizes)
      if (await isLeased(this.parts.database.pool, claimOf(size).name)) this.goneSince.delete(size);
      else if (!this.goneSince.has(size)) this.goneSince.set(size, now);
  }
}
