import { signingAccountId, type RollupStore, type StoredOperation } from '@tetrad/rollup-store';
import { AccountCache } from './account-cache.js';
import { adoptBatch, type AdoptionKeys, type FinalBatch } from './adopt-batch.js';
import { assembleBatch } from './assembly.js';
import { BatchSizes } from './batch-sizes.js';
import { ExecutionPlan, rollupOperation } from './execution-plan.js';
import { readOrders } from './execution-reads.js';
import { reopenAccounts } from './reopen-account.js';

export interface SequencerOptions {
  /** Which rollup it is (rollupDomain). */
  readonly domain: bigint;
  /** Operations of a batch, of the largest one where there are others. */
  readonly batchSize: number;
  /** Sizes for batches with less in them. */
  readonly smallerSizes?: readonly number[] | undefined;
  /** Open orders of a smaller amount may be skipped, which forfeits them. By default none may. */
  readonly minOrderAmount?: bigint | undefined;
  /** Operations and deposits that one step executes at most. */
  readonly stepSize?: number;
  /** Secrets of the operator's half of joint keys, the present one first: what is read with them of batches of others. */
  readonly operatorSecrets?: readonly bigint[];
  /** Accounts that are kept in memory at most. */
  readonly cachedAccounts?: number;
}

export interface PendingOptions {
  /** Batches wait for a prover: one is closed only when it has the largest size. By default none does. */
  readonly isProverBehind?: boolean;
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
 * Gives operations their order: executes what was accepted, fills batches with it, and writes their trees. Each call is
 * one transaction under the lock of the sequence, so any number of these may run; all but one wait.
 */
export class Sequencer {
  private readonly accounts: AccountCache;
  private readonly sizes: BatchSizes;

  constructor(
    private readonly store: RollupStore,
    private readonly options: SequencerOptions,
  ) {
    this.accounts = new AccountCache(options.cachedAccounts);
    this.sizes = new BatchSizes([options.batchSize, ...(options.smallerSizes ?? [])]);
  }

  /** Executes deposits, then what was accepted; as long as there is something, there may be more. */
  async executePending({ isProverBehind = false }: PendingOptions = {}): Promise<StepResult> {
    const limit = this.options.stepSize ?? STEP_SIZE;
    const { plan, version } = await this.store.sequence(async (step) => {
      // Opened when batches were larger: what is in it is executed again.
      if (step.head.openIndex >= this.sizes.largest) await step.rewind(step.head.openHeight);
      const deposits = await step.readyDeposits(limit);
      const ready = await step.readyOperations(limit - deposits.length);
      const operations = await reopenAccounts(step, ready, this.keys);
      const accounts = await this.accounts.read(step, accountsOf(operations));
      const orders = await readOrders(
        step,
        operations.map((stored) => rollupOperation(stored, 0)),
        this.options.minOrderAmount ?? 0n,
      );
      const given = isProverBehind ? undefined : deposits.length + operations.length;
      const reads = { ...orders, account: (id: number) => accounts.get(id) };
      const plan = new ExecutionPlan(step.head, { sizes: this.sizes, given }, reads);
      for (const deposit of deposits) plan.takeDeposit(deposit);
      for (const operation of operations) plan.execute(operation);
      const isIdle = deposits.length + operations.length === 0;
      const head = isIdle ? step.head : await step.execute(plan.write, plan.head);
      return { plan, version: head.version };
    });
    this.accounts.remember(plan.accounts, version);
    return resultOf(plan);
  }

  /** Seals the open batch, however little is in it. Out: its height, undefined when nothing is in it */
  async sealOpenBatch(): Promise<number | undefined> {
    return this.store.sequence(async (step) => {
      const { openIndex, openHeight } = step.head;
      if (openIndex === 0) return undefined;
      const plan = new ExecutionPlan(step.head, { sizes: this.sizes }, NOTHING_READ);
      plan.seal();
      await step.execute(plan.write, plan.head);
      return openHeight;
    });
  }

  /** Writes the trees of the next sealed batch. Out: its height, undefined without one. Fails: SequencerError */
  async assembleNext(): Promise<number | undefined> {
    return this.store.sequence(async (step) => {
      const height = step.head.assembledHeight + 1;
      if (height >= step.head.openHeight) return undefined;
      await assembleBatch(step, await step.batch(height), this.options.domain);
      return height;
    });
  }

  /**
   * Takes over a batch that the chain has and this operator did not make, and makes its row final; our own from its height
   * on are taken back.
   *
   * Fails: UnreadableBatchError, and nothing is changed, when it does not follow on the rows, or needs the key
   */
  async adopt(batch: FinalBatch): Promise<void> {
    await this.store.sequence((step) => adoptBatch(step, batch, this.keys));
  }

  private get keys(): AdoptionKeys {
    const { domain, operatorSecrets = [] } = this.options;
    return { domain, operatorSecrets };
  }
}

const NOTHING_READ = { account: () => undefined, orders: new Map(), previous: new Map() };

function accountsOf(operations: readonly StoredOperation[]): Set<number> {
  const ids = operations.map(({ operation }) => signingAccountId(operation));
  return new Set(ids.filter((id) => id !== undefined));
}

function resultOf(plan: ExecutionPlan): StepResult {
  const { executed, rejected, waiting, batches } = plan.write;
  const sealed = batches.filter(({ state }) => state === 'sealed').map(({ height }) => height);
  return { executed: executed.length, rejected: rejected.length, waiting: waiting.length, sealed };
}
