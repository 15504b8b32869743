import { clientBytes } from '@tetrad/db/client';
import type { PtmKey } from '@tetrad/types';
import type { GroupKind } from '../group/group-message.js';
import { keyFromBytes, keyToBytes } from '../keys/key-pair.js';
import { ManagerError } from '../manager-error.js';
import type { Prisma } from './generated/client.js';
import type { ManagerClient } from './manager-client.js';

/** Recipients under one name. */
export interface PrivacyGroup {
  /** 32 bytes; of a resident group its name. */
  readonly id: Uint8Array;
  /** 32 bytes: of the members alone. */
  readonly lookup: Uint8Array;
  readonly name: string;
  readonly description: string;
  readonly seed: Uint8Array;
  readonly members: readonly PtmKey[];
  readonly kind: GroupKind;
  /** Whether it has not been deleted. */
  readonly active: boolean;
}

/** Most groups that are kept, the deleted ones too. */
const MAX_GROUPS = 100_000;

/**
 * The part of that up to which groups are taken that other managers tell of. Any host can tell of groups that a key of ours is in: the
 * rest is for our own.
 */
const PART_OF_OTHERS = 1 / 2;

/** Groups that are read at a time: with 1,000 members each they are 350 kB of JSON. */
export const GROUPS_A_PAGE = 8;

/** Rows of privacy groups. */
export class PrivacyGroupStore {
  /** @param most - groups that are kept */
  constructor(
    private readonly rows: ManagerClient,
    private readonly most = MAX_GROUPS,
  ) {}

  /**
   * Stores the group unless there is, or was, one of its id.
   * @returns whether it was stored
   * @throws ManagerError 500 when there are too many
   */
  add(group: PrivacyGroup): Promise<boolean> {
    return this.addUpTo(this.most, group);
  }

  /**
   * The same for a group that another manager tells of, which leaves room for ours.
   * @returns whether it was stored
   * @throws ManagerError 500 when there are too many for another of these
   */
  addOfOther(group: PrivacyGroup): Promise<boolean> {
    return this.addUpTo(Math.floor(this.most * PART_OF_OTHERS), group);
  }

  /**
   * Before a group of ours is sent to its members, who would have it alone.
   * @throws ManagerError 500 when there are too many
   */
  async assertRoom(): Promise<void> {
    if (await this.rows.transaction((calls) => isFull(calls, this.most))) throw tooMany(this.most);
  }

  private async addUpTo(most: number, group: PrivacyGroup): Promise<boolean> {
    // In a transaction, so that no more are counted at a time than the pool has connections.
    const added = await this.rows.transaction(async (calls) => {
      if (await isFull(calls, most)) return 0;
      const data = [columnsOfGroup(group)];
      return (await calls.privacyGroup.createMany({ data, skipDuplicates: true })).count;
    });
    if (added === 1) return true;
    if (await this.isUsed(group.id)) return false;
    throw tooMany(most);
  }

  /** Whether there is, or was, a group of the id. */
  async isUsed(id: Uint8Array): Promise<boolean> {
    const { client } = this.rows;
    return (await client.privacyGroup.count({ where: { id: clientBytes(id) } })) === 1;
  }

  /** Deletes the group; its id is not used again. */
  async delete(id: Uint8Array): Promise<void> {
    const { client } = this.rows;
    await client.privacyGroup.updateMany({ where: { id: clientBytes(id) }, data: { active: false } });
  }

  /** The group with the id; undefined when it does not exist, or was deleted. */
  async find(id: Uint8Array): Promise<PrivacyGroup | undefined> {
    const [group] = await this.read({ id: clientBytes(id) });
    return group;
  }

  /**
   * A page of the groups of the same members, in the order of their ids.
   * @param after - the last id of the page before
   */
  findByMembers(lookup: Uint8Array, after?: Uint8Array): Promise<PrivacyGroup[]> {
    return this.read({ lookup: clientBytes(lookup) }, after);
  }

  /**
   * A page of the groups of a kind, in the order of their ids.
   * @param after - the last id of the page before
   */
  ofKind(kind: GroupKind, after?: Uint8Array): Promise<PrivacyGroup[]> {
    return this.read({ kind }, after);
  }

  private async read(where: Prisma.PrivacyGroupWhereInput, after?: Uint8Array): Promise<PrivacyGroup[]> {
    const { client } = this.rows;
    const rows = await client.privacyGroup.findMany({
      where: { ...where, active: true },
      orderBy: { id: 'asc' },
      take: GROUPS_A_PAGE,
      // Deleted groups keep their rows, so that the cursor is always there.
      ...(after !== undefined && { cursor: { id: clientBytes(after) }, skip: 1 }),
    });
    return rows.map(({ members, kind, ...row }) => ({
      ...row,
      members: members.map(keyFromBytes),
      kind: kind as GroupKind,
    }));
  }
}

async function isFull(calls: Pick<ManagerClient['client'], 'privacyGroup'>, most: number): Promise<boolean> {
  return (await calls.privacyGroup.count({ take: most })) >= most;
}

function tooMany(most: number): ManagerError {
  return new ManagerError('rejected', `there are ${most} privacy groups; that is the limit`);
}

function columnsOfGroup({ id, lookup, name, description, seed, members, kind, active }: PrivacyGroup) {
  return {
    name,
    description,
    kind,
    active,
    id: clientBytes(id),
    lookup: clientBytes(lookup),
    seed: clientBytes(seed),
    members: members.map((key) => clientBytes(keyToBytes(key))),
  };
}
