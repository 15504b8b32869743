import type { SigningKey } from '@tetrad/crypto';
import { join } from 'node:path';
import { isDatabaseUnavailable } from '@tetrad/db';
import { PendingState, type Ledger } from '@tetrad/node-ledger';
import type { TransactionPool } from '@tetrad/node-pool';
import {
  ExecutionGate,
  Simulator,
  type WorkRunner,
  IN_THIS_THREAD,
  WorkThreads,
} from '@tetrad/node-simulation';
import { AsyncSender, TransactionSender } from '@tetrad/node-transactions';
import { createCallbackSender, type RunningService, type ServiceEnvironment } from '@tetrad/service';
import { systemClock, type Metrics } from '@tetrad/types';
import type { NodeConfig } from './options/config.js';
import { checkOptions } from './open/check-options.js';
import { identityOf, type NodeIdentity } from './open/node-identity.js';
import { openNodeKey, readNodeKey } from './open/node-key.js';
import { OpenModules, type NodeModule } from './open/node-module.js';
import { openAccounts, type NodeAccounts } from './open/open-accounts.js';
import type { OpenChain } from './open/open-chain.js';
import { openPool } from './open/open-pool.js';
import { openJoinedChain } from './joining/open-joined-chain.js';
import { openHistory } from './peers/open-history.js';
import { joinNetwork, type NodeNetwork } from './peers/node-network.js';
import { openStatePruning } from './open/open-state-pruning.js';
import { openPermissions, type Permissions } from './permissions/open-permissions.js';
import { readPermissionConfig } from './permissions/read-permission-config.js';
import { setUpNetwork } from './permissions/set-up-network.js';
import { openAgreement } from './privacy/open-agreement.js';
import { openAddressIndex, type AddressIndexParts } from './privacy/open-address-index.js';
import { openExtensions } from './privacy/open-extensions.js';
import { openRepairs } from './privacy/open-repairs.js';
import { openPrivacy, type Privacy } from './privacy/open-privacy.js';
import { openSending } from './privacy/open-sending.js';
import { logGenesis, readGenesis } from './open/read-genesis.js';
import { viewAwaited } from './rpc/agreement.js';
import { executionLimits, rpcLimits } from './rpc/rpc-limits.js';
import type { NodeParts } from './rpc/node-parts.js';
import { readEtcdSettings } from './options/etcd-options.js';
import { serve } from './serve.js';
import { openTransactionTraces } from './tracing/open-transaction-traces.js';

/** Resources opened for the handlers. */
interface Opened {
  readonly accounts: NodeAccounts;
  readonly chain: OpenChain;
  readonly privacy: Privacy;
  readonly index: AddressIndexParts;
  readonly permissions: Permissions;
  readonly pool: TransactionPool;
  readonly network: NodeNetwork;
  readonly runner: WorkRunner;
  readonly identity: NodeIdentity;
  readonly nodeKey: SigningKey;
}

/**
 * Builds a node and opens its ports.
 * @throws OperatorError with one line for the operator
 */
export async function composeNode(
  config: NodeConfig,
  environment: ServiceEnvironment,
): Promise<RunningService> {
  await checkOptions(config);
  const modules = new OpenModules();
  const close = () => modules.close();
  try {
    const opened = await openAll(config, environment, modules);
    const { chain, network, identity, nodeKey } = opened;
    environment.logger.info('node identity', await describeNode(chain.ledger, network, identity));
    const sent = buildParts(config, environment, opened);
    const repairs = await modules.open(openRepairs(sent, environment, { config, nodeKey }));
    const agreement = await modules.open(
      openAgreement({ ...sent, peers: network.peers }, environment, { config, nodeKey, repairs }),
    );
    const parts = {
      ...sent,
      repairs,
      extensions: await modules.open(openExtensions(sent, environment, { config, nodeKey })),
      agreement,
      asyncSender: openAsyncSender(config, environment, { sender: sent.sender, agreement }),
    };
    await modules.open(
      Promise.resolve({ parts, readiness: {}, close: () => Promise.resolve(parts.asyncSender.drain()) }),
    );
    return await serve(config, environment, { parts, readiness: modules.readiness, close });
  } catch (error) {
    await close();
    throw error;
  }
}

async function openAll(
  config: NodeConfig,
  environment: ServiceEnvironment,
  modules: OpenModules,
): Promise<Opened> {
  const { accounts, identity, nodeKey, ...joining } = await openIdentity(config, environment, modules);
  const { keystore } = accounts;
  const { address: proposer, clientVersion, nodeId } = identity;
  const chain = await modules.open(openJoinedChain(config, environment, { ...joining, clientVersion }));
  const traces = openTransactionTraces(environment, chain.ledger);
  const privacy = await modules.open(openPrivacy(config, environment, { ...chain, traces }));
  const permissions = await modules.open(openPermissions(config, environment, { chain, nodeId }));
  const pool = await modules.open(
    openPool(config, environment, { chain, keystore, proposer, permissions, traces }),
  );
  const runner = await modules.open(openCallThreads(config, environment));
  const { handshakeKeys } = joining;
  const notices = privacy.own?.confirmations;
  const own = { nodeKey, handshakeKeys, clientVersion, notices };
  const network = await modules.open(
    joinNetwork(config, environment, { ...chain, ...own, pool, permissions, traces }),
  );
  await modules.open(openHistory(config, environment, { ...chain, peers: network.peers }));
  const index = await modules.open(
    openAddressIndex(config, environment, { chain, privacy, peers: network.peers }),
  );
  await modules.open(openStatePruning(environment, chain, privacy.own !== undefined));
  const { ledger } = chain;
  const { peers } = network;
  const raft = network.ordering?.raft;
  await modules.open(setUpNetwork(config, environment, { permissions, ledger, pool, peers, nodeKey, raft }));
  return { accounts, chain, privacy, index, permissions, pool, network, runner, identity, nodeKey };
}

/** Reads the files of the node, and opens its accounts and its key. */
async function openIdentity(config: NodeConfig, environment: ServiceEnvironment, modules: OpenModules) {
  const { logger, version } = environment;
  const genesis = await readGenesis(config);
  if (genesis.consensus.engine === 'raft') readEtcdSettings(config);
  logGenesis(genesis, logger);
  const accounts = await modules.open(openAccounts(config, environment));
  const permissionConfig = await readPermissionConfig(config, logger);
  const keyFile = await readNodeKey(
    config.nodeKeyFile ?? join(config.dataDir, 'nodekey'),
    config.nodeKeyFile === undefined,
  );
  const { nodeKey, handshakeKeys } = await modules.open(openNodeKey(keyFile, environment));
  const identity = identityOf(config, { nodeKey, version, chainConfig: genesis.fileConfig });
  return { genesis, accounts, permissionConfig, nodeKey, handshakeKeys, identity };
}

/** The identity of the node, which other operators need. */
async function describeNode(ledger: Ledger, network: NodeNetwork, { address }: NodeIdentity) {
  const { chainId, rules } = ledger.genesis;
  const genesisHash = (await ledger.findBlock(0))?.hash;
  return { address, enode: network.peers.enode, genesisHash, chainId: Number(chainId), rules };
}

function measureExecutions(executions: ExecutionGate, metrics: Metrics): void {
  const gauge = metrics.gauge(
    'node_executions',
    'Calls, estimates and traces of clients that run or wait to begin',
    ['state'],
  );
  metrics.onScrape(() => {
    const { running, waiting } = executions.load;
    gauge.set(running, { state: 'running' });
    gauge.set(waiting, { state: 'waiting' });
  });
}

/** What extensions and the agreement of parties need. */
type SendingParts = Omit<NodeParts, 'extensions' | 'agreement' | 'repairs' | 'asyncSender'>;

function openAsyncSender(
  config: NodeConfig,
  { logger }: Pick<ServiceEnvironment, 'logger'>,
  { sender, agreement }: Pick<NodeParts, 'sender' | 'agreement'>,
): AsyncSender {
  return new AsyncSender({
    sender,
    callbacks: createCallbackSender({ allowPrivate: config.callbackAllowPrivate }),
    agreement: agreement && {
      usualMs: config.waitAgreement,
      wait: async (hash, waitMs) => viewAwaited(await agreement.waiter.wait(hash, waitMs)),
      stop: () => agreement.waiter.stop(),
    },
    limit: config.rpcMaxAsyncSends,
    logger,
  });
}

function buildParts(
  config: NodeConfig,
  { logger, metrics }: ServiceEnvironment,
  opened: Opened,
): SendingParts {
  const { accounts, chain, privacy, pool, network, runner, identity } = opened;
  const { keystore } = accounts;
  const { ledger } = chain;
  const executions = new ExecutionGate(executionLimits(config));
  measureExecutions(executions, metrics);
  const { privacyMarkers: createsMarkers, refusePartialRecipients: refusesPartial } = config;
  const markerKey = accounts.markerKey ?? opened.nodeKey;
  const howToSend = { createsMarkers, refusesPartial, logger };
  const sending = openSending({ ledger, pool, privacy, executions, markerKey, ...howToSend });
  const sender = new TransactionSender({
    chainId: chain.genesis.chainId,
    keystore,
    pool,
    estimateGas: (request) => new Simulator(parts).estimate(request, { reference: 'pending' }),
    privacy: sending?.ofAccounts,
  });
  const parts: SendingParts = {
    ledger,
    pool,
    sender,
    sending,
    identity,
    logger,
    privacy,
    executions,
    runner,
    engine: chain.engine,
    permissions: opened.permissions,
    privateState: privacy.own?.view,
    ...opened.index,
    receipts: privacy.receipts,
    pending: new PendingState({ ledger, pool, logger, isDatabaseUnavailable, proposer: identity.address }),
    peers: network.peers,
    ordering: network.ordering,
    limits: rpcLimits(config),
    clock: systemClock,
  };
  return parts;
}

/** Where calls and estimates of clients run: on threads of their own, if the operator wants some. */
async function openCallThreads(
  { callThreads, callThreadMemoryMb }: NodeConfig,
  { logger, metrics }: Pick<ServiceEnvironment, 'logger' | 'metrics'>,
): Promise<NodeModule<WorkRunner>> {
  if (callThreads === 0) return { parts: IN_THIS_THREAD, readiness: {}, close: () => Promise.resolve() };
  const threads = new WorkThreads({ threads: callThreads, heapMb: callThreadMemoryMb, logger, metrics });
  threads.start();
  return { parts: threads, readiness: {}, close: () => threads.close() };
}
