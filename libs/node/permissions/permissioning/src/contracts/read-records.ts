import {
  permissionViews,
  type PermissionView,
  type PermissionViews,
  type PermissionModel,
} from '@tetrad/node-permission-contracts';
import { TimeSlices, TetradError } from '@tetrad/types';
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
 * All entries of the contracts, by index: organizations, nodes, roles, accounts (docs/spec/permissions.md#setting-up). Empty before
 * the contracts are deployed.
 * @throws PermissionContractError when an entry cannot be read; as reads of the state do
 */
export async function readRecords(
  state: ContractState,
  { model, isRaft, capacity }: ReadingOptions,
): Promise<PermissionRecords> {
  const records = new PermissionRecords(capacity);
  const views = permissionViews(model);
  const networkBoot = (await state.ask(views.networkBootStatus)) ?? false;
  records.apply({ name: 'PermissionsInitialized', networkBoot });
  const read = reader(state);
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

/** Entries that are read at the same time, so that the database answers their reads together (docs/performance/permissions.md). */
const LANES = 256;

/** Reads lists one after the other, and puts the entries of each in their order, yielding to other work. */
function reader(state: ContractState) {
  const slices = new TimeSlices();
  const lanes = Array.from({ length: LANES }, () => state.beside());
  return async <Entry>([count, at, capacity]: List<Entry>, put: (entry: Entry) => void): Promise<void> => {
    const total = Math.min((await state.ask(count)) ?? 0, capacity * READ_BEYOND);
    for (let first = 0; first < total; first += LANES) {
      const asked = lanes.slice(0, total - first).map((lane, index) => lane.ask(at, first + index));
      for (const [index, entry] of (await Promise.all(asked)).entries()) {
        if (entry === undefined)
          throw new PermissionContractError(
            `the ${at.contract} contract says nothing of its entry ${first + index} of ${total}`,
          );
        put(entry);
      }
      if (slices.isOver()) await slices.pause();
    }
  };
}
