import type { Hash } from '@tetrad/types';

const NUMBER_DIGITS = 20;
const ID_DIGITS = 5;

const padded = (value: number, digits: number) => String(value).padStart(digits, '0');

/**
 * The keys of the log of one chain in etcd:
 *
 *   /tetrad/CHAIN ID/HASH OF BLOCK 0/
 *     log/control/head               the newest block
 *     log/control/next-id            the raft id that the next member gets
 *     log/control/member/RAFT ID     a member, also one that was removed
 *     log/control/minter             the minter; deleted with the lease of its node
 *     log/control/alive/RAFT ID      a running node; deleted with its lease
 *     log/block/NUMBER               a block, or the number of its parts
 *     part/NUMBER/BLOCK HASH/INDEX   a part of a block that is too large for one request
 *     acknowledged/RAFT ID           the newest block that the node has stored
 *
 * Two networks share a cluster without seeing each other, since chain id and block 0 are in the prefix.
 */
export class LogKeys {
  /** Prefix of all keys that a node follows. */
  readonly log: string;
  readonly control: string;
  readonly head: string;
  readonly nextId: string;
  readonly minter: string;
  readonly members: string;
  readonly alives: string;
  readonly blocks: string;
  readonly parts: string;
  readonly acknowledgements: string;

  constructor(chainId: bigint, genesisHash: Hash) {
    const root = `/tetrad/${chainId}/${genesisHash}/`;
    this.log = `${root}log/`;
    this.control = `${this.log}control/`;
    this.head = `${this.control}head`;
    this.nextId = `${this.control}next-id`;
    this.minter = `${this.control}minter`;
    this.members = `${this.control}member/`;
    this.alives = `${this.control}alive/`;
    this.blocks = `${this.log}block/`;
    this.parts = `${root}part/`;
    this.acknowledgements = `${root}acknowledged/`;
  }

  member(raftId: number): string {
    return this.members + padded(raftId, ID_DIGITS);
  }

  alive(raftId: number): string {
    return this.alives + padded(raftId, ID_DIGITS);
  }

  acknowledged(raftId: number): string {
    return this.acknowledgements + padded(raftId, ID_DIGITS);
  }

  block(number: number): string {
    return this.blocks + padded(number, NUMBER_DIGITS);
  }

  /** Prefix of all parts of blocks with the number. */
  partsOf(number: number): string {
    return `${this.parts}${padded(number, NUMBER_DIGITS)}/`;
  }

  part(number: number, hash: Hash, index: number): string {
    return `${this.partsOf(number)}${hash}/${padded(index, ID_DIGITS)}`;
  }

  /** The number in the key of a block; undefined for other keys. */
  numberOf(key: string): number | undefined {
    return this.indexIn(key, this.blocks, NUMBER_DIGITS);
  }

  /** The raft id in the key of a member; undefined for other keys. */
  memberOf(key: string): number | undefined {
    return this.indexIn(key, this.members, ID_DIGITS);
  }

  /** The raft id in the key of a running node; undefined for other keys. */
  aliveOf(key: string): number | undefined {
    return this.indexIn(key, this.alives, ID_DIGITS);
  }

  private indexIn(key: string, prefix: string, digits: number): number | undefined {
    if (!key.startsWith(prefix)) return undefined;
    const text = key.slice(prefix.length);
    const index = Number(text);
    return Number.isSafeInteger(index) && padded(index, digits) === text ? index : undefined;
  }
}
