import { describe, expect, it } from '@jest/globals';
import { LogKeys } from '../src/log/log-keys.js';
import { RaftSimulation } from './simulator/raft-simulation.js';
import { GENESIS, KEYS, type SimulatedNode } from './simulator/simulated-node.js';
import { grow, height, minterOf, network, troubles } from './simulated-network.js';

describe('nodes on a log', () => {
  it('create it together, elect a minter, and mint no empty blocks', async () => {
    const simulation = await network();
    await grow(simulation, 3);
    const heights = simulation.nodes.map(height);
    await simulation.pass(60_000);
    expect(simulation.nodes.map(height)).toEqual(heights);
    expect(troubles(simulation)).toEqual([undefined, undefined, undefined]);
  });

  it('elect another minter when theirs is gone, and mine the transactions it left', async () => {
    const simulation = await network();
    await grow(simulation, 3);
    const minter = minterOf(simulation) as SimulatedNode;
    minter.crash();
    simulation.submit(4);
    const others = simulation.nodes.filter((node) => node !== minter);
    expect(await simulation.passUntil(() => others.every((node) => node.has(6)))).toBe(true);
    minter.start();
    expect(await simulation.passUntil(() => simulation.isWhole())).toBe(true);
    expect(simulation.violations).toEqual([]);
  });

  it('mint nothing with a database that was lost until they have the whole log again', async () => {
    const simulation = await network();
    await grow(simulation, 5);
    const minter = minterOf(simulation) as SimulatedNode;
    minter.crash();
    minter.chain.length = 1;
    simulation.submit(5);
    minter.start();
    expect(await simulation.passUntil(() => simulation.isWhole())).toBe(true);
    expect(simulation.violations).toEqual([]);
    expect(troubles(simulation)).toEqual([undefined, undefined, undefined]);
  });

  it('mint nothing while the minter is paused, and at once when it resigns', async () => {
    const simulation = await network();
    await grow(simulation, 1);
    const minter = minterOf(simulation) as SimulatedNode;
    const pausing = minter.driver?.pause();
    await simulation.pass(2_000);
    await pausing;
    await grow(simulation, 3);
    expect(minterOf(simulation)).not.toBe(minter);
    minter.driver?.resume();
    await simulation.pass(2_000);
    expect(minter.driver?.reasons()[0]?.text).toBeUndefined();
  });

  it('stop and report it while etcd has no quorum, and go on afterwards', async () => {
    const simulation = await network();
    await grow(simulation, 2);
    simulation.etcd.isAway = true;
    simulation.submit(3);
    const heights = simulation.nodes.map(height);
    await simulation.pass(60_000);
    expect(simulation.nodes.map(height)).toEqual(heights);
    for (const trouble of troubles(simulation)) expect(trouble).toContain('etcd does not answer');
    simulation.etcd.isAway = false;
    expect(await simulation.passUntil(() => simulation.isWhole())).toBe(true);
  });

  it('stop while etcd is full, which the minter reports, also one that takes over', async () => {
    const simulation = await network();
    await grow(simulation, 2);
    simulation.etcd.isFull = true;
    simulation.submit(3);
    const heights = simulation.nodes.map(height);
    await simulation.pass(10_000);
    const text = 'etcd does not take what this node writes: etcdserver: mvcc: database space exceeded';
    const minter = minterOf(simulation) as SimulatedNode;
    expect(minter.driver?.reasons()[0]?.text).toBe(text);
    minter.crash();
    await simulation.pass(10_000);
    const others = simulation.nodes.filter((node) => node !== minter);
    expect(others.map(({ driver }) => driver?.reasons()[0]?.text)).toEqual([text, text]);
    expect(others.map(height)).toEqual(heights.slice(1));
    simulation.etcd.isFull = false;
    minter.start();
    expect(await simulation.passUntil(() => simulation.isWhole())).toBe(true);
    expect(troubles(simulation)).toEqual([undefined, undefined, undefined]);
  });

  it('read what was compacted while they were down', async () => {
    const simulation = await network();
    await grow(simulation, 2);
    const [first] = simulation.nodes;
    first?.crash();
    simulation.submit(40);
    await simulation.passUntil(() => simulation.nodes.slice(1).every((node) => node.has(41)));
    simulation.etcd.compactAll();
    first?.start();
    expect(await simulation.passUntil(() => simulation.isWhole())).toBe(true);
  });

  it('do not see another network on the same etcd', async () => {
    const simulation = await network();
    const other = new LogKeys(1338n, GENESIS.hash);
    simulation.etcd.write(other.head, Buffer.from('what another chain has there'));
    await grow(simulation, 2);
    expect(simulation.etcd.keys(other.log)).toHaveLength(1);
  });
});

describe('a log that has grown', () => {
  const pruning = { keptBlocks: 5, blocksBetween: 4 };
  const blocksIn = ({ etcd }: RaftSimulation) => etcd.keys(KEYS.blocks).length;

  async function growBlocks(simulation: RaftSimulation, blocks: number): Promise<void> {
    for (let block = 0; block < blocks; block++) await grow(simulation, 1);
  }

  it('is pruned of blocks that every member has, and not of those that a member that is down lacks', async () => {
    const simulation = new RaftSimulation({ seed: 7, voters: 3, logLimits: pruning });
    simulation.startAll();
    await growBlocks(simulation, 40);
    expect(blocksIn(simulation)).toBeLessThan(20);
    const [late] = simulation.nodes as readonly [SimulatedNode];
    const height = late.head().header.number;
    late.crash();
    for (let block = 0; block < 40; block++) {
      simulation.submit(1);
      const last = simulation.submitted.size - 1;
      await simulation.passUntil(() => simulation.nodes.slice(1).every((node) => node.has(last)));
    }
    expect(simulation.etcd.keys(KEYS.blocks)[0]).toBe(KEYS.block(Math.min(height, height)));
    late.start();
    expect(await simulation.passUntil(() => simulation.isWhole())).toBe(true);
    await growBlocks(simulation, 40);
    expect(blocksIn(simulation)).toBeLessThan(20);
    expect(simulation.violations).toEqual([]);
  });

  it('lets a new node get pruned blocks from members, and no others', async () => {
    const simulation = new RaftSimulation({ seed: 7, voters: 3, logLimits: pruning });
    simulation.startAll();
    await growBlocks(simulation, 40);
    const [fresh, other] = simulation.nodes as readonly [SimulatedNode, SimulatedNode];
    fresh.crash();
    fresh.chain.length = 1;
    fresh.start();
    await simulation.passUntil(() => fresh.driver?.wantsFromPeers(1) === true);
    expect(fresh.driver?.reasons()[0]?.text).toContain('no longer in the log in etcd');
    const head = other.head().header.number;
    expect(fresh.driver?.wantsFromPeers(head)).toBe(false);
    for (const block of other.chain.slice(1))
      if (fresh.driver?.wantsFromPeers(block.header.number) === true) fresh.chain.push(block);
    expect(await simulation.passUntil(() => fresh.head().hash === other.head().hash)).toBe(true);
    expect(fresh.driver?.reasons()[0]?.text).toBeUndefined();
  });
});
