import type { Client } from 'viem';
import { callMethod, callOnce } from '../wire/call-method.js';
import type { ResultOf } from '../wire/method-types.js';

/** What a node does in a raft cluster; empty without a leader. */
export type RaftRole = ResultOf<'raft_role'>;

/** A node of a raft cluster. */
export type RaftNode = Omit<ResultOf<'raft_cluster'>[number], 'hostname' | 'raftId'> & {
  readonly raftId: number;
};

/** Nodes of the cluster, the asked one last. */
export async function getRaftCluster(client: Client): Promise<readonly RaftNode[]> {
  const cluster = await callMethod(client, 'raft_cluster');
  return cluster.map(({ hostname: _, raftId, ...node }) => ({ ...node, raftId: Number(raftId) }));
}

/** Node id of the leader. */
export function getRaftLeader(client: Client): Promise<string> {
  return callMethod(client, 'raft_leader');
}

/** What the asked node does in the cluster. */
export function getRaftRole(client: Client): Promise<RaftRole> {
  return callMethod(client, 'raft_role');
}

export interface AddRaftNodeParameters {
  /** Enode URL with `raftport`. */
  readonly enode: string;
}

/** Adds a node with a vote. Returns its raft id. */
export async function addRaftPeer(client: Client, { enode }: AddRaftNodeParameters): Promise<number> {
  return Number(await callOnce(client, 'raft_addPeer', enode));
}

/** Adds a node that follows the chain without a vote. Returns its raft id. */
export async function addRaftLearner(client: Client, { enode }: AddRaftNodeParameters): Promise<number> {
  return Number(await callOnce(client, 'raft_addLearner', enode));
}

export interface RaftIdParameters {
  readonly raftId: number;
}

/** Gives a learner a vote. */
export function promoteRaftLearner(client: Client, { raftId }: RaftIdParameters): Promise<boolean> {
  return callOnce(client, 'raft_promoteToPeer', String(raftId));
}

/** Removes a node from the cluster for good. */
export async function removeRaftPeer(client: Client, { raftId }: RaftIdParameters): Promise<void> {
  await callOnce(client, 'raft_removePeer', String(raftId));
}
