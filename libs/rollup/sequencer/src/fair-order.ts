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
  /** In the order of acceptance. */
  readonly accepted: readonly Accepted[];
}

export type Ordered<Request, Deposit, Accepted> =
  { readonly request: Request } | { readonly deposit: Deposit } | { readonly accepted: Accepted };

/** Takes turns between requests, deposits and what was accepted: each may be flooded, and none may wait for the end of another. */
export class FairOrder {
  private readonly deposits = new Turns();
  private readonly accepted = new Turns();

  /**
   * Orders what waits. What one kind does not use of its places, the others have.
   *
   * @param waiting - of each kind
   * @param options - rates, and how many places there are
   * @returns as many of all as there are places, in their order
   */
  next<Request, Deposit, Accepted>(
    waiting: Waiting<Request, Deposit, Accepted>,
    { rates, places }: { readonly rates: FairRates; readonly places: number },
  ): Ordered<Request, Deposit, Accepted>[] {
    const ordered: Ordered<Request, Deposit, Accepted>[] = [];
    const [requests, deposits, accepted] = [
      waiting.requests.values(),
      waiting.deposits.values(),
      waiting.accepted.values(),
    ];
    const left = {
      requests: waiting.requests.length,
      deposits: waiting.deposits.length,
      accepted: waiting.accepted.length,
    };
    const part = rates.deposits / (rates.requests + rates.deposits);
    while (ordered.length < places && left.requests + left.deposits + left.accepted > 0) {
      const hasDemands = left.requests + left.deposits > 0;
      if (this.accepted.isNext(hasDemands, left.accepted > 0, rates.accepted)) {
        left.accepted -= 1;
        ordered.push({ accepted: accepted.next().value as Accepted });
      } else if (this.deposits.isNext(left.requests > 0, left.deposits > 0, part)) {
        left.deposits -= 1;
        ordered.push({ deposit: deposits.next().value as Deposit });
      } else {
        left.requests -= 1;
        ordered.push({ request: requests.next().value as Request });
      }
    }
    return ordered;
  }
}

/** Of two kinds, the second one has a part of the places while both wait. */
class Turns {
  /** What the second has gained of a place. */
  private credit = 0;

  isNext(hasFirst: boolean, hasSecond: boolean, part: number): boolean {
    if (!hasFirst || !hasSecond) return hasSecond;
    this.credit += part;
    if (this.credit < 1) return false;
    this.credit -= 1;
    return true;
  }
}
