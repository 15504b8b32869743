import { isDatabaseUnavailable } from '@tetrad/db';
import { encodeBlock } from '@tetrad/node-block';
import {
  BlockMinter,
  EtcdLogStore,
  LogKeys,
  Membership,
  RaftDriver,
  type OrderedChain,
  type RaftDriverOptions,
} from '@tetrad/node-consensus-raft';
import { isFaultOfBlock } from '@tetrad/node-ledger';
import { nodeIdFromBytes } from '@tetrad/node-peer';
import { OperatorError, systemClock, type Block } from '@tetrad/types';
import type { RaftChainEngine } from '../open/chain-engine.js';
import { LEASE_SECONDS, openEtcd } from '../options/etcd-options.js';
import { firstMembers } from './first-members.js';
import type { Ordering, OrderingParts } from './ordering.js';
import { readMemberAddress } from './read-member-address.js';

/** Time between blocks of GoQuorum's raft (docs/spec/raft.md, "Configuration"). Units: ms */
const BLOCK_TIME_MS = 50;
/** Limit on filling a block, so that other nodes get it soon. Units: ms */
const FILL_MS = 400;

/**
 * Follows the log in etcd and mints when it is this node's turn.
 * @throws OperatorError, OptionError
 */
export async function startRaft(engine: RaftChainEngine, parts: OrderingParts): Promise<Ordering> {
  const { config, environment, nodeKey, staticNodes } = parts;
  const { ledger } = engine;
  const genesisBlock = await ledger.findBlock(0);
  if (genesisBlock === undefined) throw new OperatorError('the database lacks block 0');
  const nodeId = nodeIdFromBytes(nodeKey.publicKey);
  const members = firstMembers(staticNodes, nodeId);
  const etcd = openEtcd(config, environment);
  const store = new EtcdLogStore(etcd);
  const keys = new LogKeys(ledger.genesis.chainId, genesisBlock.hash);
  const membership = new Membership({
    store,
    keys,
    nodeId,
    readAddress: (url) => readMemberAddress(url, { takesHostNames: config.raftDnsEnable }),
  });
  const log = { store, keys, nodeId, genesisHash: genesisBlock.hash, firstMembers: members };
  const driver = createDriver(engine, parts, log);
  if (!config.validator) await driver.pause();
  driver.start();
  return {
    ...orderingOf(driver, engine, staticNodes),
    raft: { membership, state: () => ({ view: driver.state(), hears: driver.hears }) },
    async stop() {
      await driver.stop();
      await etcd.close();
    },
  };
}

/** The log of the chain, and who this node is in it. */
type ChainLog = Pick<RaftDriverOptions<Block>, 'store' | 'keys' | 'nodeId' | 'genesisHash' | 'firstMembers'>;

function createDriver(engine: RaftChainEngine, parts: OrderingParts, log: ChainLog): RaftDriver<Block> {
  const { config, environment, decodeBlock, peers } = parts;
  return new RaftDriver<Block>({
    ...log,
    clock: systemClock,
    logger: environment.logger,
    // Blocks in the log have the encoding of the peer protocol.
    codec: { encode: encodeBlock, decode: decodeBlock },
    isFaultOfBlock,
    restoresLog: config.raftRestoreLog,
    random: Math.random,
    blockTimeMs: config.blockPeriod ?? BLOCK_TIME_MS,
    leaseSeconds: LEASE_SECONDS,
    chain: orderedChain(engine.ledger),
    minter: createMinter(engine, parts),
    peerHeads: () =>
      peers
        .peers()
        .flatMap(({ nodeId, head }) => (head === undefined ? [] : [{ nodeId, number: head.number }])),
  });
}

function orderedChain(ledger: RaftChainEngine['ledger']): OrderedChain<Block> {
  return {
    head: () => ledger.head(),
    hashOf: async (number) => (await ledger.findHeader(number))?.hash,
    // A node that joined by state cannot put its past back into the log.
    findBlock: async (number) =>
      ledger.blockHorizon.isHeaderOnly(number) ? undefined : ledger.findBlock(number),
    importBlock: (block) => ledger.importBlock(block),
  };
}

function createMinter(
  { ledger, rules }: RaftChainEngine,
  { environment: { logger, metrics }, pool, nodeKey }: OrderingParts,
): BlockMinter {
  return new BlockMinter({
    clock: systemClock,
    logger,
    ledger,
    rules,
    pool,
    sign: nodeKey.sign,
    proposer: nodeKey.address,
    metrics,
    isDatabaseUnavailable,
    fillMs: FILL_MS,
  });
}

/** The part of the ordering that the driver alone answers for. */
function orderingOf(
  driver: RaftDriver<Block>,
  { ledger, rules }: RaftChainEngine,
  staticNodes: OrderingParts['staticNodes'],
): Omit<Ordering, 'raft' | 'stop'> {
  return {
    // Nodes of such a chain only communicate through the log.
    onMessage: () => 'ignored',
    isMember: (id) =>
      driver.state().head === undefined
        ? staticNodes.some((node) => node.nodeId === id)
        : driver.state().memberOfNode(id) !== undefined,
    fromPeers: {
      isWanted: () => driver.wantsFromPeers(ledger.head().header.number + 1),
      mayTake: (block) =>
        driver.mayTakeFromPeers(block) && driver.state().hadMember(rules.proposerOf(block.header)),
    },
    // As for validators that cannot agree: a node that loses the log while others go on falls behind its peers.
    reasons: () => driver.reasons().map(({ text }) => ({ class: 'operators', reason: text })),
    isActive: () => driver.isActive,
    pause: () => driver.pause(),
    resume: async () => driver.resume(),
  };
}
