import {
  permissionViews,
  type PermissionAddresses,
  type PermissionModel,
  type PermissionView,
} from '@tetrad/node-permission-contracts';
import { contractNodeUrl } from '@tetrad/node-permissioning';
import type { Hex } from '@tetrad/types';

type Entries = readonly Readonly<Record<string, unknown>>[];

/** Entries in the order of their indexes; of organizations without the ids of those below them. */
export interface EntryLists {
  readonly orgs: Entries;
  readonly roles: Entries;
  readonly accounts: Entries;
  readonly nodes: Entries;
}

type Ask = <T>(method: string, ...params: unknown[]) => Promise<T>;

/**
 * What a node lists, from its records.
 * @param ask - calls a method of the node
 */
export async function listedEntries(ask: Ask): Promise<EntryLists> {
  const orgs = await ask<Entries>('chainPermission_orgList');
  return {
    orgs: orgs.map((org) =>
      Object.fromEntries(Object.entries(org).filter(([name]) => name !== 'subOrgList')),
    ),
    roles: await ask('chainPermission_roleList'),
    accounts: await ask('chainPermission_acctList'),
    nodes: await ask('chainPermission_nodeList'),
  };
}

/** What the contracts answer at the head of the node, index by index. */
export async function heldEntries(
  ask: Ask,
  { model, addresses }: { readonly model: PermissionModel; readonly addresses: PermissionAddresses },
): Promise<EntryLists> {
  const views = permissionViews(model);
  const call = (contract: keyof PermissionAddresses, data: Hex) =>
    ask<Hex>('eth_call', { to: addresses[contract], data }, 'latest');
  const all = async <Entry>(count: PermissionView<[], number>, at: PermissionView<[number], Entry>) => {
    const total = count.decode(await call(count.contract, count.encode()));
    const indexes = Array.from({ length: total }, (_, index) => index);
    return Promise.all(indexes.map(async (index) => at.decode(await call(at.contract, at.encode(index)))));
  };
  const [orgs, roles] = [
    await all(views.numberOfOrgs, views.orgAt),
    await all(views.numberOfRoles, views.roleAt),
  ];
  const accounts = await all(views.numberOfAccounts, views.accountAt);
  const nodes = await all(views.numberOfNodes, views.nodeAt);
  return {
    orgs: orgs.map((org) => ({ ...org })),
    roles: roles.map((role) => ({ ...role })),
    accounts: accounts.map(({ account, ...entry }) => ({ ...entry, acctId: account })),
    nodes: nodes.map(({ orgId, status, ...node }) => {
      const url = model === 'v1' ? node.enodeId : contractNodeUrl(node, false);
      return { orgId, status, url };
    }),
  };
}
