import { PastNeededError } from '@tetrad/node-state-sync';
import type { PrivateHead, PrivateStateStore } from '@tetrad/node-store';
import type { ServiceEnvironment } from '@tetrad/service';
import { ManagerClient, rejectionText } from '@tetrad/transaction-manager-client';
import { pause, systemClock, type Logger } from '@tetrad/types';
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
const HELD_BACK =
  'the transaction manager got a payload of a private transaction meanwhile: blocks after this one are executed';

/** Private state that begins at a block, before which this node is a party to nothing. */
export interface PrivateBeginning {
  /**
   * Asks the manager whether the blocks up to one that was sealed can be left out. A manager has a payload before a block has its
   * transaction, so one that has none after the block was sealed has none of the blocks up to it.
   * @throws PastNeededError when none can, or the manager cannot tell
   */
  mayLeaveOut(block: PrivateHead): Promise<boolean>;
  /** Stores that the blocks up to this one can be left out, whatever comes later. */
  leftOut(block: PrivateHead): Promise<void>;
  /**
   * Lets private state begin after the block; asks the manager where it is not stored that the blocks up to it can be left out.
   * @throws PastNeededError when the manager holds payloads, or cannot tell
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
  const holds = () => awaitAnswer(manager, { logger, signal });
  const known = async () => (await store.findHead())?.number ?? -1;
  const move = async (block: PrivateHead) => {
    const from = await known();
    if (from !== block.number) await store.moveHead(block, from);
  };
  let isLogged = false;
  return {
    async mayLeaveOut() {
      if (!(await holds())) return true;
      const block = await known();
      if (block < 0) throw new PastNeededError(`--sync state: ${HOLDS}; ${REMEDY}`);
      if (!isLogged) logger.warn(HELD_BACK, { block });
      isLogged = true;
      return false;
    },
    leftOut: move,
    async at(block) {
      if ((await known()) < block.number && (await holds()))
        throw new PastNeededError(`--sync state: ${HOLDS}; ${REMEDY}`);
      await move(block);
    },
    reasonAgainst: () => reasonAgainst(manager, signal),
    close: () => manager.close(),
  };
}

/**
 * Asks until the manager says whether it holds payloads.
 * @throws PastNeededError when it never will
 */
async function awaitAnswer(
  manager: ManagerClient,
  { logger, signal }: { readonly logger: Logger; readonly signal: AbortSignal },
): Promise<boolean> {
  for (;;) {
    signal.throwIfAborted();
    const outcome = await manager.holdsPayloads(signal);
    if (outcome.kind === 'done') return outcome.value;
    if (isFinal(outcome))
      throw new PastNeededError(
        `--sync state: the transaction manager does not say whether it holds private payloads (${textOf(outcome)}), ` +
          `as Tessera; ${REMEDY}`,
      );
    const reason = textOf(outcome);
    logger.warn('waiting for the transaction manager to say whether it holds private payloads', { reason });
    await pause(systemClock, AGAIN_MS, signal);
  }
}

/** Asks a few times; a manager that does not say is a reason too. */
async function reasonAgainst(manager: ManagerClient, signal: AbortSignal): Promise<string | undefined> {
  for (let times = 1; ; times += 1) {
    signal.throwIfAborted();
    const outcome = await manager.holdsPayloads(signal);
    if (outcome.kind === 'done') return outcome.value ? HOLDS : undefined;
    if (isFinal(outcome) || times === ASKED_TIMES)
      return `the transaction manager does not say whether it holds private payloads (${textOf(outcome)})`;
    await pause(systemClock, AGAIN_MS, signal);
  }
}

type Unanswered = Exclude<Awaited<ReturnType<ManagerClient['holdsPayloads']>>, { readonly kind: 'done' }>;

/** Whether the manager would answer the same the next time. */
function isFinal(outcome: Unanswered): boolean {
  return outcome.kind === 'refused' && outcome.status < 500;
}

function textOf(outcome: Unanswered): string {
  return outcome.kind === 'refused' ? rejectionText(outcome) : outcome.reason;
}
