import type { OpenRequest, RollupStore, SequenceStep, TokenProgress } from '@tetrad/rollup-store';
import { AccountCache } from './account-cache.js';
import { adoptBatch, type AdoptionKeys, type FinalBatch } from './adopt-batch.js';
import { assembleBatch } from './assembly.js';
import { BatchSizes } from './batch-sizes.js';
import type { PlanSizes } from './batch-places.js';
import { executeRequest } from './execute-request.js';
import { ExecutionPlan, rollupOperation } from './execution-plan.js';
import { readOrders } from './execution-reads.js';
import { FairOrder, type FairRates } from './fair-order.js';
import {
  accountsOf,
  leftOf,
  placesOf,
  receiversOf,
  storedOf,
  withoutShort,
  type Pending,
} from './pending.js';
import { reopenAccounts } from './reopen-account.js';

export interface SequencerOptions {
  /** Which rollup it is (rollupDomain). */
  readonly domain: bigint;
  /** Operations of a batch, of the largest one where there are others. */
  readonly batchSize: number;
  /** Sizes for batches with less in them. */
  readonly smallerSizes?: readonly number[] | undefined;
  /** Open orders of a smaller amount may be skipped, which forfeits them. By default those of amount 0, which none can redeem. */
  readonly minOrderAmount?: bigint | undefined;
  /** Operations and deposits that one step executes at most. */
  readonly stepSize?: number;
  /** Secrets of the operator's half of joint keys, the present one first: what is read with them of batches of others. */
  readonly operatorSecrets?: readonly bigint[];
  /** Whether the contract has consents, asked once: nothing is executed before it is known. By default it has them. */
  readonly hasConsents?: () => Promise<boolean>;
  /** Accounts that are kept in memory at most. */
  readonly cachedAccounts?: number;
}

/** How the requests of a contract that freezes are served: the largest share first. */
export interface ServedRequests {
  /** Progress of tokens with open requests, as the contract has it. */
  readonly progress: readonly TokenProgress[];
  readonly rates: FairRates;
}

export interface PendingOptions {
  /** Batches wait for a prover: one is closed only when it has the largest size. By default none does. */
  readonly isProverBehind?: boolean;
  /**
   * Of a contract that freezes. It takes no creation whose text does not name the account's key: such registrations are rejected. By
   * default it has turns, where nothing is served by requests.
   */
  readonly requests?: ServedRequests | undefined;
  /** Operations and deposits that it executes at most. */
  readonly room?: number | undefined;
  /** Of its sizes, those that batches may have now; by default all. */
  readonly sizes?: readonly number[] | undefined;
}

/** What one step did. */
export interface StepResult {
  readonly executed: number;
  readonly rejected: number;
  readonly waiting: number;
  /** Heights of the batches that it filled. */
  readonly sealed: readonly number[];
}

const STEP_SIZE = 1_000;
/**
 * Deposits are credited while no more of them wait: a credit takes places, and who waits for a deposit must not wait for the credits
 * of others as well. Beyond, and while holders have requests, deposits become orders.
 */
const MAX_CREDITED_DEPOSITS = 100;

/**
 * Gives operations their order: executes what was accepted, fills batches with it, and writes their trees. Each call is
 * one transaction under the lock of the sequence, so any number of these may run; all but one wait.
 */
export class Sequencer {
  private readonly accounts: AccountCache;
  private readonly sizes: BatchSizes;
  private readonly order = new FairOrder();
  private consents: boolean | undefined;

  constructor(
    private readonly store: RollupStore,
    private readonly options: SequencerOptions,
  ) {
    this.accounts = new AccountCache(options.cachedAccounts);
    this.sizes = new BatchSizes([options.batchSize, ...(options.smallerSizes ?? [])]);
  }

  /** Which rollup it is. */
  get domain(): bigint {
    return this.options.domain;
  }

  /** Operations of the largest batch. */
  get largestSize(): number {
    return this.sizes.largest;
  }

  /**
   * Executes what others can demand, requests and deposits, in turns with what was accepted; as long as there is something, there
   * may be more.
   */
  async executePending({
    isProverBehind = false,
    requests,
    room = Infinity,
    ...options
  }: PendingOptions = {}): Promise<StepResult> {
    const sizes = this.usable(options.sizes);
    await this.hasConsents();
    const limit = Math.min(this.options.stepSize ?? STEP_SIZE, room);
    const { plan, version } = await this.store.sequence(async (step) => {
      // Opened when batches were larger: what is in it is executed again.
      if (step.head.openIndex >= sizes.largest) await step.rewind(step.head.openHeight);
      const { pending, creditsDeposits } = await this.read(step, limit, requests);
      const given = isProverBehind ? undefined : pending.length;
      const plan = await this.plan(step, pending, { sizes, given, creditsDeposits });
      const head = pending.length === 0 ? step.head : await step.execute(plan.write, plan.head);
      await step.addOpaque(plan.opaquePlaces);
      return { plan, version: head.version };
    });
    this.accounts.remember(plan.accounts, version);
    return resultOf(plan);
  }

  /** What a step executes, in order. */
  private async read(
    step: SequenceStep,
    places: number,
    requests: ServedRequests | undefined,
  ): Promise<{ readonly pending: readonly Pending[]; readonly creditsDeposits: boolean }> {
    const hasConsents = await this.hasConsents();
    const deposits = await step.readyDeposits(Math.max(places, MAX_CREDITED_DEPOSITS + 1));
    const open = requests === undefined ? [] : await step.openRequests(requests.progress, places);
    // What was asked for as well as accepted has its place. The places of the others are counted without it.
    const asked = open.map(({ stored }) => stored.sequence);
    const { operations: accepted, ...ready } = await step.readyOperations(places, asked);
    const reopened = await reopenAccounts(step, ready.registrations, await this.keys());
    const registrations = requests === undefined ? reopened : await withoutShort(step, reopened);
    const creditsDeposits = hasConsents && open.length === 0 && deposits.length <= MAX_CREDITED_DEPOSITS;
    const waiting = { requests: open, deposits, accepted, registrations };
    const credits = { hasConsents, creditsDeposits };
    const rates = requests?.rates ?? DEPOSITS_FIRST;
    const pending = this.order.next(waiting, { rates, places, placesOf: (one) => placesOf(one, credits) });
    await step.leaveRequests(leftOf(open, pending));
    return { pending, creditsDeposits };
  }

  private async plan(
    step: SequenceStep,
    pending: readonly Pending[],
    { creditsDeposits, ...sizes }: PlanSizes & { readonly creditsDeposits: boolean },
  ): Promise<ExecutionPlan> {
    const all = pending.flatMap(storedOf);
    const ids = new Set([...accountsOf(all), ...receiversOf(pending, creditsDeposits)]);
    const accounts = await this.accounts.read(step, ids);
    const orders = await readOrders(
      step,
      all.map((stored) => rollupOperation(stored, 0)),
      this.options.minOrderAmount ?? 1n,
    );
    const reads = { ...orders, account: (id: number) => accounts.get(id) };
    const isReadable = ({ proved }: OpenRequest) => accounts.has(proved.id);
    const { consentDomain } = this;
    const plan = new ExecutionPlan(step.head, sizes, reads, consentDomain);
    for (const one of pending) {
      if ('deposit' in one) plan.takeDeposit(one.deposit, creditsDeposits);
      else if ('accepted' in one) plan.execute(one.accepted);
      else await executeRequest(step, plan, { ...one.request, isReadable: isReadable(one.request) });
    }
    return plan;
  }

  /**
   * Seals the open batch, however little is in it.
   *
   * @param usable - of its sizes, those that batches may have now; by default all
   * @returns its height, undefined when nothing is in it or it is larger than batches may be
   */
  async sealOpenBatch(usable?: readonly number[]): Promise<number | undefined> {
    const sizes = this.usable(usable);
    return this.store.sequence(async (step) => {
      const { openIndex, openHeight } = step.head;
      if (openIndex === 0 || openIndex > sizes.largest) return undefined;
      const plan = new ExecutionPlan(step.head, { sizes }, NOTHING_READ);
      plan.seal();
      await step.execute(plan.write, plan.head);
      return openHeight;
    });
  }

  /**
   * Writes the trees of the next sealed batch.
   * @returns its height, undefined without one
   * @throws SequencerError
   */
  async assembleNext(): Promise<number | undefined> {
    const hasConsents = await this.hasConsents();
    return this.store.sequence(async (step) => {
      const height = step.head.assembledHeight + 1;
      if (height >= step.head.openHeight) return undefined;
      await assembleBatch(step, await step.batch(height), { domain: this.options.domain, hasConsents });
      return height;
    });
  }

  /**
   * Takes over a batch that the chain has and this operator did not make, and makes its row final; our own from its height
   * on are taken back.
   * @throws UnreadableBatchError, and nothing is changed, when it does not follow on the rows, or needs the key
   */
  async adopt(batch: FinalBatch): Promise<void> {
    const keys = await this.keys();
    await this.store.sequence((step) => adoptBatch(step, batch, keys));
  }

  private usable(sizes: readonly number[] | undefined): BatchSizes {
    return sizes === undefined ? this.sizes : this.sizes.among(sizes);
  }

  private async keys(): Promise<AdoptionKeys> {
    const { domain, operatorSecrets = [] } = this.options;
    return { domain, operatorSecrets, hasConsents: await this.hasConsents() };
  }

  private async hasConsents(): Promise<boolean> {
    return (this.consents ??= (await this.options.hasConsents?.()) ?? true);
  }

  /** Once it is known whether there are consents. */
  private get consentDomain(): bigint | undefined {
    return this.consents === true ? this.options.domain : undefined;
  }
}

/** Of a contract with turns, where one that is overdue keeps batches out that leave it. */
const DEPOSITS_FIRST: FairRates = { requests: 0, deposits: 1, accepted: 0 };

const NOTHING_READ = { account: () => undefined, orders: new Map(), previous: new Map() };

function resultOf(plan: ExecutionPlan): StepResult {
  const { executed, rejected, waiting, batches } = plan.write;
  const sealed = batches.filter(({ state }) => state === 'sealed').map(({ height }) => height);
  return { executed: executed.length, rejected: rejected.length, waiting: waiting.length, sealed };
}
