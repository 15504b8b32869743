import type { BlockHeader } from '@tetrad/types';
import type { Random } from './random.js';
import type { VirtualClock } from '@tetrad/testkit';

/** What travels: a consensus message, a sealed block, or the height of a head. */
export type Parcel =
  | { readonly kind: 'consensus'; readonly bytes: Uint8Array }
  | { readonly kind: 'block'; readonly header: BlockHeader }
  | { readonly kind: 'head'; readonly height: number };

export interface NetworkFaults {
  readonly loss: number;
  readonly duplication: number;
  /** Milliseconds; different delays reorder. */
  readonly minDelayMs: number;
  readonly maxDelayMs: number;
}

export const CALM: NetworkFaults = { loss: 0, duplication: 0, minDelayMs: 1, maxDelayMs: 20 };

/** Carries parcels between nodes by number, late, twice, never or not across a partition. */
export class SimulatedNetwork {
  faults: NetworkFaults = CALM;
  /** Which side of a partition each node is on; all on one when empty. */
  private sides: readonly number[] = [];

  constructor(
    private readonly clock: VirtualClock,
    private readonly random: Random,
    private readonly deliver: (to: number, parcel: Parcel, from: number) => void,
  ) {}

  partition(sides: readonly number[]): void {
    this.sides = sides;
  }

  heal(): void {
    this.sides = [];
    this.faults = CALM;
  }

  send(from: number, to: number, parcel: Parcel): void {
    const copies = this.random.chance(this.faults.duplication) ? 2 : 1;
    for (let copy = 0; copy < copies; copy++) this.sendOnce(from, to, parcel);
  }

  private sendOnce(from: number, to: number, parcel: Parcel): void {
    const { loss, minDelayMs, maxDelayMs } = this.faults;
    if (this.random.chance(loss)) return;
    this.clock.schedule(this.random.integer(minDelayMs, maxDelayMs), () => {
      // A partition cuts what is under way, too.
      if (this.sides[from] === this.sides[to]) this.deliver(to, parcel, from);
    });
  }
}
