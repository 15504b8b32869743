import { describe, expect, it } from '@jest/globals';
import { seededRandom, testSeed } from '@tetrad/testkit';
import { RaftSimulation } from './simulator/raft-simulation.js';
import { GENESIS, KEYS, type SimulatedNode, type ToyBlock } from './simulator/simulated-node.js';
import { grow, height, network } from './simulated-network.js';

const LIMITS = { keptBlocks: 6, blocksBetween: 4 };

const names = (node: SimulatedNode) => node.driver?.reasons().map(({ name }) => name);
const gapOf = (node: SimulatedNode) => node.driver?.reasons().find(({ name }) => name === 'gap')?.text;
const missing = (number: number, more = '') =>
  `block ${number} of the log in etcd is missing: another client deleted it${more}`;

async function grownNetwork(blocks = 10): Promise<RaftSimulation> {
  const simulation = await network();
  simulation.givesBlocks = true;
  for (let block = 0; block < blocks; block++) await grow(simulation, 1);
  return simulation;
}

function deleteBlocks({ etcd }: RaftSimulation, ...numbers: readonly number[]): void {
  for (const number of numbers) etcd.remove(KEYS.block(number));
}

/** Stops the last node, and loses all its blocks above a number. */
function crashAt({ nodes }: RaftSimulation, number: number): SimulatedNode {
  const late = nodes.at(-1) as SimulatedNode;
  late.crash();
  late.chain.length = number + 1;
  return late;
}

describe('a block that another client deleted from the log', () => {
  it.each([
    ['one in the middle', [4], missing(4)],
    ['several', [3, 6, 7, 9], missing(3, ' (and 3 more)')],
    ['the oldest', [1], missing(1)],
    ['the newest', [10], missing(10)],
    ['all', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], missing(1, ' (and 9 more)')],
  ])(
    'is reported by all nodes, each once in the log, and the chain goes on: %s',
    async (_what, deleted, text) => {
      const simulation = await grownNetwork();
      deleteBlocks(simulation, ...deleted);
      await grow(simulation, 5);
      await simulation.pass(2_000);
      for (const node of simulation.nodes) {
        expect(node.driver?.reasons()).toEqual([{ name: 'gap', text }]);
        expect(node.reasonLines).toEqual(['+gap']);
      }
      expect(simulation.violations).toEqual([]);
    },
  );

  it('is found by nodes that start later, or whose watch missed it', async () => {
    const simulation = await grownNetwork();
    const [cut, down] = simulation.nodes as readonly [SimulatedNode, SimulatedNode];
    down.crash();
    cut.link.isCut = true;
    deleteBlocks(simulation, 5);
    simulation.etcd.compactAll();
    cut.link.isCut = false;
    down.start();
    await grow(simulation, 2);
    expect([cut, down].map(gapOf)).toEqual([missing(5), missing(5)]);
  });

  it('is no longer reported once it is put back', async () => {
    const simulation = await grownNetwork();
    const lost = simulation.etcd.valueOf(KEYS.block(4)) as Uint8Array;
    deleteBlocks(simulation, 4, 8);
    await simulation.pass(2_000);
    simulation.etcd.write(KEYS.block(4), lost);
    await simulation.pass(2_000);
    expect(simulation.nodes.map(gapOf)).toEqual(simulation.nodes.map(() => missing(8)));
  });

  it('is no longer reported once all below it is pruned, and pruning is not taken for it', async () => {
    const simulation = new RaftSimulation({ seed: 7, voters: 3, logLimits: LIMITS });
    simulation.startAll();
    for (let block = 0; block < 20; block++) await grow(simulation, 1);
    expect(simulation.nodes.map(names)).toEqual([[], [], []]);
    const [first] = simulation.etcd.keys(KEYS.blocks);
    expect(KEYS.numberOf(first ?? '')).toBeGreaterThan(5);
    deleteBlocks(simulation, height(simulation.nodes[0]) - 2);
    await simulation.pass(2_000);
    for (const node of simulation.nodes) expect(names(node)).toEqual(['gap']);
    for (let block = 0; block < 20; block++) await grow(simulation, 1);
    await simulation.pass(2_000);
    for (const node of simulation.nodes) expect(node.reasonLines).toEqual(['+gap', '-gap']);
  });

  it.each([
    ['in the middle', 6, [7, 8]],
    ['newest', 6, [7, 8, 9, 10]],
    ['that it needs first', 0, [1]],
    ['of all', 0, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
  ])('comes from members to a node that still needs it: %s', async (_what, has, deleted) => {
    const simulation = await grownNetwork();
    const late = crashAt(simulation, has);
    deleteBlocks(simulation, ...deleted);
    late.start();
    expect(await simulation.passUntil(() => simulation.isWhole())).toBe(true);
    await grow(simulation, 3);
    expect(names(late)).toEqual(['gap']);
    expect(simulation.violations).toEqual([]);
  });

  it('keeps a node that needs it waiting, with its reason, until a member gives it', async () => {
    const simulation = await grownNetwork();
    simulation.givesBlocks = false;
    const late = crashAt(simulation, 6);
    deleteBlocks(simulation, 8);
    late.start();
    await simulation.pass(10_000);
    expect(height(late)).toBe(7);
    expect(names(late)).toEqual(['log pruned', 'gap']);
    simulation.givesBlocks = true;
    await grow(simulation, 1);
    await simulation.pass(2_000);
    expect(late.reasonLines).toEqual(['+log pruned', '+gap', '-log pruned']);
  });

  it('is not replaced by another newest block than the one that the log names', async () => {
    const simulation = await grownNetwork();
    const late = crashAt(simulation, 9);
    deleteBlocks(simulation, 10);
    const newest = simulation.nodes[0]?.chain[10] as ToyBlock;
    late.start();
    await simulation.passUntil(() => late.driver?.wantsFromPeers(10) === true);
    simulation.givesBlocks = false;
    expect(late.driver?.mayTakeFromPeers({ ...newest, hash: GENESIS.hash })).toBe(false);
  });

  it('comes from members too when parts of it were deleted', async () => {
    const simulation = await grownNetwork();
    const late = crashAt(simulation, 6);
    // It names two parts that are not there.
    const inParts = Buffer.alloc(1 + 4 + 32);
    inParts[0] = 1;
    inParts.writeUInt32BE(2, 1);
    simulation.forgetAppended();
    simulation.etcd.write(KEYS.block(8), inParts);
    late.start();
    expect(await simulation.passUntil(() => simulation.isWhole())).toBe(true);
  });

  it('is put back by a node that is started to restore the log', async () => {
    const simulation = await grownNetwork();
    deleteBlocks(simulation, 1, 4, 5, 10);
    const restoring = simulation.nodes[1] as SimulatedNode;
    restoring.crash();
    restoring.restoresLog = true;
    simulation.forgetAppended();
    restoring.start();
    await simulation.pass(5_000);
    expect(simulation.etcd.keys(KEYS.blocks)).toHaveLength(10);
    expect(simulation.nodes.map(names)).toEqual([[], [], []]);
    const late = crashAt(simulation, 0);
    simulation.givesBlocks = false;
    late.start();
    expect(await simulation.passUntil(() => simulation.isWhole())).toBe(true);
  });

  it('leaves one whole chain, whatever is deleted while nodes crash and come back', async () => {
    for (let run = 0; run < 12; run++) {
      const seed = testSeed() + run;
      const random = seededRandom(seed);
      const simulation = new RaftSimulation({
        seed,
        voters: 3,
        ...(run % 2 === 0 ? { logLimits: LIMITS } : {}),
      });
      simulation.givesBlocks = true;
      simulation.startAll();
      await grow(simulation, 3);
      for (let step = 0; step < 60; step++) {
        simulation.submit(1 + Math.floor(random() * 3));
        const node = simulation.nodes[Math.floor(random() * 3)] as SimulatedNode;
        if (random() < 0.3) {
          if (node.isRunning) node.crash();
          else node.start();
        }
        const keys = simulation.etcd.keys(KEYS.blocks);
        const key = keys[Math.floor(random() * keys.length)];
        if (key !== undefined && random() < 0.3) simulation.etcd.remove(key);
        await simulation.pass(300);
      }
      simulation.heal();
      const isWhole = await simulation.passUntil(() => simulation.isWhole());
      expect({ seed, isWhole, violations: simulation.violations }).toEqual({
        seed,
        isWhole: true,
        violations: [],
      });
    }
  });
});
