import {
  PART_OF_ACCEPTED,
  capacityPerTimeout,
  operationsPerTimeout,
  type ServingTerms,
} from '@tetrad/rollup-chain';
import { FairOrder, type Ordered } from '@tetrad/rollup-sequencer';
import { MAX_WAITING } from '../src/params.js';

/** A sum in the rollup that moves as a whole: an order until it is redeemed, then a balance. */
export interface Sum {
  account: number;
  amount: number;
  isOrder: boolean;
}

export interface Request {
  readonly sum: Sum;
  readonly since: number;
  /** Progress of a unit at which it has had its share. */
  readonly target: number;
  isPlanned: boolean;
}

interface Deposit {
  readonly account: number;
  readonly amount: number;
  readonly due: number;
}

type Item = Ordered<Request, Deposit, 'ordinary'>;

/** How an operator serves. By default as ours does; tests have others to see that the game can be lost. */
export interface ServingRules {
  /**
   * What is lowest is made first.
   * @param request - how much is missing of its share, and since when it is open
   */
  readonly rank: (request: { readonly left: number; readonly since: number }) => number;
  /** Closed batches that may wait. */
  readonly maxWaiting: number;
  /** Part of the places of demands that deposits have while requests wait; by default as the terms divide them. */
  readonly partOfDeposits?: number;
  /** Which requests it makes, and whether it takes deposits. */
  readonly makes: (request: Request, missing: () => number) => boolean;
  readonly takesDeposits: boolean;
}

const OURS: ServingRules = {
  rank: ({ left }) => left,
  maxWaiting: MAX_WAITING,
  makes: () => true,
  takesDeposits: true,
};

export interface GameOptions {
  readonly terms: ServingTerms;
  readonly batchSize: number;
  /** As a part of what the terms promise. */
  readonly speed: number;
  /** Batches between two looks at what is open; the batcher looks more often. */
  readonly batchesPerLook?: number;
  readonly rules?: Partial<ServingRules>;
}

/**
 * The demands of holders of one token as Requests.sol and Deposits.sol count them, and an operator that serves them as the batcher
 * does: with its order, and behind as many closed batches as it lets wait. Ordinary operations, which cost their senders nothing, wait
 * without end.
 */
export class DemandGame {
  time = 0;
  held = 0;
  /** Units that left the rollup. */
  paid = 0;
  /** The most that was held at a time. */
  most = 0;
  /** Requests in whose place another one was made. */
  replaced = 0;
  rules: ServingRules;
  readonly sums: Sum[] = [];
  readonly requests = new Map<number, Request>();
  readonly deposits: Deposit[] = [];
  private nextDeposit = 0;
  private planned = 0;
  private progress = 0;
  private readonly order = new FairOrder();
  private readonly batches: Item[][] = [];
  private readonly batchSeconds: number;
  private made = 0;
  /** Places that ordinary operations had. */
  ordinary = 0;

  constructor(private readonly options: GameOptions) {
    const { terms, batchSize, speed, rules } = options;
    this.rules = { ...OURS, ...rules };
    this.batchSeconds = (batchSize * terms.stallTimeoutSeconds) / (capacityPerTimeout(terms) * speed);
  }

  /** What is in the rollup, in whatever form. */
  get inside(): number {
    const waiting = this.deposits.slice(this.nextDeposit).reduce((sum, { amount }) => sum + amount, 0);
    return this.sums.reduce((sum, { amount }) => sum + amount, waiting);
  }

  get waitingDeposits(): number {
    return this.deposits.length - this.nextDeposit;
  }

  deposit(account: number, amount: number): void {
    const { stallTimeoutSeconds, depositsPerTimeout } = this.options.terms;
    const last = this.waitingDeposits > 0 ? this.deposits.at(-1) : undefined;
    const behind = last === undefined ? 0 : last.due + stallTimeoutSeconds / depositsPerTimeout;
    this.deposits.push({ account, amount, due: Math.max(this.time + stallTimeoutSeconds, behind) });
    this.held += amount;
    this.most = Math.max(this.most, this.held);
  }

  /** Asks for a sum, or a part of a balance, also in place of what is open for more than twice as long. */
  request(sum: Sum, part: number): void {
    const open = this.requests.get(sum.account);
    const amount = sum.isOrder ? sum.amount : partOf(sum, part);
    const { stallTimeoutSeconds, requestsPerTimeout } = this.options.terms;
    const target = this.progress + stallTimeoutSeconds / (requestsPerTimeout * amount);
    const asked = { since: this.time, target };
    if (open !== undefined && 2 * this.secondsLeft(asked) > this.secondsLeft(open)) return;
    if (open !== undefined) this.replaced += 1;
    const moved = sum.isOrder ? sum : this.split(sum, amount);
    // What is planned of the account answers this one too.
    this.requests.set(sum.account, { ...asked, sum: moved, isPlanned: open?.isPlanned ?? false });
  }

  private secondsLeft({ since, target }: Pick<Request, 'since' | 'target'>): number {
    const { stallTimeoutSeconds } = this.options.terms;
    return Math.max(since + stallTimeoutSeconds - this.time, (target - this.progress) * this.held);
  }

  /** Pays a sum to another account by an ordinary operation at once, which answers what its account has asked for. */
  move(sum: Sum, account: number): void {
    const open = this.requests.get(sum.account);
    // What has its place comes before.
    if (open?.isPlanned === true) return;
    this.requests.delete(sum.account);
    sum.account = account;
    sum.isOrder = true;
  }

  /** Makes one batch, and plans those after it. */
  step(): void {
    this.time += this.batchSeconds;
    if (this.held > 0) this.progress += this.batchSeconds / this.held;
    this.made += 1;
    if (this.batches.length === 0 || this.made % (this.options.batchesPerLook ?? 1) === 0) this.plan();
    for (const item of this.batches.shift() ?? []) this.execute(item);
  }

  /** Whether anyone may freeze the contract. */
  get isOverdue(): boolean {
    const deposit = this.deposits[this.nextDeposit];
    if (deposit !== undefined && this.time >= deposit.due) return true;
    const { stallTimeoutSeconds } = this.options.terms;
    for (const { since, target } of this.requests.values())
      if (this.time >= since + stallTimeoutSeconds && this.progress >= target) return true;
    return false;
  }

  private plan(): void {
    const { batchSize } = this.options;
    const places = (this.rules.maxWaiting - this.batches.length) * batchSize;
    const open = this.largestShares(places);
    const from = this.nextDeposit + this.planned;
    const deposits = this.rules.takesDeposits ? this.deposits.slice(from, from + places) : [];
    const rates = this.rates;
    const accepted = Array.from({ length: places }, () => 'ordinary' as const);
    const items: Item[] = this.order.next(
      { requests: open, deposits, accepted, registrations: [] },
      { rates, places },
    );
    for (const item of items) {
      if ('request' in item) item.request.isPlanned = true;
      else if ('deposit' in item) this.planned += 1;
      else this.ordinary += 1;
    }
    for (let index = 0; index < places; index += batchSize)
      this.batches.push(items.slice(index, index + batchSize));
  }

  private get rates() {
    const { terms } = this.options;
    const requests = operationsPerTimeout(terms) - terms.depositsPerTimeout;
    const part =
      this.rules.partOfDeposits ?? terms.depositsPerTimeout / (requests + terms.depositsPerTimeout);
    return { requests: 1 - part, deposits: part, accepted: PART_OF_ACCEPTED };
  }

  private largestShares(count: number): Request[] {
    const left = ({ target, sum }: Request) => (target - this.progress) * sum.amount;
    const rank = (request: Request) => this.rules.rank({ left: left(request), since: request.since });
    return [...this.requests.values()]
      .filter((request) => !request.isPlanned && this.rules.makes(request, () => this.missing(request)))
      .map((request) => ({ request, rank: rank(request) }))
      .sort((one, other) => one.rank - other.rank)
      .slice(0, count)
      .map(({ request }) => request);
  }

  /** Part of its window that a request has left, while as much is held: 1 at first. */
  private missing({ since, target }: Request): number {
    const { stallTimeoutSeconds } = this.options.terms;
    const due = Math.max(since + stallTimeoutSeconds, this.time + (target - this.progress) * this.held);
    return (due - this.time) / (due - since);
  }

  private execute(item: Item): void {
    if ('deposit' in item) {
      this.nextDeposit += 1;
      this.planned -= 1;
      this.sums.push({ ...item.deposit, isOrder: true });
    } else if ('request' in item) {
      const { sum } = item.request;
      this.requests.delete(sum.account);
      if (sum.isOrder) sum.isOrder = false;
      else this.pay(sum);
    }
  }

  private pay(sum: Sum): void {
    this.sums.splice(this.sums.indexOf(sum), 1);
    this.held -= sum.amount;
    this.paid += sum.amount;
  }

  private split(sum: Sum, amount: number): Sum {
    if (amount >= sum.amount) return sum;
    sum.amount -= amount;
    const moved = { account: sum.account, amount, isOrder: false };
    this.sums.push(moved);
    return moved;
  }
}

const partOf = ({ amount }: Sum, part: number): number => Math.max(1, Math.floor(amount * part));
