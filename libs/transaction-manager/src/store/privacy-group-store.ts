import { asBuffer, type Database } from '@tetrad/db';
import type { PtmKey } from '@tetrad/types';
import type { GroupKind } from '../group/group-message.js';
import { keyFromBytes, keyToBytes } from '../keys/key-pair.js';
import { ManagerError } from '../manager-error.js';

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

type GroupRow = Omit<PrivacyGroup, 'members'> & { readonly members: readonly Buffer[] };

/** Most groups that are kept, the deleted ones too: any manager can tell of groups that a key of ours is in. */
const MAX_GROUPS = 100_000;

/** Most groups of one answer. */
const MAX_FOUND = 1_000;

/** Rows of privacy groups. */
export class PrivacyGroupStore {
  constructor(private readonly database: Database) {}

  /** Stores the group unless there is, or was, one of its id. Out: whether it was stored. Fails: ManagerError 500 when there are too many */
  async add(group: PrivacyGroup): Promise<boolean> {
    const { rowCount } = await this.database.pool.query({
      name: 'add-privacy-group',
      text: `INSERT INTO privacy_group (id, lookup, name, description, seed, members, kind, active)
             SELECT $1, $2, $3, $4, $5, $6, $7, $8
              WHERE (SELECT count(*) FROM (SELECT FROM privacy_group LIMIT ${MAX_GROUPS}) AS counted) < ${MAX_GROUPS}
             ON CONFLICT (id) DO NOTHING`,
      values: [
        asBuffer(group.id),
        asBuffer(group.lookup),
        group.name,
        group.description,
        asBuffer(group.seed),
        group.members.map((key) => asBuffer(keyToBytes(key))),
        group.kind,
        group.active,
      ],
    });
    if (rowCount === 1) return true;
    if (await this.isUsed(group.id)) return false;
    throw new ManagerError('rejected', `there are ${MAX_GROUPS} privacy groups; that is the limit`);
  }

  /** Whether there is, or was, a group of the id. */
  async isUsed(id: Uint8Array): Promise<boolean> {
    const { rowCount } = await this.database.pool.query('SELECT FROM privacy_group WHERE id = $1', [
      asBuffer(id),
    ]);
    return rowCount === 1;
  }

  /** Deletes the group; its id is not used again. */
  async delete(id: Uint8Array): Promise<void> {
    await this.database.pool.query('UPDATE privacy_group SET active = false WHERE id = $1', [asBuffer(id)]);
  }

  /** The group with the id; undefined when it does not exist, or was deleted. */
  async find(id: Uint8Array): Promise<PrivacyGroup | undefined> {
    const [group] = await this.read('id = $1', id);
    return group;
  }

  /** Groups of the same members. */
  findByMembers(lookup: Uint8Array): Promise<PrivacyGroup[]> {
    return this.read('lookup = $1', lookup);
  }

  /** Groups of a kind. */
  ofKind(kind: GroupKind): Promise<PrivacyGroup[]> {
    return this.read('kind = $1', kind);
  }

  private async read(condition: string, value: Uint8Array | string): Promise<PrivacyGroup[]> {
    const { rows } = await this.database.pool.query<GroupRow>(
      `SELECT id, lookup, name, description, seed, members, kind, active FROM privacy_group
        WHERE ${condition} AND active ORDER BY id LIMIT ${MAX_FOUND}`,
      [typeof value === 'string' ? value : asBuffer(value)],
    );
    return rows.map((row) => ({ ...row, members: row.members.map(keyFromBytes) }));
  }
}
