import { describe, expect, it } from '@jest/globals';
import { encodeHead } from '../src/log/log-records.js';
import { RaftSimulation } from './simulator/raft-simulation.js';
import { GENESIS, KEYS, type SimulatedNode } from './simulator/simulated-node.js';
import { grow, height, minterOf, network, troubles } from './simulated-network.js';

const reasonNames = ({ nodes }: RaftSimulation) =>
  nodes.map((node) => node.driver?.reasons().map(({ name }) => name));

describe('a log that differs from the chain', () => {
  it('is refused by name after etcd was restored, by nodes ahead of it, and not extended by others', async () => {
    const simulation = await network();
    await grow(simulation, 5);
    const snapshot = simulation.snapshot();
    const [late] = simulation.nodes;
    const before = height(late);
    late?.crash();
    simulation.submit(20);
    await simulation.passUntil(() => simulation.nodes.slice(1).every((node) => node.has(24)));
    simulation.etcd.restore(snapshot);
    for (const node of simulation.nodes) {
      node.crash();
      node.start();
    }
    simulation.submit(5);
    await simulation.pass(60_000);
    expect(height(late)).toBe(before);
    expect(simulation.violations).toEqual([]);
    const [ofLate, ...ofOthers] = troubles(simulation);
    for (const trouble of ofOthers)
      expect(trouble).toMatch(/ends at block \d+, and this chain at \d+: etcd was set back/);
    // It has nothing that the log lacks, and does not mint in its own way what the others have.
    expect(ofLate).toMatch(/ends at block \d+, and a member has block \d+: etcd was set back/);
  });

  it('is not extended by nodes that know of a member with more blocks, even by a majority', async () => {
    const simulation = await network(5);
    await grow(simulation, 5);
    const snapshot = simulation.snapshot();
    const late = simulation.nodes.slice(0, 3);
    const before = late.map(height);
    for (const node of late) node.crash();
    // Two of five are not a quorum, so the other three must run again before the blocks are mined that they will lose.
    for (const node of late) node.start();
    await grow(simulation, 20);
    for (const [index, node] of late.entries()) {
      node.crash();
      node.chain.length = (before[index] ?? 0) + 1;
    }
    simulation.etcd.restore(snapshot);
    for (const node of late) node.start();
    simulation.submit(5);
    simulation.violations.length = 0;
    await simulation.pass(60_000);
    expect(late.map(height)).toEqual(before);
    for (const node of late)
      expect(node.driver?.reasons()[0]?.text).toMatch(
        /ends at block \d+, and a member has block \d+: etcd was set back/,
      );
  });

  it('gets its lost blocks back from the node that is started to restore it, and all nodes go on', async () => {
    const simulation = await network();
    await grow(simulation, 5);
    const snapshot = simulation.snapshot();
    await grow(simulation, 20);
    for (const node of simulation.nodes) node.crash();
    simulation.etcd.restore(snapshot);
    const [first] = simulation.nodes as readonly [SimulatedNode];
    first.restoresLog = true;
    first.reasonLines.length = 0;
    simulation.forgetAppended();
    simulation.startAll();
    await grow(simulation, 5);
    expect(simulation.violations).toEqual([]);
    expect(troubles(simulation)).toEqual([undefined, undefined, undefined]);
    expect(first.reasonLines.filter((line) => line.includes('log '))).toEqual([]);
  });

  it('is not begun anew by a member that lost its database together with etcd, while another has blocks', async () => {
    const simulation = await network();
    const empty = simulation.snapshot();
    await grow(simulation, 5);
    for (const node of simulation.nodes) node.crash();
    simulation.etcd.restore(empty);
    const lost = simulation.nodes.slice(0, 2);
    for (const node of lost) node.chain.length = 1;
    simulation.startAll();
    simulation.submit(5);
    simulation.violations.length = 0;
    await simulation.pass(60_000);
    expect(lost.map(height)).toEqual([0, 0]);
    expect(simulation.violations).toEqual([]);
    for (const node of lost)
      expect(node.driver?.reasons()[0]?.text).toMatch(/a member has block \d+: etcd was set back/);
  });

  it('is refused by name when etcd is empty and the chain is not', async () => {
    const simulation = await network();
    const empty = simulation.snapshot();
    await grow(simulation, 5);
    for (const node of simulation.nodes) node.crash();
    simulation.etcd.restore(empty);
    simulation.startAll();
    await simulation.pass(10_000);
    for (const trouble of troubles(simulation))
      expect(trouble).toMatch(/the log in etcd is empty, and this chain has/);
    expect(simulation.etcd.keys(KEYS.log)).toEqual([]);
  });

  it.each([
    ['an invalid head', () => KEYS.head, 'is not of this software'],
    ['an invalid member', () => KEYS.member(2), 'is not of this software'],
  ])('is refused by name after a foreign write: %s', async (_what, key, text) => {
    const simulation = await network();
    await grow(simulation, 5);
    const heights = simulation.nodes.map(height);
    simulation.etcd.write(key(), Buffer.concat([Buffer.of(0), Buffer.from('something')]));
    simulation.violations.length = 0;
    // A minter that has not heard of the write yet may still mint.
    await simulation.pass(1_000);
    simulation.submit(5);
    await simulation.pass(10_000);
    for (const trouble of troubles(simulation)) expect(trouble).toContain(text);
    expect(simulation.nodes.map(height)).toEqual(heights);
  });

  it('is no longer pruned, and otherwise as before, when an acknowledgement is invalid', async () => {
    const logLimits = { keptBlocks: 5, blocksBetween: 4 };
    const simulation = new RaftSimulation({ seed: 7, voters: 3, logLimits });
    simulation.startAll();
    simulation.etcd.write(KEYS.acknowledged(9), Buffer.from('something'));
    for (let block = 0; block < 20; block++) await grow(simulation, 1);
    expect(simulation.etcd.keys(KEYS.blocks).length).toBeGreaterThanOrEqual(20);
    const ofMinter = () =>
      minterOf(simulation)
        ?.driver?.reasons()
        .map(({ name }) => name);
    expect(ofMinter()).toEqual(['pruning']);
    simulation.etcd.write(KEYS.acknowledged(9), Buffer.from('1'));
    for (let block = 0; block < 5; block++) await grow(simulation, 1);
    expect(ofMinter()).toEqual([]);
  });

  it('is refused by name when its head names a block that was never appended', async () => {
    const simulation = await network();
    await grow(simulation, 5);
    simulation.etcd.write(KEYS.head, encodeHead({ number: 1_000_000, hash: GENESIS.hash }));
    await simulation.pass(10_000);
    for (const trouble of troubles(simulation)) expect(trouble).toMatch(/1000000/);
  });

  const strange = { ...GENESIS, header: { number: 1, parentHash: GENESIS.hash } };
  it.each([
    ['an old block is written over', 1, JSON.stringify(strange)],
    ['an old block is replaced by something else', 1, 'something'],
    ['a block is put above its head', 99, JSON.stringify(strange)],
  ])('is followed further, and reported as damaged, when %s', async (_what, number, value) => {
    const simulation = await network();
    await grow(simulation, 5);
    simulation.etcd.write(KEYS.block(number), Buffer.concat([Buffer.of(0), Buffer.from(value)]));
    await grow(simulation, 5);
    for (const trouble of troubles(simulation))
      expect(trouble).toContain(`block ${number} of the log in etcd is not what was appended`);
  });

  it('is no longer reported as damaged once its blocks are what was appended', async () => {
    const simulation = await network();
    await grow(simulation, 5);
    const above = height(simulation.nodes[0]) + 3;
    const key = KEYS.block(1);
    const appended = simulation.etcd.valueOf(key) as Uint8Array;
    simulation.etcd.write(key, Buffer.from('something'));
    simulation.etcd.write(KEYS.block(above), Buffer.from('something'));
    await simulation.pass(5_000);
    for (const names of reasonNames(simulation)) expect(names).toEqual(['damage']);
    simulation.etcd.write(key, appended);
    simulation.violations.length = 0;
    for (let block = 0; block < 4; block++) await grow(simulation, 1);
    await simulation.pass(2_000);
    expect(reasonNames(simulation)).toEqual([[], [], []]);
    for (const node of simulation.nodes)
      expect(node.reasonLines.filter((line) => line.endsWith('damage'))).toEqual(['+damage', '-damage']);
  });

  it.each([
    ['its head', () => KEYS.head, 'log behind'],
    ['a member', () => KEYS.member(1), 'member'],
  ])('that lost %s has it reported until it is back', async (_what, key, name) => {
    const simulation = await network();
    await grow(simulation, 5);
    const lost = simulation.etcd.valueOf(key()) as Uint8Array;
    simulation.etcd.remove(key());
    await simulation.pass(5_000);
    expect(reasonNames(simulation)[0]).toContain(name);
    simulation.etcd.write(key(), lost);
    await grow(simulation, 2);
    await simulation.pass(2_000);
    expect(reasonNames(simulation)).toEqual([[], [], []]);
  });

  it('that is damaged and then set back has both reported, each logged once', async () => {
    const simulation = await network();
    await grow(simulation, 5);
    const before = simulation.etcd.valueOf(KEYS.head) as Uint8Array;
    await grow(simulation, 5);
    const now = simulation.etcd.valueOf(KEYS.head) as Uint8Array;
    simulation.etcd.write(KEYS.block(1), Buffer.from('something'));
    await simulation.pass(5_000);
    simulation.etcd.write(KEYS.head, before);
    await simulation.pass(30_000);
    for (const names of reasonNames(simulation))
      expect(names).toEqual(expect.arrayContaining(['log behind', 'damage', 'head']));
    simulation.etcd.write(KEYS.head, now);
    await simulation.pass(10_000);
    expect(reasonNames(simulation)).toEqual([['damage'], ['damage'], ['damage']]);
    for (const { reasonLines } of simulation.nodes) {
      expect(reasonLines.filter((line) => line.endsWith('log behind'))).toEqual([
        '+log behind',
        '-log behind',
      ]);
      expect(reasonLines.filter((line) => line.endsWith('damage'))).toEqual(['+damage']);
    }
  });

  it('is noticed when etcd is restored under running nodes', async () => {
    const simulation = await network();
    await grow(simulation, 5);
    const snapshot = simulation.snapshot();
    await grow(simulation, 20);
    const heights = simulation.nodes.map(height);
    simulation.etcd.restore(snapshot);
    simulation.submit(5);
    await simulation.pass(60_000);
    for (const trouble of troubles(simulation)) expect(trouble).toContain('etcd was set back');
    expect(simulation.nodes.map(height)).toEqual(heights);
  });
});
