import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { keccakHash } from '@tetrad/crypto';
import { parseAddress, type Hash } from '@tetrad/types';
import { DEFAULT_PEER_LIMITS } from '../limits.js';
import { KnownHashes } from '../peers/known.js';
import type { Peer } from '../peers/peer.js';
import type { PoolPort, RawTransaction } from '../ports.js';
import { encodeItems } from '../wire/request-message.js';
import { TransactionFetcher } from './transaction-fetcher.js';
import { TransactionGossip } from './transaction-gossip.js';

/** A clock that is moved by hand, for all nodes. */
class ManualClock {
  private nowMs = 0;
  private tasks: { readonly atMs: number; readonly task: () => void }[] = [];
  readonly now = () => this.nowMs;

  schedule = (delayMs: number, task: () => void) => {
    this.tasks.push({ atMs: this.nowMs + delayMs, task });
    return () => undefined;
  };

  async pass(ms: number): Promise<void> {
    this.nowMs += ms;
    const due = this.tasks.filter(({ atMs }) => atMs <= this.nowMs);
    this.tasks = this.tasks.filter(({ atMs }) => atMs > this.nowMs);
    for (const { task } of due) task();
    for (let turns = 0; turns < 10; turns++) await turn();
  }
}

/** A node whose pool refuses whose senders are suspended, and whose peers are in the same process. */
class GossipingNode {
  readonly content = new Map<Hash, Uint8Array>();
  /** How often a transaction came to the pool. */
  offered = 0;
  isSuspended = false;
  readonly gossip: TransactionGossip;
  private readonly peers: { readonly peer: Peer; readonly node: GossipingNode }[] = [];
  private readonly address;

  constructor(clock: ManualClock, index: number) {
    this.address = parseAddress(`0x${String(index).padStart(40, '0')}`);
    const penalise = () => {
      throw new Error('no peer misbehaved');
    };
    const shared = { clock: clock as never, limits: DEFAULT_PEER_LIMITS, penalise };
    const fetcher: TransactionFetcher = new TransactionFetcher({
      ...shared,
      request: async (peer, request) => {
        const hashes = request.kind === 'transactions' ? request.hashes : [];
        const found = hashes.flatMap((hash) => this.nodeOf(peer).content.get(hash) ?? []);
        return { kind: 'answered', answer: encodeItems(found) };
      },
      deliver: (peer, raws) => this.gossip.receive(peer, raws),
    });
    this.gossip = new TransactionGossip({
      ...shared,
      fetcher,
      pool: this.pool(),
      random: () => 0,
      validators: () => [],
      connected: () => this.peers.map(({ peer }) => peer),
      send: (peer, { kind, payload }) => {
        const other = this.nodeOf(peer);
        const from = other.peers.find(({ node }) => node === this)?.peer as Peer;
        if (kind === 'hash') other.gossip.announced(from, [payload]);
        if (kind === 'transaction') void other.gossip.receive(from, [payload]);
      },
      stopwatch: { time: <T>(work: () => T) => work() } as never,
      onTrouble: (error) => {
        throw error;
      },
    });
  }

  /** As a client sends it. */
  submit(transaction: RawTransaction): void {
    this.content.set(transaction.hash, transaction.raw);
    this.gossip.onAdded(transaction);
  }

  connect(other: GossipingNode): void {
    for (const [one, node] of [
      [this, other],
      [other, this],
    ] as const) {
      const connection = { known: { transactions: new KnownHashes(100) } };
      one.peers.push({ peer: { address: node.address, connection } as unknown as Peer, node });
    }
  }

  /** What every node does from time to time. */
  rebroadcast(): void {
    for (const { peer } of this.peers) this.gossip.announcePool(peer);
  }

  private nodeOf(peer: Peer): GossipingNode {
    return this.peers.find((one) => one.peer === peer)?.node as GossipingNode;
  }

  private pool(): PoolPort {
    return {
      has: (hash) => this.content.has(hash),
      find: (hash) => this.content.get(hash),
      hashes: () => [...this.content.keys()],
      onAdded: () => () => undefined,
      add: async (transactions) =>
        transactions.map((transaction) => {
          this.offered += 1;
          if (this.isSuspended) return 'refused';
          this.submit(transaction);
          return 'accepted';
        }),
    };
  }
}

const transactionOf = (index: number): RawTransaction => {
  const raw = new Uint8Array(100).fill(index);
  return { hash: keccakHash(raw), raw };
};

describe('transactions that pools accepted and dropped', () => {
  let clock: ManualClock;
  let nodes: readonly [GossipingNode, GossipingNode, GossipingNode];
  beforeEach(() => {
    clock = new ManualClock();
    nodes = [new GossipingNode(clock, 1), new GossipingNode(clock, 2), new GossipingNode(clock, 3)];
    nodes[0].connect(nodes[1]);
    nodes[1].connect(nodes[2]);
  });

  /** One period after which every node announces its pool to its peers. */
  async function period(): Promise<void> {
    await clock.pass(DEFAULT_PEER_LIMITS.rebroadcastMs);
    for (const node of nodes) node.rebroadcast();
    await clock.pass(DEFAULT_PEER_LIMITS.announceDelayMs * 2);
  }

  it.each([
    ['an account', 1],
    ['a whole organization', 5],
  ])(
    'while %s was suspended are announced again by the node that keeps them, once it is active',
    async (_, count) => {
      // The first node has acknowledged them, the last one makes blocks.
      const [origin, ...others] = nodes;
      for (let index = 1; index <= count; index++) origin.submit(transactionOf(index));
      await period();
      expect(nodes.map(({ content }) => content.size)).toEqual([count, count, count]);
      for (const node of others) {
        node.isSuspended = true;
        node.content.clear();
      }
      await period();
      await period();
      expect(nodes.map(({ content }) => content.size)).toEqual([count, 0, 0]);
      for (const node of others) node.isSuspended = false;
      await period();
      await period();
      expect(nodes.map(({ content }) => content.size)).toEqual([count, count, count]);
    },
  );

  it('are not fetched again at once, nor those that are in the pool at all', async () => {
    const [origin, between] = nodes;
    origin.submit(transactionOf(1));
    await period();
    await period();
    expect(between.offered).toBe(1);
    const dropAndHear = async () => {
      between.content.clear();
      origin.rebroadcast();
      await clock.pass(0);
    };
    await dropAndHear();
    expect(between.offered).toBe(2);
    await dropAndHear();
    expect(between.offered).toBe(2);
    await clock.pass(DEFAULT_PEER_LIMITS.rebroadcastMs);
    await dropAndHear();
    expect(between.offered).toBe(3);
  });
});
