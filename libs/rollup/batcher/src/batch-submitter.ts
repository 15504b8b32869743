import type { Database } from '@tetrad/db';
import {
  ChainRpcError,
  type EthereumBlock,
  type EthereumClient,
  type FeeMarket,
  type Fees,
  type RollupReader,
  publishedBatch,
  type PublishedBatch,
  type RollupCodec,
  gasLimitOf,
} from '@tetrad/rollup-chain';
import { decodeProvingInput } from '@tetrad/rollup-sequencer';
import { underLease, type LeaseClaim, type RollupStore, type StoredSubmission } from '@tetrad/rollup-store';
import { TetradError, bytesFromHex, type Clock, type Hash, type Logger } from '@tetrad/types';
import { AheadSubmitter } from './ahead-submitter.js';
import { DEPOSIT_LEFT, NOT_YET, PROOF_FAILURES, failureName, isRevert } from './failure-name.js';
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

/** The contract has another state than the rows: nothing is submitted until the follower has read why. */
class DivergedError extends TetradError {
  override readonly name = 'DivergedError';
  override readonly code = 'DIVERGED_FROM_CONTRACT';
}

/**
 * Gets proven batches onto the chain in order, several in a block where they wait. What it knows is in rows and on the chain: each
 * step looks at both and does one thing, so that it may be ended between any two.
 */
export class BatchSubmitter {
  /** Rejections before anything was sent, which are not stored: a restart tries again at once. */
  private refused:
    | { readonly height: number; readonly count: number; readonly at: number; readonly why: string }
    | undefined;

  private readonly ahead: AheadSubmitter;

  constructor(private readonly parts: SubmitterParts) {
    this.ahead = new AheadSubmitter({
      store: parts.store,
      market: (head) => this.market(head),
      attempt: (sent, head) => this.attempt(sent, head),
      send: (batch, transaction, head) => this.send(batch, { ...transaction, isAhead: true }, head),
    });
  }

  /** Why the batch that is next is not accepted; undefined when nothing is wrong. */
  get failure(): string | undefined {
    return this.refused === undefined ? undefined : `batch ${this.refused.height}: ${this.refused.why}`;
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
    if (this.refused !== undefined && this.refused.height !== contract.height + 1) this.refused = undefined;
    if (batch === undefined) return 'wait';
    const submissions = await store.listSubmissions(batch.row.height);
    const view = await this.view(batch, { head, contract, submissions });
    const step = nextStep(view, this.parts.bounds);
    await this.do(step, batch, { head, submissions });
    return step.do === 'wait' && (await this.ahead.step(view, head)) ? 'send' : step.do;
  }

  private async view(
    { row, roots }: ProvenBatch,
    seen: {
      readonly head: EthereumBlock;
      readonly contract: SubmissionView['contract'];
      readonly submissions: readonly StoredSubmission[];
    },
  ): Promise<SubmissionView> {
    const { client, account, clock } = this.parts;
    const failed = seen.submissions.filter(({ state }) => state === 'reverted' || state === 'dropped');
    const refused = this.refused?.height === row.height ? this.refused : undefined;
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
        seen.submissions.filter(({ state }) => state === 'sent').map((sent) => this.attempt(sent, seen.head)),
      ),
      failures: Math.max(failed.length, refused?.count ?? 0),
      lastFailureAt: refused?.at ?? lastFailed,
    };
  }

  private async market(head: EthereumBlock): Promise<FeeMarket> {
    return { baseFee: head.baseFeePerGas ?? undefined, gasPrice: await this.parts.client.gasPrice() };
  }

  private async attempt(sent: StoredSubmission, head: EthereumBlock): Promise<Attempt> {
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
      await this.giveUp(batch, step.hash, { state: 'dropped', failure: 'NonceUsed' });
    if (step.do === 'reverted') await this.afterRevert(batch, step.hash);
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
    const published = await this.published(batch);
    const data = await this.callOf(published, batch.proof);
    const [to, gasLimit] = [reader.contract, gasLimitOf(published)];
    // On the state that the client has, a batch behind another one cannot be tried.
    if (!isAhead && !(await this.wouldSucceed(batch, data, gasLimit))) return;
    const { hash, raw } = await account.sign({
      chainId,
      to,
      data,
      nonce,
      fees,
      gasLimit,
      hasBaseFee: typeof head.baseFeePerGas === 'bigint',
    });
    const { height, state } = batch.row;
    const submission = {
      transactionHash: hash,
      batchHeight: height,
      sender: account.address,
      nonce,
      ...fees,
      raw,
    };
    await underLease(database, { claim, limitMs: SENDING_MS }, async () => {
      // Stored before it is sent: who finds the row after a crash sends the same bytes.
      await store.addSubmission(submission);
      await store.changeBatch({ height, from: state }, { state: 'submitted', transactionHash: hash });
      await this.broadcast(raw, { hash, height });
      logger.info('batch submitted', { height, hash, nonce });
    });
  }

  private async callOf(batch: PublishedBatch, proof: Uint8Array): Promise<Uint8Array> {
    const { codec, reader } = this.parts;
    return bytesFromHex(codec.encodeSubmitBatch(batch, proof, await reader.batchLayout()));
  }

  private async published({ row }: ProvenBatch): Promise<PublishedBatch> {
    const proving = await this.parts.store.readProving(row.height);
    if (proving === undefined) throw new DivergedError(`batch ${row.height} has nothing to publish any more`);
    const { witness, ciphertexts } = decodeProvingInput(proving);
    return publishedBatch(witness.publicInputs, ciphertexts);
  }

  /**
   * Runs the batch as a call with its gas limit.
   * @returns false when the contract would revert, and the error's name is recorded. A client may refuse the call for
   *   other reasons, such as its time limit; that is not a revert.
   */
  private async wouldSucceed(batch: ProvenBatch, data: Uint8Array, gas: bigint): Promise<boolean> {
    const { client, reader, account, codec } = this.parts;
    try {
      await client.call({ from: account.address, to: reader.contract, data, gas });
      return true;
    } catch (error) {
      const why = failureName(codec, error);
      if (why === undefined) throw error;
      if (!isRevert(error)) return true;
      await this.refuse(batch, why);
      return false;
    }
  }

  /** A client that already has the transaction refuses it too, with an error that differs by client. */
  private async broadcast(raw: Uint8Array, { hash, height }: { hash: Hash; height: number }): Promise<void> {
    const { client } = this.parts;
    try {
      await client.sendRaw(raw);
    } catch (error) {
      if (!(error instanceof ChainRpcError)) throw error;
      if (!(await client.knows(hash))) this.note(height, error.message.slice(0, FAILURE_CHARACTERS));
    }
  }

  private async resend(submissions: readonly StoredSubmission[], hash: Hash): Promise<void> {
    const { database, claim } = this.parts;
    const sent = submissions.find(({ transactionHash }) => transactionHash === hash);
    if (sent === undefined) return;
    const { raw, batchHeight: height } = sent;
    await underLease(database, { claim, limitMs: SENDING_MS }, () => this.broadcast(raw, { hash, height }));
  }

  private async giveUp(
    batch: ProvenBatch,
    hash: Hash,
    end: { readonly state: 'dropped' | 'reverted'; readonly failure: string },
  ): Promise<void> {
    await this.parts.store.changeSubmission(hash, end);
    await this.refuse(batch, end.failure);
  }

  /** Runs the batch again as a call, which says why. */
  private async afterRevert(batch: ProvenBatch, hash: Hash): Promise<void> {
    const { client, reader, account, codec } = this.parts;
    const data = await this.callOf(await this.published(batch), batch.proof);
    const receipt = await client.receipt(hash);
    const before = receipt === undefined ? 'latest' : receipt.blockNumber - 1;
    const why = await client.call({ from: account.address, to: reader.contract, data }, before).then(
      () => 'Reverted',
      (error: unknown) => failureName(codec, error),
    );
    await this.giveUp(batch, hash, { state: 'reverted', failure: why ?? 'Reverted' });
  }

  /** For people, and for the pause before the next try. */
  private note(height: number, why: string): void {
    const { clock, logger } = this.parts;
    // A turn comes by itself: the pause before the next try does not grow.
    const before = this.refused?.height === height && why !== NOT_YET ? this.refused.count : 0;
    const count = before + 1;
    this.refused = { height, count, at: clock.now(), why };
    logger.warn('batch refused', { height, reason: why, failures: count });
  }

  /** Records the reason for the operator; a proof that the contract refuses is made again, and so is a batch that leaves a deposit. */
  private async refuse({ row }: ProvenBatch, why: string): Promise<void> {
    const { store } = this.parts;
    this.note(row.height, why);
    // Executed again, deposits come first.
    if (why === DEPOSIT_LEFT) return void (await store.sequence((step) => step.rewind(row.height)));
    const state = (await store.findBatch(row.height))?.state ?? row.state;
    const next = PROOF_FAILURES.has(why) ? 'sealed' : state;
    await store.changeBatch({ height: row.height, from: state }, { state: next, failure: why });
  }
}
