import { addressFromPublicKey } from '@tetrad/crypto';
import { bytesFromHex, type Address } from '@tetrad/types';
import type { LogKeys } from './log-keys.js';
import { prefixEnd, type Entry, type KeyEvent, type LogStore } from './log-store.js';
import { decodeHead, decodeMember, decodeRaftId, type LogHead, type Member } from './log-records.js';

/** A member, and the revision at which etcd last changed it. */
export interface KnownMember extends Member {
  readonly revision: bigint;
}

/** The minter, and the revision at which it was elected: appends are bound to both. */
export interface KnownMinter {
  readonly raftId: number;
  readonly revision: bigint;
  readonly lease: bigint;
}

/** Limit on the keys with a record: a raft id has 16 bits. */
const MAX_RECORDS = 3 * 65_536;

/** The control keys of the log, updated revision by revision. */
export class LogView {
  head: LogHead | undefined;
  minter: KnownMinter | undefined;
  revision = 0n;
  private readonly known = new Map<number, KnownMember>();
  /** Raft ids of current members. */
  private readonly ids = new Map<string, number>();
  private readonly alive = new Set<number>();

  constructor(private readonly keys: LogKeys) {}

  /**
   * Reads the current keys.
   * @throws LogError `foreign`, EtcdError
   */
  static async read(store: Pick<LogStore, 'range'>, keys: LogKeys): Promise<LogView> {
    const view = new LogView(keys);
    const { entries, revision } = await store.range({
      key: keys.control,
      rangeEnd: prefixEnd(keys.control),
      limit: MAX_RECORDS,
    });
    for (const entry of entries) view.put(entry);
    view.revision = revision;
    return view;
  }

  /** Current members, by raft id. */
  members(): readonly KnownMember[] {
    return [...this.known.values()]
      .filter(({ kind }) => kind !== 'removed')
      .sort((one, other) => one.raftId - other.raftId);
  }

  /** The member, which may have been removed. */
  member(raftId: number): KnownMember | undefined {
    return this.known.get(raftId);
  }

  /** The current member with the node id. */
  memberOfNode(nodeId: string): KnownMember | undefined {
    const raftId = this.ids.get(nodeId);
    return raftId === undefined ? undefined : this.known.get(raftId);
  }

  /** Whether a node was a member and has been removed. */
  wasRemoved(nodeId: string): boolean {
    if (this.memberOfNode(nodeId) !== undefined) return false;
    return [...this.known.values()].some((member) => member.nodeId === nodeId);
  }

  /** Whether a node with this address is or was a member. */
  hadMember(address: Address): boolean {
    return [...this.known.values()].some(
      ({ nodeId }) => addressFromPublicKey(bytesFromHex(`0x${nodeId}`)) === address,
    );
  }

  isAlive(raftId: number): boolean {
    return this.alive.has(raftId);
  }

  /** Whether more than half of the voters run, without which a cluster mints nothing (docs/spec/raft.md, "Roles"). */
  get hasQuorum(): boolean {
    const voters = [...this.known.values()].filter(({ kind }) => kind === 'voter');
    return 2 * voters.filter(({ raftId }) => this.alive.has(raftId)).length > voters.length;
  }

  /**
   * Applies an event of the control keys.
   * @throws LogError `foreign`
   */
  apply({ kind, entry }: KeyEvent): void {
    this.revision = entry.modRevision;
    if (kind === 'put') this.put(entry);
    else this.remove(entry.key);
  }

  private put(entry: Entry): void {
    const { key, value, createRevision, modRevision, lease } = entry;
    const alive = this.keys.aliveOf(key);
    if (alive !== undefined) this.alive.add(alive);
    else if (key === this.keys.head) this.head = decodeHead(key, value);
    else if (key === this.keys.minter)
      this.minter = { raftId: decodeRaftId(key, value), revision: createRevision, lease };
    else if (this.keys.memberOf(key) !== undefined) {
      const member = decodeMember(key, value);
      this.known.set(member.raftId, { ...member, revision: modRevision });
      if (member.kind !== 'removed') this.ids.set(member.nodeId, member.raftId);
      else if (this.ids.get(member.nodeId) === member.raftId) this.ids.delete(member.nodeId);
    }
  }

  private remove(key: string): void {
    const alive = this.keys.aliveOf(key);
    if (alive !== undefined) this.alive.delete(alive);
    if (key === this.keys.minter) this.minter = undefined;
    // Members delete neither of these.
    if (key === this.keys.head) this.head = undefined;
    const member = this.known.get(this.keys.memberOf(key) ?? 0);
    if (member === undefined) return;
    this.known.delete(member.raftId);
    if (this.ids.get(member.nodeId) === member.raftId) this.ids.delete(member.nodeId);
  }
}
