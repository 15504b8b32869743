import type { Genesis } from '@tetrad/node-execution';
import type { PeerPorts } from '@tetrad/node-peer';
import type { PermissionConfig } from '@tetrad/node-permissioning';
import { StateSync } from '@tetrad/node-state-sync';
import type { ServiceEnvironment } from '@tetrad/service';
import { OperatorError, systemClock, type Logger } from '@tetrad/types';
import type { HandshakeKeys } from '../open/handshake-keys.js';
import { openChain, type OpenChain } from '../open/open-chain.js';
import { readStaticNodes } from '../open/static-nodes.js';
import type { NodeConfig } from '../options/config.js';
import { managerSettings } from '../options/manager-options.js';
import { createPeers } from './node-network.js';
import { statePort } from './state-port.js';

export interface JoiningParts {
  readonly genesis: Genesis;
  readonly permissionConfig: PermissionConfig | undefined;
  readonly handshakeKeys: HandshakeKeys;
  readonly clientVersion: string;
}

/**
 * Takes the state of a recent block from peers, before the node is opened, where its database has no block but block 0. Clients are
 * served afterwards.
 * @throws OperatorError when this node cannot join that way, or is asked to stop
 */
export async function joinByState(
  config: NodeConfig,
  environment: ServiceEnvironment,
  parts: JoiningParts,
): Promise<void> {
  const { genesis, permissionConfig } = parts;
  const opened = await openChain(config, environment, genesis, permissionConfig);
  try {
    const chain = opened.parts;
    const begun = await chain.store.stateSync.find();
    if (begun?.joinedBlock !== undefined || chain.ledger.head().header.number > 0) return;
    assertMayJoin(config, chain, environment.logger);
    await takeState(config, environment, { ...parts, ...chain });
  } finally {
    await opened.close();
  }
}

/** @throws OperatorError */
function assertMayJoin(config: NodeConfig, { engine }: OpenChain, logger: Logger): void {
  if (engine.kind === 'raft')
    throw new OperatorError('--sync state: not with raft, whose headers no validators seal; use --sync full');
  if (managerSettings(config, logger) !== undefined)
    throw new OperatorError(
      '--sync state: not with --ptm-url: a party to older private transactions has to execute them; ' +
        'use --sync full, or restore a backup of a node of this organization',
    );
}

async function takeState(
  config: NodeConfig,
  environment: ServiceEnvironment,
  parts: JoiningParts & OpenChain,
): Promise<void> {
  const { ledger, engine, store } = parts;
  if (engine.kind === 'raft') return;
  const { logger } = environment;
  const staticNodes = await readStaticNodes(config.peers, config.staticNodesFile);
  const peers = await createPeers(config, environment, { ...parts, ports: portsOf(parts), staticNodes });
  const stopping = new AbortController();
  const stop = () =>
    stopping.abort(new OperatorError('stopped while a state was taken; the next start goes on from here'));
  process.once('SIGTERM', stop).once('SIGINT', stop);
  try {
    await peers.start();
    logger.info('joining by state', { enode: peers.enode, genesisHash: ledger.head().hash });
    const { states } = peers;
    const { checkpoint } = config;
    const { signal } = stopping;
    const clock = systemClock;
    const sync = new StateSync({ chain: engine, store, peers: states, checkpoint, clock, logger, signal });
    const joined = await sync.run();
    if (joined === undefined) logger.info('there is no past to leave out, so every block is executed');
  } finally {
    process.off('SIGTERM', stop).off('SIGINT', stop);
    await peers.stop();
  }
}

/** A node that neither takes blocks and transactions yet nor passes them on. */
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
    state: statePort(chain),
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
