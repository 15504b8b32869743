import {
  StateDatabase,
  decodeTransaction,
  type MayTransact,
  type StateCacheLimits,
} from '@tetrad/node-execution';
import {
  ChainFollower,
  ChainReceipts,
  ManagerPayloads,
  ManagerSharedStates,
  PrivateFollowing,
  PrivateStateView,
  StoredRepairs,
  everHasPrivacyFlags,
  privacySwitches,
  type PrivacySwitches,
  type SharedStates,
} from '@tetrad/node-private-state';
import type { Ledger } from '@tetrad/node-ledger';
import type { AgreementStore, PrivateStateStore, RepairStore } from '@tetrad/node-store';
import type { ServiceEnvironment } from '@tetrad/service';
import { ManagerClient, watchManager } from '@tetrad/transaction-manager-client';
import { OperatorError, systemClock, type Block, type Logger, type SignedTransaction } from '@tetrad/types';
import type { NodeConfig } from '../options/config.js';
import type { NodeModule } from '../open/node-module.js';
import type { OpenChain } from '../open/open-chain.js';
import { asOperatorError } from '../open/operator-errors.js';
import type { TransactionTraces } from '../tracing/transaction-traces.js';
import { BoundConfirmations } from './bound-confirmations.js';
import { countLogs, replayOf } from './public-block.js';
import { managerSettings } from '../options/manager-options.js';

/** Dependencies of private transactions. */
export interface Privacy {
  /** Privacy switches in force in a block, the same on every node of the chain. */
  readonly switchesAt: (blockNumber: number) => PrivacySwitches;
  /**
   * Decodes a signed transaction, which may be one behind a marker.
   * @throws TransactionDecodeError
   */
  readonly decode: (raw: Uint8Array) => SignedTransaction;
  /** Receipts as clients of this node see them. */
  readonly receipts: ChainReceipts;
  /** Absent on a node without a transaction manager. */
  readonly own: PrivateParts | undefined;
}

/** Parts that only a node with a transaction manager has. */
export interface PrivateParts {
  readonly manager: ManagerClient;
  readonly payloads: ManagerPayloads;
  readonly sharedStates: SharedStates;
  readonly confirmations: BoundConfirmations;
  readonly states: StateDatabase;
  readonly store: PrivateStateStore;
  readonly agreement: AgreementStore;
  readonly repairs: StoredRepairs;
  readonly repairStore: RepairStore;
  readonly follower: ChainFollower<Block>;
  readonly view: PrivateStateView;
  /** The permission rule for private transactions behind markers; undefined where all are permitted. */
  readonly mayTransact: MayTransact | undefined;
}

/** The chain, and the traces of transactions on it when tracing is on. */
type TracedChain = OpenChain & { readonly traces?: TransactionTraces | undefined };

/** Short, as asking a manager is cheap and clients wait for paused private state. */
const MAX_RETRY_MS = 5_000;

/** A little longer than /readyz waits, so that it reports a manager that does not answer. */
const MANAGER_ANSWER_MS = 3_500;

/** Smaller than those of the public state, as most contracts are public. */
const CACHES: StateCacheLimits = {
  nodeBytes: 32 * 1024 * 1024,
  codeBytes: 8 * 1024 * 1024,
  accounts: 10_000,
  slots: 25_000,
};

/**
 * Starts private state behind the chain. A manager that is unavailable stops nothing: private state pauses.
 * @throws OperatorError
 */
export async function openPrivacy(
  config: NodeConfig,
  environment: ServiceEnvironment,
  chain: TracedChain,
): Promise<NodeModule<Privacy>> {
  const { ledger, genesis } = chain;
  const switchesAt = privacySwitches(genesis);
  const decode = (raw: Uint8Array) => decodeTransaction(raw, genesis.chainId);
  const rest = { switchesAt, decode };
  const shown = { showsRevertReasons: config.revertReason };
  const settings = managerSettings(config, environment.logger);
  if (settings === undefined) {
    const receipts = new ChainReceipts({ ...rest, ...shown, chain: ledger, privateState: undefined });
    return { parts: { ...rest, receipts, own: undefined }, readiness: {}, close: async () => undefined };
  }
  await assertNoPrivatePast(chain);
  const { metrics, tracing } = environment;
  const manager = new ManagerClient({ ...settings, metrics, tracer: tracing?.tracer });
  try {
    const own = await openPrivateState(config, environment, { ...rest, chain, manager });
    const endWatch = watchManager(manager, systemClock);
    const receipts = new ChainReceipts({ ...rest, ...shown, chain: ledger, privateState: own });
    return {
      parts: { ...rest, receipts, own },
      readiness: {
        // Public calls need neither, and private ones are refused by name meanwhile.
        privateState: { class: 'rollout', check: () => troubleOf(own.follower) },
        // Private state pauses at the next private transaction only, and sending fails before that.
        transactionManager: {
          class: 'rollout',
          check: () => own.payloads.findPresentObstacle(AbortSignal.timeout(MANAGER_ANSWER_MS)),
        },
      },
      // Requests to the manager are aborted, and with them everything that waits for an answer.
      close: () => {
        endWatch();
        own.confirmations.close();
        return Promise.all([own.follower.stop(), manager.close()]);
      },
    };
  } catch (error) {
    await manager.close();
    throw error;
  }
}

/**
 * A node that joined by state begins private state there when its manager was asked, and held nothing.
 * @throws OperatorError
 */
async function assertNoPrivatePast({ ledger, store }: TracedChain): Promise<void> {
  const { joined } = ledger.blockHorizon;
  if (joined === undefined || (await store.privateState.findHead()) !== undefined) return;
  throw new OperatorError(
    `--ptm-url: this node joined by state at block ${joined} without a transaction manager, and may lack private transactions before; ` +
      'join anew with the manager, with --sync full, or from a backup',
  );
}

async function openPrivateState(
  config: NodeConfig,
  { logger, metrics }: ServiceEnvironment,
  parts: Pick<Privacy, 'switchesAt' | 'decode'> & {
    readonly chain: TracedChain;
    readonly manager: ManagerClient;
  },
): Promise<PrivateParts> {
  const { chain, manager, switchesAt, decode } = parts;
  const { ledger, genesis } = chain;
  const mayTransact = chain.chainPermissions.behindMarkers;
  const store = chain.store.privateState;
  await assertReplayable(ledger, store);
  const states = new StateDatabase({ source: store, limits: CACHES, metrics, name: 'private ' });
  const payloads = new ManagerPayloads(manager, { needsPrivacyFlags: everHasPrivacyFlags(genesis) });
  const sharedStates = new ManagerSharedStates(manager, payloads);
  void logManager(payloads, config, logger);
  const confirmations = new BoundConfirmations();
  const checkShared = config.extensionConfirmation === 'off' ? undefined : confirmations.check;
  const repairStore = chain.store.repairs;
  const repairs = new StoredRepairs(repairStore);
  const following = new PrivateFollowing({
    states,
    repairs,
    store,
    payloads,
    sharedStates,
    switchesAt,
    decode,
    chainId: genesis.chainId,
    checkShared,
    replay: (block) => replayOf(ledger, block, mayTransact),
    countLogs: (block) => countLogs(ledger, block),
  });
  const follower = await openFollower(following, chain, { logger, metrics });
  const view = new PrivateStateView({ follower, store, states, waitMs: config.privateStateWait });
  const { agreement } = chain.store;
  const stores = { store, agreement, repairs, repairStore };
  return { manager, payloads, sharedStates, confirmations, states, ...stores, follower, view, mayTransact };
}

/** @throws OperatorError */
function openFollower(
  following: PrivateFollowing,
  { ledger, traces }: TracedChain,
  { logger, metrics }: Pick<ServiceEnvironment, 'logger' | 'metrics'>,
): Promise<ChainFollower<Block>> {
  return ChainFollower.open({
    name: 'private state',
    chain: ledger,
    logger,
    metrics,
    following: traces?.follow(following) ?? following,
    clock: systemClock,
    maxRetryMs: MAX_RETRY_MS,
  }).catch(asOperatorError);
}

/** Asks the manager once, so that the operator sees at the start whether it answers. */
async function logManager(
  payloads: ManagerPayloads,
  { ptmUrl: url }: Pick<NodeConfig, 'ptmUrl'>,
  logger: Logger,
): Promise<void> {
  const reason = await payloads.findObstacle();
  if (reason === undefined) logger.info('transaction manager', { url });
  else logger.warn('transaction manager unavailable', { url, reason });
}

/**
 * Private state executes public transactions again from its head on.
 * @throws OperatorError
 */
async function assertReplayable({ horizon }: Ledger, store: PrivateStateStore): Promise<void> {
  const followed = (await store.findHead())?.number ?? -1;
  const { oldestStored } = horizon;
  if (oldestStored === 0 || followed >= oldestStored) return;
  const from = followed === -1 ? 'has not begun' : `is at block ${followed}`;
  throw new OperatorError(
    `private state ${from}, but this node keeps the states of blocks from ${oldestStored} on only (--state-history); ` +
      'use a database with complete history',
  );
}

function troubleOf({ pause }: Pick<ChainFollower<Block>, 'pause'>): string | undefined {
  return pause && `paused before block ${pause.blockNumber}: ${pause.reason}`;
}
