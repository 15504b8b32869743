import type { Database } from '@tetrad/db';
import {
  ChainRpcError,
  type EthereumBlock,
  type EthereumClient,
  type FeeMarket,
  type Fees,
  type RollupReader,
  type RollupCodec,
} from '@tetrad/rollup-chain';
import { underLease, type LeaseClaim, type RollupStore, type StoredSubmission } from '@tetrad/rollup-store';
import type { Clock, Hash, Logger } from '@tetrad/types';
import { AheadSubmitter } from './ahead-submitter.js';
import { BatchCalls } from './batch-call.js';
import { BatchRefusals, type BatchRefusal } from './batch-refusals.js';
import { DivergedError } from './diverged-error.js';
import type { OperatorAccount } from './operator-account.js';
import {
  nextStep,
  type Attempt,
  type SubmissionBounds,
  type SubmissionStep,
  type SubmissionView,
} from './submission-rule.js';
import { FAILURE_CHARACTERS, SENDING_MS } from './params.js';
import { provenOf, type ProvenBatch } from './proven-batch.js';

export interface SubmitterParts {
  readonly database: Database;
  readonly store: RollupStore;
  readonly client: EthereumClient;
  readonly reader: RollupReader;
  readonly codec: RollupCodec;
  readonly account: OperatorAccount;
  readonly chainId: bigint;
  readonly claim: LeaseClaim;
  readonly bounds: SubmissionBounds;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Gets proven batches onto the chain in order, several in a block where they wait. What it knows is in rows and on the chain: each
 * step looks at both and does one thing, so that it may be ended between any two.
 */
export class BatchSubmitter {
  private readonly calls: BatchCalls;
  private readonly refusals: BatchRefusals;
  private readonly ahead: AheadSubmitter;
  /** What keeps the batch that is next from being sent at all, as last seen. */
  private obstacle: string | undefined;

  constructor(private readonly parts: SubmitterParts) {
    this.calls = new BatchCalls(parts);
    this.refusals = new BatchRefusals(parts);
    this.ahead = new AheadSubmitter({
      store: parts.store,
      market: (head) => this.market(head),
      maxFeeLimit: parts.bounds.maxFeeLimit,
      attempt: (batch, sent, head) => this.attempt(batch, sent, head),
      send: (batch, transaction, head) => this.send(batch, { ...transaction, isAhead: true }, head),
    });
  }

  /** Why the batch that is next is not accepted; undefined when nothing is wrong. */
  get failure(): string | undefined {
    return this.refusals.failure ?? this.obstacle;
  }

  /**
   * @returns what was done
   * @throws ChainUnavailableError; DivergedError
   */
  async step(): Promise<SubmissionStep['do']> {
    const { client, reader, store } = this.parts;
    const head = await client.head();
    const contract = await reader.head({ blockHash: head.hash });
    const batch = provenOf(await store.findBatch(contract.height + 1));
    const refusal = this.refusals.of(contract.height + 1);
    if (batch === undefined) {
      this.obstacle = undefined;
      return 'wait';
    }
    const submissions = await store.listSubmissions(batch.row.height);
    const view = await this.view(batch, { head, contract, submissions, refusal });
    const step = nextStep(view, this.parts.bounds);
    this.noteObstacle(step, batch);
    await this.do(step, batch, { head, submissions });
    return step.do === 'wait' && (await this.ahead.step(view, head)) ? 'send' : step.do;
  }

  /** A chain that stays too dear is logged once. */
  private noteObstacle(step: SubmissionStep, { row: { height } }: ProvenBatch): void {
    const why = step.do === 'wait' ? step.why : undefined;
    if (why !== undefined && this.obstacle === undefined)
      this.parts.logger.warn('batch waits', { height, reason: why });
    this.obstacle = why === undefined ? undefined : `batch ${height}: ${why}`;
  }

  private async view(
    batch: ProvenBatch,
    seen: {
      readonly head: EthereumBlock;
      readonly contract: SubmissionView['contract'];
      readonly submissions: readonly StoredSubmission[];
      readonly refusal: BatchRefusal | undefined;
    },
  ): Promise<SubmissionView> {
    const { client, account, clock } = this.parts;
    const { row, roots } = batch;
    const failed = seen.submissions.filter(({ state }) => state === 'reverted' || state === 'dropped');
    const lastFailed = failed.at(-1)?.submittedAt.getTime();
    return {
      height: row.height,
      previousStateRoot: roots.previousState,
      nextStateRoot: roots.state,
      now: clock.now(),
      contract: seen.contract,
      market: await this.market(seen.head),
      nonce: await client.nonce(account.address, { blockHash: seen.head.hash }),
      attempts: await Promise.all(
        seen.submissions
          .filter(({ state }) => state === 'sent')
          .map((sent) => this.attempt(batch, sent, seen.head)),
      ),
      failures: Math.max(failed.length, seen.refusal?.count ?? 0),
      lastFailureAt: seen.refusal?.at ?? lastFailed,
    };
  }

  private async market(head: EthereumBlock): Promise<FeeMarket> {
    return { baseFee: head.baseFeePerGas ?? undefined, gasPrice: await this.parts.client.gasPrice() };
  }

  private async attempt(
    { roots }: ProvenBatch,
    sent: StoredSubmission,
    head: EthereumBlock,
  ): Promise<Attempt> {
    const { client } = this.parts;
    const receipt = await client.receipt(sent.transactionHash);
    // A receipt of a later block than the one at which everything else was read is handled the next time.
    const mined = receipt !== undefined && receipt.blockNumber <= head.number ? receipt : undefined;
    return {
      hash: sent.transactionHash,
      nonce: sent.nonce,
      sentAt: sent.submittedAt.getTime(),
      maxFee: sent.maxFee,
      maxPriorityFee: sent.maxPriorityFee,
      isKnown: receipt !== undefined || (await client.knows(sent.transactionHash)),
      succeeded: mined === undefined ? undefined : mined.status === 1,
      // An earlier version stored no root: it is taken for that of the batch.
      isOutdated: sent.stateRoot !== undefined && sent.stateRoot !== roots.state,
    };
  }

  private async do(
    step: SubmissionStep,
    batch: ProvenBatch,
    seen: { readonly head: EthereumBlock; readonly submissions: readonly StoredSubmission[] },
  ): Promise<void> {
    const { height } = batch.row;
    if (step.do === 'send') await this.send(batch, step, seen.head);
    if (step.do === 'resend') await this.resend(seen.submissions, step.hash);
    if (step.do === 'dropped')
      await this.refusals.giveUp(batch, step.hash, { state: 'dropped', failure: 'NonceUsed' });
    if (step.do === 'reverted') await this.afterRevert(batch, step.hash, seen.head);
    if (step.do === 'diverged')
      throw new DivergedError(`the contract is not in the state that batch ${height} was made for`);
  }

  private async send(
    batch: ProvenBatch,
    {
      nonce,
      fees,
      isAhead = false,
    }: { readonly nonce: number; readonly fees: Fees; readonly isAhead?: boolean },
    head: EthereumBlock,
  ): Promise<void> {
    const { store, account, chainId, reader, database, claim, logger } = this.parts;
    const call = await this.calls.of(batch);
    // On the state that the contract has, a batch behind another one cannot be tried.
    const why = isAhead ? undefined : await this.calls.refusal(call, head);
    if (why !== undefined) return this.refusals.refuse(batch, why);
    const { hash, raw } = await account.sign({
      chainId,
      to: reader.contract,
      data: call.data,
      nonce,
      fees,
      gasLimit: call.gas,
      hasBaseFee: typeof head.baseFeePerGas === 'bigint',
    });
    const { height, state } = batch.row;
    const submission = {
      transactionHash: hash,
      batchHeight: height,
      stateRoot: batch.roots.state,
      sender: account.address,
      nonce,
      ...fees,
      raw,
    };
    await underLease(database, { claim, limitMs: SENDING_MS }, async () => {
      // Stored before it is sent: who finds the row after a crash sends the same bytes.
      await store.addSubmission(submission);
      const place = { height, from: state, stateRoot: batch.roots.state };
      await store.changeBatch(place, { state: 'submitted', transactionHash: hash });
      await this.broadcast(raw, { hash, height });
      logger.info('batch submitted', { height, hash, nonce });
    });
  }

  /** A client that already has the transaction refuses it too, with an error that differs by client. */
  private async broadcast(raw: Uint8Array, { hash, height }: { hash: Hash; height: number }): Promise<void> {
    const { client } = this.parts;
    try {
      await client.sendRaw(raw);
    } catch (error) {
      if (!(error instanceof ChainRpcError)) throw error;
      if (!(await client.knows(hash))) this.refusals.note(height, error.message.slice(0, FAILURE_CHARACTERS));
    }
  }

  private async resend(submissions: readonly StoredSubmission[], hash: Hash): Promise<void> {
    const { database, claim } = this.parts;
    const sent = submissions.find(({ transactionHash }) => transactionHash === hash);
    if (sent === undefined) return;
    const { raw, batchHeight: height } = sent;
    await underLease(database, { claim, limitMs: SENDING_MS }, () => this.broadcast(raw, { hash, height }));
  }

  /** Asks the contract again, which says why. */
  private async afterRevert(batch: ProvenBatch, hash: Hash, head: EthereumBlock): Promise<void> {
    const failure = (await this.calls.refusal(await this.calls.of(batch), head)) ?? 'Reverted';
    await this.refusals.giveUp(batch, hash, { state: 'reverted', failure });
  }
}
