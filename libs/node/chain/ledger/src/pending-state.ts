import type { BlockContext, WorldState } from '@tetrad/node-execution';
import type { TransactionPool } from '@tetrad/node-pool';
import { TimeSlices, type Address, type Block, type Logger, type Clock } from '@tetrad/types';
import pLimit from 'p-limit';
import { BlockDraft } from './block-draft.js';
import type { Ledger } from './ledger.js';
import type { ConsensusRules, NextContext } from './consensus-rules.js';

/** What the next block depends on besides its parent. */
export interface GrowingChain {
  readonly clock: Clock;
  readonly rules: Pick<ConsensusRules, 'timestampAt' | 'nextContext'>;
  contextAbove(next: NextContext): BlockContext;
}

/** Time that one reader spends on executing further transactions of the pool. */
const FILL_MS = 250;

export interface PendingStateOptions {
  readonly ledger: Ledger;
  readonly pool: TransactionPool;
  /** Shown as the proposer of the pending block. */
  readonly proposer: Address;
  readonly logger: Logger;
  readonly isDatabaseUnavailable: (error: unknown) => boolean;
}

interface Opened {
  readonly head: Block;
  readonly draft: BlockDraft;
}

/**
 * The state if the pool were mined now: its transactions on top of the head, as many as fit a block.
 *
 * Built on the first request, and extended until the head changes. It changes nothing: a transaction that it cannot
 * execute stays in the pool, for a proposer to check. With more work than a reader can wait for, it is behind the pool.
 */
export class PendingState {
  private opened: Opened | undefined;
  private readonly oneReader = pLimit(1);

  constructor(private readonly options: PendingStateOptions) {
    options.ledger.onBlock(() => this.close());
  }

  /**
   * A copy of the state, and the block it belongs to.
   * @throws as the database does
   */
  open(): Promise<{ readonly world: WorldState; readonly block: BlockContext }> {
    // One reader fills at a time; the next one continues. The copy is part of the turn: later the world may be in the
    // middle of a transaction.
    return this.oneReader(async () => {
      const { execution } = await this.fill();
      return { world: execution.world.copy(), block: execution.block };
    });
  }

  private async fill(): Promise<BlockDraft> {
    const ends = performance.now() + FILL_MS;
    const slices = new TimeSlices();
    for (;;) {
      const draft = await this.draft();
      try {
        while (draft.hasNext && !draft.isBroken && performance.now() < ends) {
          await draft.executeNext();
          if (slices.isOver()) await slices.pause();
        }
      } catch (error) {
        this.close();
        throw error;
      }
      const isCurrent = this.opened?.draft === draft && !draft.isBroken && !draft.isOutdated;
      if (isCurrent || (performance.now() >= ends && !draft.isBroken)) return draft;
      this.close();
    }
  }

  private async draft(): Promise<BlockDraft> {
    const { ledger, pool, proposer, logger, isDatabaseUnavailable } = this.options;
    for (;;) {
      const head = ledger.head();
      if (this.opened?.head === head) return this.opened.draft;
      this.close();
      const world = await ledger.worldAt(head);
      if (ledger.head() !== head) continue;
      const draft = new BlockDraft({
        execution: ledger.execute(pendingContext(ledger, head, proposer), world),
        pool: { select: () => pool.select(), discard: async () => undefined },
        logger,
        isDatabaseUnavailable,
      });
      this.opened = { head, draft };
      return draft;
    }
  }

  private close(): void {
    this.opened?.draft.close();
    this.opened = undefined;
  }
}

/** The context of the block that would follow the head if it were made now. */
export function pendingContext(chain: GrowingChain, { header }: Block, proposer: Address): BlockContext {
  const [now, earliest] = [chain.rules.timestampAt(chain.clock.now()), header.timestamp + 1n];
  const timestamp = now > earliest ? now : earliest;
  return chain.contextAbove(chain.rules.nextContext(header, { proposer, timestamp }));
}
