import type { Genesis } from '@tetrad/node-execution';
import { nodeIdFromBytes, type PeerPorts } from '@tetrad/node-peer';
import type { PermissionConfig } from '@tetrad/node-permissioning';
import { CheckpointEvidence, PastNeededError, SealEvidence, StateSync } from '@tetrad/node-state-sync';
import type { ServiceEnvironment } from '@tetrad/service';
import { OperatorError, systemClock } from '@tetrad/types';
import type { HandshakeKeys } from '../open/handshake-keys.js';
import { openChain, type OpenChain } from '../open/open-chain.js';
import type { NodeModule } from '../open/node-module.js';
import { readStaticNodes } from '../open/static-nodes.js';
import type { NodeConfig } from '../options/config.js';
import { openListedPermissions } from '../permissions/open-permissions.js';
import { openPrivateBeginning } from './begin-private-state.js';
import { isStateTaken, reasonToExecute, type SyncChoiceParts } from './choose-sync.js';
import { createPeers } from '../peers/node-network.js';
import { openLogEvidence } from './log-evidence.js';

export interface JoiningParts {
  readonly genesis: Genesis;
  readonly permissionConfig: PermissionConfig | undefined;
  readonly handshakeKeys: HandshakeKeys;
  readonly clientVersion: string;
}

/**
 * Opens the chain of the node. Where its database has no block but block 0, the state of a recent block is taken from peers first: by
 * option, or where the node chooses to. Clients are served afterwards.
 * @throws OperatorError when this node cannot join that way, or is asked to stop
 */
export async function openJoinedChain(
  config: NodeConfig,
  environment: ServiceEnvironment,
  parts: JoiningParts,
): Promise<NodeModule<OpenChain>> {
  const { genesis, permissionConfig } = parts;
  if (config.sync === 'full') return openChain(config, environment, genesis, permissionConfig);
  // A state that is here in part is gone on with.
  const going = { ...config, sync: 'state' } as const;
  const open = () => openChain(going, environment, genesis, permissionConfig);
  const opened = await open();
  try {
    const chain = opened.parts;
    const { stateSync } = chain.store;
    const begun = await stateSync.find();
    if (begun?.joinedBlock !== undefined || chain.ledger.head().header.number > 0) return opened;
    const isBegun = begun !== undefined || ((await stateSync.findNewestHeader()) ?? 0) > 0;
    const taking = takeState(isBegun ? going : config, environment, { ...parts, ...chain });
    const isTaken = await (config.sync === 'auto' ? orGivenUp(taking, chain, environment) : taking);
    if (!isTaken) return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
  await opened.close();
  return open();
}

/**
 * Where the node chose to take a state, and blocks of the past have to be executed after all, it begins anew and executes every block: what is
 * there came from peers, so nothing is lost.
 */
async function orGivenUp(
  taking: Promise<boolean>,
  { store }: OpenChain,
  { logger }: ServiceEnvironment,
): Promise<boolean> {
  try {
    return await taking;
  } catch (error) {
    if (!(error instanceof PastNeededError)) throw error;
    logger.warn('the joining by state is given up, and every block is executed', { reason: error.message });
    await store.stateSync.abandon();
    return true;
  }
}

/** @returns false when every block is executed without the chain being opened again */
async function takeState(
  config: NodeConfig,
  environment: ServiceEnvironment,
  parts: JoiningParts & OpenChain,
): Promise<boolean> {
  const { logger } = environment;
  const staticNodes = await readStaticNodes(config.peers, config.staticNodesFile);
  const reason = config.sync === 'auto' ? reasonToExecute(config, staticNodes) : undefined;
  if (reason !== undefined) {
    logger.debug('every block is executed', { reason });
    return false;
  }
  const nodeId = nodeIdFromBytes(parts.handshakeKeys.dialer.publicKey);
  const permissions = await openListedPermissions(config, environment, nodeId);
  const { isAllowed } = permissions;
  const ports = { ...portsOf(parts), ...(isAllowed && { isAllowed }) };
  const peers = await createPeers(config, environment, { ...parts, ports, staticNodes });
  const stopping = new AbortController();
  const stop = () =>
    stopping.abort(new OperatorError('stopped while a state was taken; the next start goes on from here'));
  process.once('SIGTERM', stop).once('SIGINT', stop);
  try {
    await peers.start();
    const joined = await syncState(config, environment, {
      ...parts,
      peers,
      staticNodes,
      signal: stopping.signal,
    });
    if (joined === undefined) logger.info('every block is executed');
    return joined !== undefined;
  } finally {
    process.off('SIGTERM', stop).off('SIGINT', stop);
    await peers.stop();
    await permissions.close();
  }
}

/** @returns the block whose state was taken; undefined without any */
async function syncState(
  config: NodeConfig,
  environment: ServiceEnvironment,
  parts: OpenChain & Pick<SyncChoiceParts, 'peers' | 'staticNodes' | 'signal'>,
): Promise<number | undefined> {
  const { engine, store, peers, signal } = parts;
  const { checkpoint } = config;
  const { logger } = environment;
  const beginning = openPrivateBeginning(config, environment, { store: store.privateState, signal });
  const log = engine.kind === 'raft' ? openLogEvidence(engine, config, environment, signal) : undefined;
  if (config.trustCheckpoint && log !== undefined)
    throw new OperatorError('--trust-checkpoint: not with raft, whose log in etcd names the newest block');
  const joined = { past: beginning, onTarget: beginning?.at };
  const isGathered = () => peers.isSettled();
  const times = { clock: systemClock, signal, isGathered };
  const run = { ...times, store, peers: peers.states, checkpoint, logger, ...joined };
  try {
    if (config.sync === 'auto' && !(await isStateTaken(config, { ...parts, beginning, logger }))) return;
    logger.info('joining by state', { enode: peers.enode, genesisHash: parts.ledger.head().hash });
    if (engine.kind === 'bft')
      return await new StateSync({
        ...run,
        chain: engine,
        evidence: (pool) =>
          config.trustCheckpoint && checkpoint !== undefined
            ? new CheckpointEvidence({ chain: engine, store, checkpoint, pool, clock: systemClock })
            : new SealEvidence(engine, store),
      }).run();
    return log && (await new StateSync({ ...run, chain: engine, evidence: log.evidence }).run());
  } finally {
    await Promise.all([log?.close(), beginning?.close()]);
  }
}

/** A node that takes no blocks and transactions yet, and passes nothing on. */
function portsOf(chain: OpenChain): PeerPorts {
  const { ledger } = chain;
  return {
    chain: {
      head: () => ledger.head(),
      isStoring: () => false,
      readRange: async () => [],
      decode: () => Promise.reject(new Error('no blocks are taken while a state is')),
      verifyHeaders: async () => undefined,
      importBlock: async () => ({ kind: 'known' }),
      earlyMs: () => 0,
      takesBlocks: () => false,
    },
    // Who may be served is not known before the state is there.
    state: {
      headers: async () => [],
      ranges: async ({ questions }) => questions.map(() => undefined),
      contents: async ({ hashes }) => hashes.map(() => undefined),
      validators: async () => undefined,
      history: async () => [],
    },
    pool: {
      has: () => true,
      find: () => undefined,
      add: async (transactions) => transactions.map(() => 'refused'),
      onAdded: () => () => undefined,
      hashes: () => [],
    },
    consensus: { onMessage: () => 'ignored', validators: () => [] },
  };
}
