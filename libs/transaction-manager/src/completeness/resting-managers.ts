/** Most turns for which a manager is not asked. */
const MAX_TURNS = 63;

/** Turns for which a manager is not asked. */
interface Rest {
  readonly turns: number;
  readonly left: number;
  readonly doubt: string;
  readonly failures: number;
}

/** Managers that are not asked for some turns, since each question makes them read and send all they have. */
export class RestingManagers {
  private readonly resting = new Map<string, Rest>();

  /**
   * Begins a turn of a manager.
   * @returns what is not known of one that is not asked in it; undefined for one that is
   */
  rest(url: string): string | undefined {
    const rest = this.resting.get(url);
    if (rest === undefined || rest.left === 0) return undefined;
    this.resting.set(url, { ...rest, left: rest.left - 1 });
    return rest.doubt;
  }

  /**
   * The manager is asked again later, each time twice as late.
   * @param hasFailed - whether it did not send all it has
   */
  leave(url: string, doubt: string, hasFailed: boolean): void {
    const turns = Math.min((this.resting.get(url)?.turns ?? 0) * 2 + 1, MAX_TURNS);
    const failures = this.failuresOf(url) + (hasFailed ? 1 : 0);
    this.resting.set(url, { turns, left: turns, doubt, failures });
  }

  /** How often a manager failed before a rest. */
  failuresOf(url: string): number {
    return this.resting.get(url)?.failures ?? 0;
  }

  clear(): void {
    this.resting.clear();
  }
}
