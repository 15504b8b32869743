import { TimeSlices } from '@tetrad/node-block';
import {
  permissionViews,
  type PermissionView,
  type PermissionViews,
  type PermissionModel,
} from '@tetrad/node-permission-contracts';
import { TetradError } from '@tetrad/types';
import { PermissionRecords, type RecordCapacity } from '../records/permission-records.js';
import type { ContractState } from './contract-state.js';
import { isNodeNamed, nodeUrlOf } from '../records/node-url.js';

/** The contracts on the chain are not those that permission-config.json speaks of. */
export class PermissionContractError extends TetradError {
  override readonly name = 'PermissionContractError';
  override readonly code = 'PERMISSION_CONTRACTS';
}

/** How records are read. */
export interface ReadingOptions {
  readonly model: PermissionModel;
  /** Whether URLs of nodes have raft ports. */
  readonly isRaft: boolean;
  readonly capacity: RecordCapacity;
}

/**
 * All entries of the contracts, by index: organizations, nodes, roles, accounts (permissioning.md, section 5). Empty before
 * the contracts are deployed.
 *
 * In:    openState — a world of the same state for each call
 * Fails: PermissionContractError when an entry cannot be read; as reads of the state do
 */
export async function readRecords(
  openState: () => Promise<ContractState>,
  { model, isRaft, capacity }: ReadingOptions,
): Promise<PermissionRecords> {
  const records = new PermissionRecords(capacity);
  const views = permissionViews(model);
  const states = await Promise.all(Array.from({ length: WORLDS }, openState));
  const state = states[0] as ContractState;
  const networkBoot = (await state.ask(views.networkBootStatus)) ?? false;
  records.apply({ name: 'PermissionsInitialized', networkBoot });
  const read = reader(states);
  await read([views.numberOfOrgs, views.orgAt, capacity.orgs], (org) => records.putOrg(org));
  await read([views.numberOfNodes, views.nodeAt, capacity.nodes], ({ orgId, status, ...node }) => {
    if (isNodeNamed(node, model)) records.putNode({ orgId, url: nodeUrlOf(node, { model, isRaft }), status });
  });
  await read([views.numberOfRoles, views.roleAt, capacity.roles], (role) => records.putRole(role));
  await read([views.numberOfAccounts, views.accountAt, capacity.accounts], ({ account, ...rest }) =>
    records.putAccount({ ...rest, acctId: account }),
  );
  return records;
}

type List<Entry> = readonly [
  count: PermissionViews['numberOfOrgs'],
  at: PermissionView<[index: number], Entry>,
  capacity: number,
];

/** Entries beyond the share of one organization come before those of others, so more are read than are kept. */
const READ_BEYOND = 16;

/**
 * Worlds in which entries are read at a time. A world executes one call after the other, and each call waits for a dozen
 * slots; the store reads slots that several worlds wait for in one statement.
 */
const WORLDS = 64;

/** Reads lists in their order, yielding to other work. */
function reader(states: readonly ContractState[]) {
  const slices = new TimeSlices();
  return async <Entry>([count, at, capacity]: List<Entry>, put: (entry: Entry) => void): Promise<void> => {
    const [first] = states as [ContractState];
    const total = Math.min((await first.ask(count)) ?? 0, capacity * READ_BEYOND);
    for (let start = 0; start < total; start += states.length) {
      const some = states.slice(0, total - start);
      const entries = await Promise.all(some.map((state, place) => state.ask(at, start + place)));
      for (const [place, entry] of entries.entries()) {
        if (entry === undefined)
          throw new PermissionContractError(
            `the ${at.contract} contract says nothing of its entry ${start + place} of ${total}`,
          );
        put(entry);
      }
      if (slices.isOver()) await slices.pause();
    }
  };
}
