import { keccakHash } from '@tetrad/crypto';
import { EtcdError } from '@tetrad/node-etcd';
import type { Comparison, LogStore, Operation } from '../log/log-store.js';
import { RequestError, bytesFromHex } from '@tetrad/types';
import type {} from '../log/block-log.js';
import type { LogKeys } from '../log/log-keys.js';
import { MAX_RAFT_ID, decodeNumber, encodeMember, encodeNumber, type Member } from '../log/log-records.js';
import { LogView, type KnownMember } from '../log/log-view.js';

/** Id and address of a node, from its enode URL. */
export type MemberAddress = Pick<Member, 'nodeId' | 'hostname' | 'p2pPort' | 'raftPort'>;

export interface MembershipOptions {
  readonly store: Pick<LogStore, 'range' | 'transact'>;
  readonly keys: LogKeys;
  /** Node id of this node, 128 hex digits. */
  readonly nodeId: string;
  /**
   * Reads an enode URL.
   * @throws RequestError
   */
  readonly readAddress: (url: string) => MemberAddress;
}

/** Concurrent changes are few; a change that loses this often is given up. */
const MAX_TRIES = 10;

interface Change {
  readonly compare: readonly Comparison[];
  readonly operations: readonly Operation[];
}

/**
 * Changes the members of the cluster. Texts and the order of checks are those of GoQuorum (docs/spec/raft.md, "Membership"); unlike
 * there, a change is made when the call returns.
 */
export class Membership {
  constructor(private readonly options: MembershipOptions) {}

  /**
   * @returns the raft id of the new member
   * @throws RequestError
   */
  async add(url: string, kind: 'voter' | 'learner'): Promise<number> {
    return this.change(async (view, own) => {
      if (own.kind === 'learner') throw notAllowed("learner node can't add peer or learner");
      const address = this.options.readAddress(url);
      this.assertNew(view, address);
      assertLeader(view);
      const { keys, store } = this.options;
      const [entry] = (await store.range({ key: keys.nextId })).entries;
      if (entry === undefined) throw refused('the log in etcd has no next raft id');
      const raftId = decodeNumber(entry.key, entry.value);
      if (raftId > MAX_RAFT_ID) throw refused('every raft id was given once');
      return {
        result: raftId,
        compare: [
          { key: keys.nextId, target: 'value', value: entry.value },
          { key: keys.member(raftId), target: 'create', revision: 0n },
        ],
        operations: [
          { kind: 'put', key: keys.nextId, value: encodeNumber(raftId + 1) },
          { kind: 'put', key: keys.member(raftId), value: encodeMember({ ...address, raftId, kind }) },
        ],
      };
    });
  }

  /**
   * Promotes a learner to a voter.
   * @throws RequestError
   */
  async promote(raftId: number): Promise<void> {
    await this.change(async (view, own) => {
      if (own.kind === 'learner') throw notAllowed("learner node can't promote to peer");
      const member = view.member(raftId);
      if (member?.kind !== 'learner')
        throw new RequestError(
          'NOT_A_LEARNER',
          `${raftId} is not a learner. only learner can be promoted to peer`,
        );
      assertLeader(view);
      // A learner that is down would become a voter that is down, which might cost the cluster its quorum.
      if (!view.isAlive(raftId))
        throw refused('can only promote a learner member which is in sync with leader');
      return { result: undefined, ...this.rewrite(member, 'voter') };
    });
  }

  /**
   * Removes a member for good; an unknown id is ignored.
   * @throws RequestError
   */
  async remove(raftId: number): Promise<void> {
    await this.change(async (view, own) => {
      if (own.kind === 'learner' && own.raftId !== raftId)
        throw notAllowed("learner node can't remove other peer");
      assertLeader(view);
      const member = view.member(raftId);
      if (member === undefined || member.kind === 'removed') return { result: undefined, ...NO_CHANGE };
      const voters = view.members().filter(({ kind }) => kind === 'voter');
      if (member.kind === 'voter' && voters.length === 1)
        throw refused('the only voter cannot be removed: no node could mint, or add another voter');
      const { compare, operations } = this.rewrite(member, 'removed');
      const gone: Operation = { kind: 'delete', key: this.options.keys.alive(raftId) };
      return {
        result: undefined,
        ...this.unseat(view, raftId, { compare, operations: [...operations, gone] }),
      };
    });
  }

  private rewrite(member: KnownMember, kind: Member['kind']): Change {
    const key = this.options.keys.member(member.raftId);
    return {
      compare: [{ key, target: 'mod', revision: member.revision }],
      operations: [{ kind: 'put', key, value: encodeMember({ ...member, kind }) }],
    };
  }

  /** Removes the minter key of a removed minter, which would keep other nodes from minting as long as it runs. */
  private unseat(view: LogView, raftId: number, { compare, operations }: Change): Change {
    if (view.minter?.raftId !== raftId) return { compare, operations };
    const key = this.options.keys.minter;
    return {
      compare: [...compare, { key, target: 'create', revision: view.minter.revision }],
      operations: [...operations, { kind: 'delete', key }],
    };
  }

  /** Decides by the current view of the log, and again when that has changed meanwhile. */
  private async change<Result>(
    decide: (view: LogView, own: KnownMember) => Promise<Change & { readonly result: Result }>,
  ): Promise<Result> {
    const { store, keys, nodeId } = this.options;
    try {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const view = await LogView.read(store, keys);
        const own = view.memberOfNode(nodeId);
        if (own === undefined) throw notMember();
        const { result, compare, operations } = await decide(view, own);
        if (operations.length === 0) return result;
        const { succeeded } = await store.transact({ compare, success: operations });
        if (succeeded) return result;
      }
    } catch (error) {
      throw error instanceof EtcdError ? fromEtcd(error) : error;
    }
    throw refused('others change the cluster at the same time');
  }

  private assertNew(view: LogView, address: MemberAddress): void {
    const { nodeId, hostname, p2pPort, raftPort } = address;
    const already = `node with this enode has already been added to the cluster: ${shortIdOf(nodeId)}`;
    if (nodeId === this.options.nodeId)
      throw new RequestError('ALREADY_IN_CLUSTER', `enode is this enode (self): ${already}`);
    for (const member of view.members()) {
      if (member.nodeId === nodeId) throw new RequestError('ALREADY_IN_CLUSTER', already);
      const existing = `existing node ${shortIdOf(member.nodeId)} with raft ID ${member.raftId} is already using`;
      if (member.hostname !== hostname) continue;
      if (member.p2pPort === p2pPort)
        throw new RequestError('ENDPOINT_IN_USE', `${existing} eth p2p at ${hostname}:${p2pPort}`);
      if (member.raftPort === raftPort)
        throw new RequestError('ENDPOINT_IN_USE', `${existing} raft at ${hostname}:${raftPort}`);
    }
  }
}

const NO_CHANGE: Change = { compare: [], operations: [] };

/** The node id in GoQuorum's texts: Keccak-256 of the public key, without 0x. */
function shortIdOf(nodeId: string): string {
  return keccakHash(bytesFromHex(`0x${nodeId}`)).slice(2);
}

function notMember(): RequestError {
  return new RequestError('NOT_A_CLUSTER_MEMBER', 'node not part of raft cluster. operations not allowed');
}

export function noLeader(): RequestError {
  return new RequestError('NO_LEADER', 'no leader is currently elected');
}

function assertLeader(view: LogView): void {
  if (view.minter === undefined) throw noLeader();
}

function notAllowed(message: string): RequestError {
  return new RequestError('LEARNER_NOT_ALLOWED', message);
}

function refused(message: string): RequestError {
  return new RequestError('CLUSTER_REFUSED', message);
}

/** etcd without a quorum is a cluster without a leader (docs/spec/raft.md, "Membership"). */
function fromEtcd(error: EtcdError): RequestError {
  if (error.kind === 'unavailable') return noLeader();
  if (error.kind === 'unknown-outcome')
    return refused(
      `whether the cluster has changed is not known, raft_cluster says it later: ${error.message}`,
    );
  return refused(error.message);
}
