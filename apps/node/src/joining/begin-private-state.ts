import type { PrivateHead, PrivateStateStore } from '@tetrad/node-store';
import type { ServiceEnvironment } from '@tetrad/service';
import { ManagerClient, rejectionText } from '@tetrad/transaction-manager-client';
import { OperatorError, pause, systemClock } from '@tetrad/types';
import type { NodeConfig } from '../options/config.js';
import { managerSettings } from '../options/manager-options.js';

/** Pause before a manager is asked again that did not answer. */
const AGAIN_MS = 2_000;
/** How often a manager is asked before a node chooses to execute the past. */
const ASKED_TIMES = 5;
const HOLDS =
  'the transaction manager holds payloads of private transactions, which blocks of the past may have';
const REMEDY =
  'join with --sync full and an empty database, which executes them, or restore a backup of a node of this organization that has this manager';

/** Private state that begins at a block, before which this node is a party to nothing. */
export interface PrivateBeginning {
  /**
   * Asks the manager, and lets private state begin after the block. A manager has a payload before a block has its transaction, so one
   * that has none after the block was sealed has none of the blocks up to it.
   * @throws OperatorError when the manager holds payloads, or cannot tell
   */
  at(block: PrivateHead): Promise<void>;
  /**
   * Asks the manager for some time whether the past can be left out.
   * @returns why not; undefined when it holds nothing
   */
  reasonAgainst(): Promise<string | undefined>;
  close(): Promise<void>;
}

/**
 * Opens the manager of the options for a node that joins by state.
 * @returns undefined without one
 */
export function openPrivateBeginning(
  config: NodeConfig,
  { logger, metrics, tracing }: ServiceEnvironment,
  { store, signal }: { readonly store: PrivateStateStore; readonly signal: AbortSignal },
): PrivateBeginning | undefined {
  const settings = managerSettings(config, logger);
  if (settings === undefined) return undefined;
  const manager = new ManagerClient({ ...settings, metrics, tracer: tracing?.tracer });
  const holds = async (): Promise<boolean> => {
    for (;;) {
      signal.throwIfAborted();
      const outcome = await manager.holdsPayloads(signal);
      if (outcome.kind === 'done') return outcome.value;
      if (outcome.kind === 'refused' && outcome.status < 500)
        throw new OperatorError(
          `--sync state: the transaction manager does not say whether it holds private payloads (${rejectionText(outcome)}), ` +
            `as Tessera; ${REMEDY}`,
        );
      const reason = textOf(outcome);
      logger.warn('waiting for the transaction manager to say whether it holds private payloads', { reason });
      await pause(systemClock, AGAIN_MS, signal);
    }
  };
  return {
    async at(block) {
      if (await holds()) throw new OperatorError(`--sync state: ${HOLDS}; ${REMEDY}`);
      const head = await store.findHead();
      if (head?.hash !== block.hash) await store.moveHead(block, head?.number ?? -1);
    },
    async reasonAgainst() {
      for (let times = 1; ; times += 1) {
        signal.throwIfAborted();
        const outcome = await manager.holdsPayloads(signal);
        if (outcome.kind === 'done') return outcome.value ? HOLDS : undefined;
        const isFinal = outcome.kind === 'refused' && outcome.status < 500;
        if (isFinal || times === ASKED_TIMES)
          return `the transaction manager does not say whether it holds private payloads (${textOf(outcome)})`;
        await pause(systemClock, AGAIN_MS, signal);
      }
    },
    close: () => manager.close(),
  };
}

type Unanswered = Exclude<Awaited<ReturnType<ManagerClient['holdsPayloads']>>, { readonly kind: 'done' }>;

function textOf(outcome: Unanswered): string {
  return outcome.kind === 'refused' ? rejectionText(outcome) : outcome.reason;
}
