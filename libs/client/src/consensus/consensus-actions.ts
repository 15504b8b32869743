import type { Client } from 'viem';
import * as raft from './raft-cluster.js';
import * as validators from './validators.js';

/** An action without its client. */
type Bound<Action extends (client: Client, ...rest: never[]) => unknown> = Action extends (
  client: Client,
  ...rest: infer Rest
) => infer Result
  ? (...rest: Rest) => Result
  : never;

export type ValidatorActions = {
  readonly [Name in keyof typeof validators]: Bound<(typeof validators)[Name]>;
};
export type RaftActions = { readonly [Name in keyof typeof raft]: Bound<(typeof raft)[Name]> };

/** Validators of a BFT chain: `client.extend(validatorActions())`. */
export function validatorActions(): (client: Client) => ValidatorActions {
  return (client) => ({
    discardValidatorCandidate: (candidate) => validators.discardValidatorCandidate(client, candidate),
    getBlockSigners: (block) => validators.getBlockSigners(client, block),
    getNodeAddress: () => validators.getNodeAddress(client),
    getSealingActivity: (range) => validators.getSealingActivity(client, range),
    getValidatorCandidates: () => validators.getValidatorCandidates(client),
    getValidatorSnapshot: (block) => validators.getValidatorSnapshot(client, block),
    getValidators: (block) => validators.getValidators(client, block),
    isValidator: (block) => validators.isValidator(client, block),
    proposeValidator: (candidate) => validators.proposeValidator(client, candidate),
  });
}

/** Members of a raft cluster: `client.extend(raftActions())`. */
export function raftActions(): (client: Client) => RaftActions {
  return (client) => ({
    addRaftLearner: (node) => raft.addRaftLearner(client, node),
    addRaftPeer: (node) => raft.addRaftPeer(client, node),
    getRaftCluster: () => raft.getRaftCluster(client),
    getRaftLeader: () => raft.getRaftLeader(client),
    getRaftRole: () => raft.getRaftRole(client),
    promoteRaftLearner: (member) => raft.promoteRaftLearner(client, member),
    removeRaftPeer: (member) => raft.removeRaftPeer(client, member),
  });
}
