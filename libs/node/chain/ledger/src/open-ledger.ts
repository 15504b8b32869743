import { StateDatabase, flatChanges, flatEntries } from '@tetrad/node-execution';
import { TetradError, type Hash } from '@tetrad/types';
import { toBlockWrite } from './block-rows.js';
import { ChainReader } from './chain-reader.js';
import { chainStart, type ChainStart } from './chain-start.js';
import { BlockHorizon } from './history/block-horizon.js';
import { StateHorizon } from './history/state-horizon.js';
import { Ledger } from './ledger.js';
import type { LedgerOptions } from './ledger-parts.js';
import { SnapshotHistory } from './snapshot-history.js';

/** The database holds another chain than the genesis file describes. */
export class WrongGenesisError extends TetradError {
  override readonly name = 'WrongGenesisError';
  override readonly code = 'WRONG_GENESIS';
}

const DEFAULT_CACHED_TRANSACTIONS = 8_000;

/** Opens the chain of the genesis file: creates block 0 in a new database, reads the head of an existing one. */
export async function openLedger<Snapshot>(options: LedgerOptions<Snapshot>): Promise<Ledger<Snapshot>> {
  const { genesis, rules, store, metrics } = options;
  const state = new StateDatabase({
    source: store,
    flat: store.flatState,
    metrics,
    ...(options.stateCache === undefined ? {} : { limits: options.stateCache }),
  });
  const initial = await chainStart(options, rules, state);
  await matchDatabase(options, initial);
  const head = await store.findHead();
  if (head === undefined) throw new WrongGenesisError('the database has no head block');
  const cachedTransactions = options.cachedTransactions ?? DEFAULT_CACHED_TRANSACTIONS;
  const reader = new ChainReader({ store, chainId: genesis.chainId, cachedTransactions, metrics });
  // Not into the cache: what is in the block may come later.
  const headBlock = await reader.readBlock(head.number);
  if (headBlock === undefined)
    throw new WrongGenesisError(`the database lacks its head block ${head.number}`);
  const { number } = head;
  const sync = await store.stateSync.find();
  // Rows of a state that is being taken from peers are of no root yet.
  if (sync === undefined || sync.joinedBlock !== undefined)
    await matchFlatState(options, state, head.stateRoot);
  state.resume(head.stateRoot);
  const snapshot =
    (await rules.findSnapshot(store, number)) ?? (await rules.adoptChain(store, number, initial.snapshot));
  await rules.assertStored(store, number);
  const snapshots = new SnapshotHistory(rules, store, { number, snapshot });
  const horizon = new StateHorizon((await store.history.find())?.oldestBlock ?? 0, options.stateHistory);
  return new Ledger(options, {
    state,
    horizon,
    blockHorizon: new BlockHorizon(sync?.joinedBlock, sync?.filledFrom),
    reader,
    snapshots,
    headBlock,
    totalTransactions: head.totalTransactions,
  });
}

/** Builds the flat state of the head where it is missing: in a chain that was created before flat state existed. */
async function matchFlatState<Snapshot>(
  { store, logger }: Pick<LedgerOptions<Snapshot>, 'store' | 'logger'>,
  state: StateDatabase,
  root: Hash,
): Promise<void> {
  if ((await store.flatState.findRoot()) === root) return;
  logger.info('reading the whole state once, for the flat table');
  await store.flatState.rebuild(root, flatEntries(await state.openWorld(root)));
  logger.info('the flat table is complete');
}

/**
 * Initializes a new database for this chain.
 * @throws WrongGenesisError when it belongs to another chain
 */
async function matchDatabase<Snapshot>(
  { store, genesis, rules }: Pick<LedgerOptions<Snapshot>, 'store' | 'genesis' | 'rules'>,
  start: ChainStart<Snapshot>,
): Promise<void> {
  const { block, changes, snapshot } = start;
  const identity = await store.findIdentity();
  if (identity === undefined) {
    const [flat, joined] = [flatChanges(changes), rules.snapshotRows(undefined, snapshot)];
    const write = toBlockWrite(block, { receipts: [], changes, totalTransactions: 0, flat, joined });
    await store.initialise({ chainId: genesis.chainId, genesisHash: block.hash }, write);
  } else if (identity.genesisHash !== block.hash || identity.chainId !== genesis.chainId) {
    throw new WrongGenesisError(
      `the database holds the chain with genesis ${identity.genesisHash} (chain id ${identity.chainId}), ` +
        `the genesis file describes ${block.hash} (chain id ${genesis.chainId})`,
    );
  }
}
