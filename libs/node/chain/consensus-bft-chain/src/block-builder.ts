import { hashHeader, proposalHeader, type ProposalHeader } from '@tetrad/node-consensus-bft';
import type { WorldState } from '@tetrad/node-execution';
import {
  BlockDraft,
  BlockPhases,
  draftHeader,
  type BlockExecution,
  type ExecutedBlock,
} from '@tetrad/node-ledger';
import type { TransactionPool } from '@tetrad/node-pool';
import {
  TimeSlices,
  type Address,
  type Block,
  type BlockHeader,
  type Clock,
  type Logger,
  type Metrics,
} from '@tetrad/types';
import type { BftChain } from './bft-chain.js';
import type { DueTimes } from './height-context.js';
import type { ValidatorCandidates } from './validator-candidates.js';

/** Drafts that one block may discard because a transaction in them was replaced; after that it keeps the old one. */
const MAX_OUTDATED_DRAFTS = 2;

const VANITY = new TextEncoder().encode('tetrad');

export interface BlockBuilderOptions extends BftChain {
  readonly pool: TransactionPool;
  readonly candidates: ValidatorCandidates;
  /** Signs with the key of the proposer; undefined when that does not sign in time. */
  readonly sign: (digest: Uint8Array) => Uint8Array | Promise<Uint8Array | undefined>;
  readonly proposer: Address;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Whether the error means that the database is unavailable and the same work may be tried again. */
  readonly isDatabaseUnavailable: (error: unknown) => boolean;
}

/** A block without committed seals, with its execution result. */
export interface BuiltBlock {
  readonly block: Block;
  readonly executed: ExecutedBlock;
}

/** Builds one block at a time on top of the head, and executes transactions for it as they arrive. */
export class BlockBuilder {
  private draft: BlockDraft | undefined;
  private wake: () => void = () => undefined;
  private readonly phases: BlockPhases;

  constructor(private readonly options: BlockBuilderOptions) {
    this.phases = new BlockPhases(options.metrics);
  }

  /** The state of the block being built, or of the head when no block is being built. */
  async pendingWorld(): Promise<WorldState> {
    const { ledger } = this.options;
    return this.draft?.copyWorld() ?? ledger.worldAt(ledger.head());
  }

  /**
   * A block as it is proposed to the other validators.
   * @returns undefined when the signal ends the work, because the block is no longer wanted
   * @throws as the database does
   */
  async build(times: DueTimes, signal: AbortSignal): Promise<BuiltBlock | undefined> {
    const stop = () => this.wake();
    const forget = this.options.pool.onTransaction(stop);
    signal.addEventListener('abort', stop);
    try {
      const draft = await this.prepareDraft(times, signal);
      return signal.aborted ? undefined : await this.finish(draft.execution, signal);
    } finally {
      signal.removeEventListener('abort', stop);
      forget();
      this.closeDraft();
    }
  }

  /** Fills a draft until it is to be sealed; an empty one waits longer. */
  private async prepareDraft(times: DueTimes, signal: AbortSignal): Promise<BlockDraft> {
    const { clock } = this.options;
    const { periodEndsMs, idleEndsMs, leastFillMs } = times;
    const draft = await this.fillDraft(
      { sealAtMs: Math.max(periodEndsMs, clock.now()), leastFillMs },
      signal,
    );
    if (!draft.isEmpty || idleEndsMs <= clock.now()) return draft;
    while (!signal.aborted && !draft.hasNext && clock.now() < idleEndsMs) {
      await this.sleep(idleEndsMs - clock.now());
    }
    return this.fillDraft({ sealAtMs: clock.now(), leastFillMs }, signal);
  }

  /** A draft that is ready to be sealed; one that became outdated is built again. */
  private async fillDraft(
    { sealAtMs, leastFillMs }: { sealAtMs: number; leastFillMs: number },
    signal: AbortSignal,
  ): Promise<BlockDraft> {
    const fillUntilMs = Math.max(sealAtMs, this.options.clock.now() + leastFillMs);
    for (let outdated = 0; ;) {
      const draft = await this.openDraft(sealAtMs);
      const spoilt = () => draft.isBroken || (draft.isOutdated && outdated < MAX_OUTDATED_DRAFTS);
      await this.fill(draft, { sealAtMs, fillUntilMs, isOver: () => signal.aborted || spoilt() });
      if (signal.aborted || !spoilt()) return draft;
      if (draft.isOutdated) outdated += 1;
    }
  }

  private async openDraft(sealAtMs: number): Promise<BlockDraft> {
    this.closeDraft();
    const { ledger, rules, pool, logger, isDatabaseUnavailable, proposer } = this.options;
    const head = ledger.head();
    const context = ledger.contextAbove(
      rules.nextContext(head.header, { proposer, timestamp: rules.timestampAt(sealAtMs) }),
    );
    const execution = ledger.execute(context, await ledger.worldAt(head));
    this.draft = new BlockDraft({ execution, pool, logger, isDatabaseUnavailable });
    return this.draft;
  }

  private closeDraft(): void {
    this.draft?.close();
    this.draft = undefined;
  }

  /** Executes transactions as they arrive until the block is due, for a minimum of time when transactions wait already. */
  private async fill(
    draft: BlockDraft,
    { sealAtMs, fillUntilMs, isOver }: { sealAtMs: number; fillUntilMs: number; isOver: () => boolean },
  ): Promise<void> {
    const { clock } = this.options;
    const slices = new TimeSlices();
    let executionMs = 0;
    while (!isOver()) {
      const nowMs = clock.now();
      if (draft.hasNext && nowMs < fillUntilMs) {
        const started = performance.now();
        await draft.executeNext();
        executionMs += performance.now() - started;
        if (slices.isOver()) await slices.pause();
      } else if (nowMs >= sealAtMs) {
        break;
      } else {
        await this.sleep(sealAtMs - nowMs);
      }
    }
    this.phases.took('execution', executionMs);
  }

  private async finish(execution: BlockExecution, signal: AbortSignal): Promise<BuiltBlock | undefined> {
    const started = performance.now();
    const executed = await execution.finish();
    // The head moved meanwhile, and the header would name another parent than the one it was executed on.
    if (signal.aborted) return undefined;
    const header = await this.seal(this.offer(execution, executed));
    if (signal.aborted) return undefined;
    this.phases.took('hashing', performance.now() - started);
    return { block: { hash: hashHeader(header), header, transactions: executed.transactions }, executed };
  }

  /** @throws Error when the key does not sign: without the seal there is no block to propose */
  private async seal(proposal: ProposalHeader): Promise<BlockHeader> {
    if ('header' in proposal) return proposal.header;
    const proposerSeal = await this.options.sign(proposal.digest);
    if (proposerSeal === undefined) throw new Error('the key of this validator does not sign');
    return proposal.sealed(proposerSeal);
  }

  private offer({ block }: BlockExecution, executed: ExecutedBlock): ProposalHeader {
    const { ledger, rules, candidates, proposer } = this.options;
    const vote = candidates.chooseVote(this.options);
    const { stateRoot } = executed.changes;
    return proposalHeader({
      format: rules.settingsAt(block.number).engine,
      header: draftHeader({
        parentHash: ledger.head().hash,
        block,
        fork: ledger.executor.rules(block),
        timestamp: BigInt(block.timestamp),
        commitments: { ...executed, stateRoot },
      }),
      validators: rules.listedIn(block.number, ledger.snapshot()),
      proposer,
      vanity: VANITY,
      ...(vote === undefined ? {} : { vote }),
    });
  }

  /** Waits, but not longer than until something new arrives. */
  private sleep(ms: number): Promise<void> {
    return new Promise((done) => {
      const cancel = this.options.clock.schedule(Math.max(ms, 0), done);
      this.wake = () => {
        cancel();
        done();
      };
    });
  }
}
