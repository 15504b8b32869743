import { randomBytes } from 'node:crypto';
import type { PtmKey } from '@tetrad/types';
import type { KeyRing } from '../keys/key-ring.js';
import { ManagerError } from '../manager-error.js';
import { deliverGroup, type DeliveryParts } from '../manager/deliver.js';
import { toBase64 } from '../payload/base64.js';
import { GROUPS_A_PAGE, type PrivacyGroup, type PrivacyGroupStore } from '../store/privacy-group-store.js';
import { groupId, groupLookup } from './group-id.js';
import { decodeGroupMessage, encodeGroupMessage, type GroupKind } from './group-message.js';

export interface GroupParts extends DeliveryParts {
  readonly ring: KeyRing;
  readonly store: Pick<
    PrivacyGroupStore,
    'add' | 'addOfOther' | 'assertRoom' | 'isUsed' | 'delete' | 'find' | 'findByMembers' | 'ofKind'
  >;
  /** Groups of the configuration; undefined without multiple private states. */
  readonly resident: readonly PrivacyGroup[] | undefined;
}

export interface NewGroup {
  readonly name: string;
  readonly description: string;
  readonly members: readonly PtmKey[];
  /** Key of the creator; the first key of ours without it. */
  readonly from: PtmKey | undefined;
  /** Random without it: knowledge of seed and members is enough to delete the group. */
  readonly seed: Uint8Array | undefined;
}

const SEED_BYTES = 20;

/** Most groups of one list. */
const MAX_LISTED = 1_000;

/** Some groups of a list; never none. */
export type GroupPages = AsyncGenerator<readonly PrivacyGroup[], void>;

/** Recipients under one name, known to the managers of all of them. */
export class PrivacyGroups {
  constructor(private readonly parts: GroupParts) {}

  /** Sends a new group to the managers of all members, then stores it; when that fails nothing is stored here. */
  async create({ from, seed = randomBytes(SEED_BYTES), ...named }: NewGroup): Promise<PrivacyGroup> {
    const { ring, store } = this.parts;
    const members = [...new Set(named.members)];
    if (!members.includes(from ?? ring.first))
      throw new ManagerError('forbidden', 'The list of members in a privacy group should include self');
    const group = toGroup({ ...named, members, seed, kind: 'PANTHEON', active: true });
    if (await store.isUsed(group.id)) throw exists(group.id);
    await store.assertRoom();
    await this.distribute(group);
    if (!(await store.add(group))) throw exists(group.id);
    return group;
  }

  /**
   * The group.
   * @throws ManagerError 404
   */
  async get(id: Uint8Array): Promise<PrivacyGroup> {
    const resident = this.parts.resident?.find((group) => Buffer.compare(group.id, id) === 0);
    const group = resident ?? (await this.parts.store.find(id));
    if (group === undefined)
      throw new ManagerError('not-found', `Privacy group Id[${toBase64(id)}] not found`);
    return group;
  }

  /** Groups that have these members and no others. */
  async *findByMembers(members: readonly PtmKey[]): GroupPages {
    const lookup = groupLookup(members);
    const isSame = (group: PrivacyGroup) => Buffer.compare(group.lookup, lookup) === 0;
    const resident = (this.parts.resident ?? []).filter(isSame);
    if (resident.length > 0) yield resident;
    yield* pagesOf((after) => this.parts.store.findByMembers(lookup, after));
  }

  /**
   * Groups of a kind.
   * @throws ManagerError 503 without multiple private states
   */
  async *ofKind(kind: GroupKind): GroupPages {
    const { resident, store } = this.parts;
    if (resident === undefined)
      throw new ManagerError(
        'unavailable',
        'Multiple private state feature is not available on this privacy manager',
      );
    if (kind !== 'RESIDENT') yield* pagesOf((after) => store.ofKind(kind, after));
    else if (resident.length > 0) yield resident;
  }

  /**
   * Has a group deleted here and by the managers of its members.
   * @throws ManagerError 403 for one that is not a member
   */
  async delete(id: Uint8Array, from: PtmKey | undefined): Promise<void> {
    const group = await this.get(id);
    if (group.kind === 'RESIDENT' || !group.members.includes(from ?? this.parts.ring.first))
      throw new ManagerError('forbidden', 'Sender of request does not belong to this privacy group');
    await this.distribute({ ...group, active: false });
    await this.parts.store.delete(id);
  }

  /**
   * Accepts a group message of another manager. A deleted group stays deleted, a known one stays unchanged, and one
   * without a key of ours is not stored.
   * @throws MalformedPayloadError; ManagerError
   */
  async accept(encoded: Uint8Array): Promise<void> {
    const { ring, store } = this.parts;
    const message = decodeGroupMessage(encoded);
    // The id of any other kind follows from public data, so anyone could change it.
    if (message.kind !== 'PANTHEON') throw new ManagerError('invalid', 'type is not PANTHEON');
    const group = toGroup(message);
    if (!group.members.some((key) => ring.has(key))) return;
    if (group.active) await store.addOfOther(group);
    else await store.delete(group.id);
  }

  private distribute(group: PrivacyGroup): Promise<void> {
    const elsewhere = group.members.filter((key) => !this.parts.ring.has(key));
    return deliverGroup(encodeGroupMessage(group), elsewhere, this.parts);
  }
}

function toGroup(group: Omit<PrivacyGroup, 'id' | 'lookup'>): PrivacyGroup {
  return { ...group, id: groupId(group.members, group.seed), lookup: groupLookup(group.members) };
}

/** Reads pages until one is not full. */
async function* pagesOf(
  read: (after: Uint8Array | undefined) => Promise<readonly PrivacyGroup[]>,
): GroupPages {
  let last: Uint8Array | undefined;
  for (let listed = 0; listed < MAX_LISTED; listed += GROUPS_A_PAGE) {
    const page = await read(last);
    if (page.length > 0) yield page;
    if (page.length < GROUPS_A_PAGE) return;
    last = page.at(-1)?.id;
  }
}

function exists(id: Uint8Array): ManagerError {
  return new ManagerError('rejected', `Privacy group Id[${toBase64(id)}] exists already, or was deleted`);
}
