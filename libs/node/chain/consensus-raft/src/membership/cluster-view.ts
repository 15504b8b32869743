import type { LogView } from '../log/log-view.js';

/** Role of a node, in the words of the interface; empty without a leader. */
export type Role = 'minter' | 'verifier' | 'learner' | '';

export interface ClusterNode {
  readonly raftId: number;
  readonly nodeId: string;
  readonly hostname: string;
  readonly p2pPort: number;
  readonly raftPort: number;
  readonly role: Role;
  readonly nodeActive: boolean;
}

/** The state of a driver. */
export interface ClusterState {
  readonly view: LogView;
  /** Whether the view is current. */
  readonly hears: boolean;
}

/** Node id of the minter; undefined without one, or when this node cannot know it. */
export function leaderOf({ view, hears }: ClusterState): string | undefined {
  return hears && view.minter !== undefined ? view.member(view.minter.raftId)?.nodeId : undefined;
}

export function roleOf(state: ClusterState, nodeId: string): Role {
  const leader = leaderOf(state);
  const member = state.view.memberOfNode(nodeId);
  if (leader === undefined || member === undefined) return '';
  if (leader === nodeId) return 'minter';
  return member.kind === 'learner' ? 'learner' : 'verifier';
}

/** The members, the node itself last; empty on a node that is not a member. */
export function clusterOf(state: ClusterState, nodeId: string): ClusterNode[] {
  const members = state.view.members();
  if (!members.some((member) => member.nodeId === nodeId)) return [];
  const own = (member: { readonly nodeId: string }) => Number(member.nodeId === nodeId);
  return [...members]
    .sort((one, other) => own(one) - own(other))
    .map((member) => {
      const { raftId, hostname, p2pPort, raftPort } = member;
      return {
        raftId,
        nodeId: member.nodeId,
        hostname,
        p2pPort,
        raftPort,
        role: roleOf(state, member.nodeId),
        nodeActive: member.nodeId === nodeId || (state.hears && state.view.isAlive(raftId)),
      };
    });
}
