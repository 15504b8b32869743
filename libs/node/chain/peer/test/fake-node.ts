import {
  generatePrivateKey,
  publicKeyFromPrivateKey,
  signDigest,
  signingKeyOf,
  type RecoverableSignature,
} from '@tetrad/crypto';
import { encodeBlock } from '@tetrad/node-block';
import {
  silentMetrics,
  systemClock,
  type Address,
  type Block,
  type Clock,
  type Hash,
  type Metrics,
} from '@tetrad/types';
import {
  PeerNetwork,
  addressOfNode,
  nodeIdFromBytes,
  parseEnode,
  type DuplicateKey,
  type IsAllowed,
  type NodeId,
  type PeerLimits,
  type StatePort,
} from '../src/index.js';
import { CollectedLog } from './collected-log.js';
import { eventually } from './eventually.js';
import { CHAIN_ID, FakeChain, GENESIS, makeBlock } from './fake-chain.js';
import { FakeConsensus } from './fake-consensus.js';
import { FakePool } from './fake-pool.js';

/** Waits that do not make tests long; nothing in them decides a test. */
export const TEST_LIMITS: Partial<PeerLimits> = {
  tickMs: 20,
  backoffBaseMs: 50,
  backoffCapMs: 400,
  pingIntervalMs: 300,
  // A host that is busy for seconds must not part peers; tests of silent connections ask for less.
  pingTimeoutMs: 60_000,
  announceDelayMs: 20,
  validatorAnnounceDelayMs: 60_000,
  blockPatienceMs: 60,
  rebroadcastMs: 60_000,
  exchangeMs: 100,
  syncPenaltyMs: 2_000,
  stateBusyMs: 10,
};

export interface FakeNodeOptions {
  readonly privateKey?: Uint8Array;
  /** Signs with the key, or fails as a key does whose service is away; default: signs. */
  readonly sign?: (digest: Uint8Array, privateKey: Uint8Array) => RecoverableSignature;
  readonly chainId?: bigint;
  readonly genesisHash?: Hash;
  readonly port?: number;
  readonly blocks?: Block[];
  readonly staticPeers?: readonly string[];
  readonly peerExchange?: boolean;
  readonly limits?: Partial<PeerLimits>;
  readonly isAllowed?: IsAllowed;
  readonly metrics?: Metrics;
  readonly random?: () => number;
  readonly clock?: Clock;
  readonly versions?: { readonly oldest: number; readonly newest: number };
  readonly state?: StatePort;
  /** Whether it takes no blocks from peers. */
  readonly takesNoBlocks?: boolean;
}

/** A node with a real peer port, around a chain, pool and engine of the test. */
export class FakeNode {
  readonly privateKey: Uint8Array;
  readonly nodeId: NodeId;
  readonly address: Address;
  readonly chain: FakeChain;
  readonly pool = new FakePool();
  readonly consensus = new FakeConsensus();
  readonly log = new CollectedLog();
  readonly duplicates: DuplicateKey[] = [];
  readonly notices: { readonly hash: Buffer; readonly from: NodeId }[] = [];
  readonly network: PeerNetwork;

  constructor(options: FakeNodeOptions = {}) {
    this.privateKey = options.privateKey ?? generatePrivateKey();
    this.nodeId = nodeIdFromBytes(publicKeyFromPrivateKey(this.privateKey));
    this.address = addressOfNode(this.nodeId);
    this.chain = new FakeChain(options.blocks);
    const key = signingKeyOf(this.privateKey);
    const { sign = signDigest } = options;
    if (options.takesNoBlocks === true) this.chain.takesBlocks = () => false;
    this.network = new PeerNetwork({
      key: { ...key, sign: async (digest) => sign(digest, this.privateKey) },
      chainId: options.chainId ?? CHAIN_ID,
      genesisHash: options.genesisHash ?? GENESIS.hash,
      name: 'Tetrad/test',
      listen: { host: '127.0.0.1', port: options.port ?? 0 },
      staticPeers: (options.staticPeers ?? []).map(parseEnode),
      peerExchange: options.peerExchange ?? false,
      limits: { ...TEST_LIMITS, ...options.limits },
      clock: options.clock ?? systemClock,
      logger: this.log,
      metrics: options.metrics ?? silentMetrics,
      ...(options.versions === undefined ? {} : { versions: options.versions }),
      ...(options.random === undefined ? {} : { random: options.random }),
      ports: {
        chain: this.chain,
        state: options.state,
        pool: this.pool,
        consensus: this.consensus,
        ...(options.isAllowed === undefined ? {} : { isAllowed: options.isAllowed }),
        notices: { received: (hash, from) => this.notices.push({ hash: Buffer.from(hash), from }) },
        onDuplicateKey: (duplicate) => this.duplicates.push(duplicate),
      },
    });
    this.chain.onImported = (block) => this.network.announceBlock(block, () => encodeBlock(block));
  }

  get enode(): string {
    return this.network.enode;
  }

  get port(): number {
    return parseEnode(this.enode).port;
  }

  get peerIds(): NodeId[] {
    return this.network.peers().map(({ nodeId }) => nodeId);
  }

  /** Makes a block and announces it. */
  produce(salt = 0): Block {
    const block = makeBlock(this.chain.head(), { salt });
    this.chain.blocks.push(block);
    this.network.announceBlock(block, () => encodeBlock(block));
    return block;
  }
}

/** Nodes that are stopped when the test is over. */
export class FakeNetwork {
  private readonly nodes: FakeNode[] = [];

  async start(options: FakeNodeOptions = {}): Promise<FakeNode> {
    const node = new FakeNode(options);
    this.nodes.push(node);
    await node.network.start();
    return node;
  }

  /** So many nodes, each connected with those of the list. */
  async startAll(
    connections: readonly (readonly number[])[],
    options: FakeNodeOptions = {},
  ): Promise<FakeNode[]> {
    const nodes: FakeNode[] = [];
    for (let index = 0; index < connections.length; index++) nodes.push(await this.start(options));
    connections.forEach((others, index) => {
      for (const other of others) nodes[index]?.network.addPeer(parseEnode((nodes[other] as FakeNode).enode));
    });
    await eventually(() =>
      connections.every((others, index) => {
        const ids = nodes[index]?.peerIds ?? [];
        return others.every((other) => ids.includes((nodes[other] as FakeNode).nodeId));
      }),
    );
    return nodes;
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.splice(0).map(({ network }) => network.stop()));
  }
}
