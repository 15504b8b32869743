import type { PtmKey } from '@tetrad/types';
import { groupLookup } from './group-id.js';
import type { PrivacyGroup } from '../store/privacy-group-store.js';

/** A group of own keys that see one private state, as the operator configures it. */
export interface ResidentGroup {
  /** Its bytes are the id of the group. */
  readonly name: string;
  readonly description: string;
  readonly members: readonly PtmKey[];
}

/**
 * The groups, once each own key is seen to be in exactly one of them.
 * @throws TypeError with the texts of existing managers
 */
export function residentGroups(
  groups: readonly ResidentGroup[],
  ownKeys: readonly PtmKey[],
): readonly PrivacyGroup[] {
  const seen = new Set<PtmKey>();
  for (const key of groups.flatMap(({ members }) => [...new Set(members)])) {
    if (!ownKeys.includes(key))
      throw new TypeError(`Key ${key} configured in resident groups must be locally managed`);
    if (seen.has(key)) throw new TypeError('Key cannot belong to more than one resident group.');
    seen.add(key);
  }
  const left = ownKeys.find((key) => !seen.has(key));
  if (left !== undefined) throw new TypeError(`${left} must belong to a resident group`);
  return groups.map(({ name, description, members }) => ({
    id: Buffer.from(name),
    lookup: groupLookup(members),
    name,
    description,
    members,
    seed: new Uint8Array(),
    kind: 'RESIDENT',
    active: true,
  }));
}
