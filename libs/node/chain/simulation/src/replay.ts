import {
  UnknownStateRootError,
  type BlockContext,
  type Executor,
  type MayTransact,
  type WorldState,
} from '@tetrad/node-execution';
import type { Ledger } from '@tetrad/node-ledger';
import {
  PrivateReplay,
  innerPermission,
  type ChainReceipts,
  type PrivateReplayParts,
} from '@tetrad/node-private-state';
import { TimeSlices, RequestError, type Block, type SignedTransaction } from '@tetrad/types';
import { assertAdmitted, type Admission } from './execution-gate.js';

/**
 * The state before a transaction of a block, reached by running those before it again.
 * @param options.index - of the transaction; one behind the last gives the state after all of them
 * @throws RequestError GENESIS_NOT_TRACEABLE, TRANSACTION_NOT_FOUND, STATE_NOT_AVAILABLE; ExecutionAbortedError
 */
export async function replayUpTo(
  ledger: Pick<Ledger, 'executor' | 'replay'>,
  block: Block,
  { index, admission }: { readonly index: number; readonly admission: Admission },
): Promise<{ world: WorldState; context: BlockContext }> {
  if (block.header.number === 0) throw new RequestError('GENESIS_NOT_TRACEABLE', 'genesis is not traceable');
  const { transactions, hash } = block;
  if (index > transactions.length)
    throw new RequestError(
      'TRANSACTION_NOT_FOUND',
      `transaction index ${index} out of range for block ${hash}`,
    );
  // Executing a block again always takes long enough to need a place among the long executions.
  await admission.onLong();
  const replay = await ledger.replay(block).catch(refuseUnknownState);
  await executeAll(ledger.executor, replay, { transactions: transactions.slice(0, index), admission });
  return replay;
}

/** A block between two of its transactions, with the private part of those before. */
export interface ReplayedBlock {
  readonly world: WorldState;
  readonly context: BlockContext;
  /** Undefined when the block has no private work on this node. */
  readonly privately: PrivateReplay | undefined;
}

/** Dependencies of a replay over both states. */
export interface ReplayParts {
  readonly ledger: Pick<Ledger, 'executor' | 'genesis' | 'replay'>;
  readonly receipts: Pick<ChainReceipts, 'hasPrivateWork'>;
  readonly privacy: Pick<PrivateReplayParts, 'switchesAt' | 'decode'> & {
    /** Undefined on a node without private state. */
    readonly own:
      | (Omit<PrivateReplayParts, 'switchesAt' | 'decode' | 'chainId'> & {
          /** Permission rule for the transaction behind a marker; undefined on a chain without permissions. */
          readonly mayTransact?: MayTransact | undefined;
        })
      | undefined;
  };
}

/**
 * As `replayUpTo`, over private state too.
 * @throws also with what `PrivateReplay` fails with
 */
export async function replayBothUpTo(
  parts: ReplayParts,
  block: Block,
  place: { readonly index: number; readonly admission: Admission },
): Promise<ReplayedBlock> {
  const { own, switchesAt, decode } = parts.privacy;
  const { index, admission } = place;
  if (own === undefined || !parts.receipts.hasPrivateWork(block) || index > block.transactions.length)
    return { ...(await replayUpTo(parts.ledger, block, place)), privately: undefined };
  const replay = await replayUpTo(parts.ledger, block, { index: 0, admission });
  const { world, context } = replay;
  const { executor, genesis } = parts.ledger;
  const isPermitted = innerPermission(own.mayTransact, { block: context, world });
  const start = { context: executor.context(context), publicWorld: world.evm, isPermitted };
  const privately = await PrivateReplay.open(
    { ...own, switchesAt, decode, chainId: genesis.chainId },
    block,
    start,
  );
  const transactions = block.transactions.slice(0, index);
  await executeAll(executor, replay, { transactions, admission, privately });
  return { world, context, privately };
}

/** One after the other, in slices; the private part of each on the public state before it. */
async function executeAll(
  executor: Pick<Executor, 'executeTransaction'>,
  { world, context }: Pick<ReplayedBlock, 'world' | 'context'>,
  {
    transactions,
    admission,
    privately,
  }: {
    readonly transactions: readonly SignedTransaction[];
    readonly admission: Admission;
    readonly privately?: PrivateReplay;
  },
): Promise<void> {
  const slices = new TimeSlices();
  for (const transaction of transactions) {
    assertAdmitted(admission);
    await privately?.execute(transaction);
    await executor.executeTransaction(context, transaction, world);
    if (slices.isOver()) await slices.pause();
  }
}

function refuseUnknownState(error: unknown): never {
  if (error instanceof UnknownStateRootError) throw new RequestError('STATE_NOT_AVAILABLE', error.message);
  throw error;
}
