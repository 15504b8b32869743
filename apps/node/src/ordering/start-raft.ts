import { isDatabaseUnavailable } from '@tetrad/db';
import { encodeBlock } from '@tetrad/node-block';
import { BlockMinter, EtcdLogStore, LogKeys, Membership, RaftDriver } from '@tetrad/node-consensus-raft';
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
  const { config, environment, pool, nodeKey, staticNodes } = parts;
  const { ledger, rules } = engine;
  const { logger, metrics } = environment;
  const genesisBlock = await ledger.findBlock(0);
  if (genesisBlock === undefined) throw new OperatorError('the database lacks block 0');
  const nodeId = nodeIdFromBytes(nodeKey.publicKey);
  const members = firstMembers(staticNodes, nodeId);
  const etcd = openEtcd(config, environment);
  const store = new EtcdLogStore(etcd);
  const blockTimeMs = config.blockPeriod ?? BLOCK_TIME_MS;
  const { address: proposer } = nodeKey;
  const shared = { clock: systemClock, logger };
  const keys = new LogKeys(ledger.genesis.chainId, genesisBlock.hash);
  const membership = new Membership({
    store,
    keys,
    nodeId,
    readAddress: (url) => readMemberAddress(url, { takesHostNames: config.raftDnsEnable }),
  });
  const driver = new RaftDriver<Block>({
    ...shared,
    store,
    keys,
    nodeId,
    // Blocks in the log have the encoding of the peer protocol.
    codec: { encode: encodeBlock, decode: parts.decodeBlock },
    isFaultOfBlock,
    restoresLog: config.raftRestoreLog,
    random: Math.random,
    blockTimeMs,
    leaseSeconds: LEASE_SECONDS,
    chain: {
      head: () => ledger.head(),
      hashOf: async (number) => (await ledger.findHeader(number))?.hash,
      // A node that joined by state cannot put its past back into the log.
      findBlock: async (number) =>
        ledger.blockHorizon.isHeaderOnly(number) ? undefined : ledger.findBlock(number),
      importBlock: (block) => ledger.importBlock(block),
    },
    minter: new BlockMinter({
      ...shared,
      ledger,
      rules,
      pool,
      sign: nodeKey.sign,
      proposer,
      metrics,
      isDatabaseUnavailable,
      fillMs: FILL_MS,
    }),
    genesisHash: genesisBlock.hash,
    firstMembers: members,
    peerHeads: () =>
      parts.peers
        .peers()
        .flatMap(({ nodeId, head }) => (head === undefined ? [] : [{ nodeId, number: head.number }])),
  });
  if (!config.validator) await driver.pause();
  driver.start();
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
    raft: { membership, state: () => ({ view: driver.state(), hears: driver.hears }) },
    // As for validators that cannot agree: a node that loses the log while others go on falls behind its peers.
    reasons: () => driver.reasons().map(({ text }) => ({ class: 'operators', reason: text })),
    isActive: () => driver.isActive,
    pause: () => driver.pause(),
    resume: async () => driver.resume(),
    async stop() {
      await driver.stop();
      await etcd.close();
    },
  };
}
