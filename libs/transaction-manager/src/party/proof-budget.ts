import { hostKey } from '@tetrad/types';

/** Proofs that are asked for in one announcement interval: for announcements from one address, and from all. */
const MAX_OF_ADDRESS = 100;
const MAX_OF_ALL = 1_000;

/** Bounds what announcements make us ask of other managers, however many come. */
export class ProofBudget {
  private readonly used = new Map<string, number>();
  private total = 0;

  /**
   * @param from - address of the announcer
   * @param wanted - proofs
   * @returns how many may be asked for now
   */
  take(from: string, wanted: number): number {
    const announcer = hostKey(from);
    const used = this.used.get(announcer) ?? 0;
    const granted = Math.max(0, Math.min(wanted, MAX_OF_ADDRESS - used, MAX_OF_ALL - this.total));
    if (granted === 0) return 0;
    this.used.set(announcer, used + granted);
    this.total += granted;
    return granted;
  }

  /** One announcement interval has passed. */
  refill(): void {
    this.used.clear();
    this.total = 0;
  }
}
