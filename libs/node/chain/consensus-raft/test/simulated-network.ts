import { expect } from '@jest/globals';
import { RaftSimulation } from './simulator/raft-simulation.js';
import type { SimulatedNode } from './simulator/simulated-node.js';

/** A started network of simulated nodes, the same in every run. */
export async function network(voters = 3): Promise<RaftSimulation> {
  const simulation = new RaftSimulation({ seed: 7, voters });
  simulation.startAll();
  return simulation;
}

/** Sends some transactions, and waits until all nodes have them in one chain. */
export async function grow(simulation: RaftSimulation, count: number): Promise<void> {
  simulation.submit(count);
  expect(await simulation.passUntil(() => simulation.isWhole())).toBe(true);
}

export const height = (node: SimulatedNode | undefined): number => node?.head().header.number ?? -1;
/** The first reason of each node. */
export const troubles = ({ nodes }: RaftSimulation): (string | undefined)[] =>
  nodes.map((node) => node.driver?.reasons()[0]?.text);
export const minterOf = ({ nodes }: RaftSimulation): SimulatedNode | undefined =>
  nodes.find(({ driver, raftId }) => driver?.state().minter?.raftId === raftId);
