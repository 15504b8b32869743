/** How places are divided while all kinds of work wait. */
export interface FairRates {
  /** How many of each a contract lets others demand in the same time. */
  readonly requests: number;
  readonly deposits: number;
  /** Part of all places that what was accepted has: demands cost nothing, and must not keep out those who ask politely. */
  readonly accepted: number;
}

export interface Waiting<Request, Deposit, Accepted> {
  /** In the order in which they are served. */
  readonly requests: readonly Request[];
  /** In the order of the contract. */
  readonly deposits: readonly Deposit[];
  /** Operations of accounts, in their turns. */
  readonly accepted: readonly Accepted[];
  /** In the order of acceptance. */
  readonly registrations: readonly Accepted[];
}

export type Ordered<Request, Deposit, Accepted> =
  { readonly request: Request } | { readonly deposit: Deposit } | { readonly accepted: Accepted };

/** The places that there are, and what takes more than one of them: its kind has as many fewer turns. */
export interface FairPlaces<Request, Deposit, Accepted> {
  readonly rates: FairRates;
  readonly places: number;
  readonly placesOf?: (one: Ordered<Request, Deposit, Accepted>) => number;
}

/**
 * Part of the places of what was accepted that registrations have while operations of accounts wait: strangers make any number of them, and
 * new holders must come in.
 */
const PART_OF_REGISTRATIONS = 0.25;

/** Takes turns between requests, deposits and what was accepted: each may be flooded, and none may wait for the end of another. */
export class FairOrder {
  private readonly deposits = new Turns();
  private readonly accepted = new Turns();
  private readonly registrations = new Turns();

  /**
   * Orders what waits. What one kind does not use of its places, the others have.
   *
   * @param waiting - of each kind
   * @param options - rates, how many places there are, and how many of them each takes; by default one
   * @returns what fills the places, in its order; the last one may go beyond them
   */
  next<Request, Deposit, Accepted>(
    waiting: Waiting<Request, Deposit, Accepted>,
    { rates, places, placesOf = () => 1 }: FairPlaces<Request, Deposit, Accepted>,
  ): Ordered<Request, Deposit, Accepted>[] {
    const ordered: Ordered<Request, Deposit, Accepted>[] = [];
    let taken = 0;
    const [requests, deposits, accepted] = [
      new Line(waiting.requests),
      new Line(waiting.deposits),
      this.acceptedInTurns(waiting),
    ];
    const part = rates.deposits / (rates.requests + rates.deposits);
    while (taken < places && (requests.waits || deposits.waits || accepted.waits)) {
      const hasDemands = requests.waits || deposits.waits;
      const one: Ordered<Request, Deposit, Accepted> = this.accepted.isNext(
        hasDemands,
        accepted.waits,
        rates.accepted,
      )
        ? { accepted: accepted.take() }
        : this.deposits.isNext(requests.waits, deposits.waits, part)
          ? { deposit: deposits.take() }
          : { request: requests.take() };
      const count = placesOf(one);
      for (const turns of [this.accepted, this.deposits, this.registrations]) turns.charge(count);
      ordered.push(one);
      taken += count;
    }
    return ordered;
  }

  /** Decided with each place, so that those that are not reached have no turn. */
  private acceptedInTurns<Accepted>(
    waiting: Pick<Waiting<never, never, Accepted>, 'accepted' | 'registrations'>,
  ): Pick<Line<Accepted>, 'waits' | 'take'> {
    const [operations, registrations] = [new Line(waiting.accepted), new Line(waiting.registrations)];
    const turns = this.registrations;
    return {
      get waits() {
        return operations.waits || registrations.waits;
      },
      take: () =>
        turns.isNext(operations.waits, registrations.waits, PART_OF_REGISTRATIONS)
          ? registrations.take()
          : operations.take(),
    };
  }
}

/** What waits of a kind, the first in front. */
class Line<Item> {
  private taken = 0;

  constructor(private readonly items: readonly Item[]) {}

  get waits(): boolean {
    return this.taken < this.items.length;
  }

  take(): Item {
    return this.items[this.taken++] as Item;
  }
}

/** Of two kinds, the second one has a part of the places while both wait. */
class Turns {
  /** What the second has gained of a place; below 0 when it had more. */
  private gained = 0;
  /** The turn that was given while both waited, until it is known how many places it takes. */
  private given: { readonly part: number; readonly toSecond: boolean } | undefined;

  isNext(hasFirst: boolean, hasSecond: boolean, part: number): boolean {
    this.given = undefined;
    if (!hasFirst || !hasSecond) return hasSecond;
    const toSecond = this.gained + part >= 1;
    this.given = { part, toSecond };
    return toSecond;
  }

  /** @param places - of what had the turn; without one, nothing is counted */
  charge(places: number): void {
    if (this.given === undefined) return;
    const { part, toSecond } = this.given;
    this.gained += part * places - (toSecond ? places : 0);
    this.given = undefined;
  }
}
