import { setTimeout as pause } from 'node:timers/promises';
import type { Address } from '@tetrad/types';
import { z } from 'zod';
import { callRpc } from '../demo/call-rpc.js';

export interface Enrolment {
  /** JSON-RPC of a permissioned node. */
  readonly url: string;
  /** A network admin that the node signs for. */
  readonly admin: Address;
  readonly members: readonly Address[];
  readonly signal?: AbortSignal | undefined;
}

/** Org of the network's admins, as `node deploy-permissions` names it. */
const ORG = 'ADMINORG';
/** May do everything but administrate. */
const ROLE = 'MEMBER';
const FULL_ACCESS = 3;
const ACTIVE = 2;
const POLL_MS = 200;

const accountsSchema = z.array(z.object({ acctId: z.string(), status: z.number() }));
const rolesSchema = z.array(z.object({ roleId: z.string(), orgId: z.string() }));

/**
 * Waits until the network's permissions are set up, and gives the accounts that are not members yet a role with full access.
 * @throws Error with the node's message; with the reason of the signal
 */
export async function enrolMembers({ url, admin, members, signal }: Enrolment): Promise<void> {
  const ask = (method: string, ...params: readonly unknown[]) =>
    callRpc(url, `chainPermission_${method}`, params);
  const active = async () => {
    const accounts = accountsSchema.parse(await ask('acctList'));
    return new Set(accounts.filter(({ status }) => status === ACTIVE).map(({ acctId }) => acctId));
  };
  const hasRole = async () =>
    rolesSchema.parse(await ask('roleList')).some(({ roleId, orgId }) => roleId === ROLE && orgId === ORG);
  const until = async (isDone: () => Promise<boolean>) => {
    while (!(await isDone())) await pause(POLL_MS, undefined, { signal });
  };
  await until(async () => (await active()).has(admin));
  if (!(await hasRole())) await ask('addNewRole', ORG, ROLE, FULL_ACCESS, false, false, { from: admin });
  await until(hasRole);
  const before = await active();
  for (const member of members)
    if (!before.has(member)) await ask('addAccountToOrg', member, ORG, ROLE, { from: admin });
  await until(async () => {
    const now = await active();
    return members.every((member) => now.has(member));
  });
}
