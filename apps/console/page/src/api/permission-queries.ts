import { useQuery } from '@tanstack/react-query';
import { enforcementOf, networkAdmins, adminOrgOf, nodeElsewhere } from '../permissions/network-admins.js';
import type { Question } from '../permissions/question.js';
import { isAccountPending, isNodePending } from '../permissions/pending-items.js';
import { METHOD_NOT_FOUND, ask, callNode, valueOf, type Call, type Outcome } from './call-node.js';
import {
  accountsSchema,
  explanationSchema,
  orgDetailsSchema,
  orgsSchema,
  permittedNodesSchema,
} from './permission-shapes.js';

/** Permissions change by hand, and their lists are long. Units: ms */
const SLOW_MS = 10_000;

const permission = (name: string, ...params: readonly unknown[]): Call => ({
  method: `chainPermission_${name}`,
  params,
});

/** Whether the node says that it enforces no permissions. */
const isWithout = (outcome: Outcome | undefined) =>
  outcome?.kind === 'refused' &&
  (outcome.reason === 'PERMISSIONING_NOT_ENABLED' || outcome.code === METHOD_NOT_FOUND);

/** Organizations, network admins, and what is enforced; null on a node without permissions. */
export function usePermissions(node: string) {
  return useQuery({
    queryKey: ['permissions', node],
    queryFn: async ({ signal }) => {
      const [list] = await callNode(node, [permission('orgList')], signal);
      if (isWithout(list)) return null;
      const orgs = orgsSchema.parse(valueOf(list));
      const adminOrg = adminOrgOf(orgs);
      if (adminOrg === undefined) return { orgs, admins: undefined, ...enforcementOf(undefined) };
      const details = orgDetailsSchema.parse(await ask(node, permission('getOrgDetails', adminOrg), signal));
      return {
        orgs,
        admins: networkAdmins(adminOrg, details),
        ...(await enforcement(node, nodeElsewhere(details.nodeList), signal)),
      };
    },
    refetchInterval: SLOW_MS,
  });
}

async function enforcement(node: string, url: string | undefined, signal: AbortSignal) {
  if (url === undefined) return enforcementOf(undefined);
  const answer = await ask(node, permission('explain', 'node', url), signal);
  return enforcementOf(explanationSchema.parse(answer).rule);
}

export type FoundPermissions = NonNullable<ReturnType<typeof usePermissions>['data']>;

/** Nodes and accounts that wait for votes. All are asked for, and only these are kept. */
export function useWaiting(node: string) {
  return useQuery({
    queryKey: ['permissions-waiting', node],
    queryFn: async ({ signal }) => ({
      nodes: permittedNodesSchema
        .parse(await ask(node, permission('nodeList'), signal))
        .filter(isNodePending),
      // Apart, since the bytes of one answer are bounded.
      accounts: accountsSchema
        .parse(await ask(node, permission('acctList'), signal))
        .filter(isAccountPending),
    }),
    refetchInterval: SLOW_MS,
  });
}

/**
 * Enode URLs of the permission list; none on a node without permissions.
 * @param isWanted - the first view comes first
 */
export function usePermittedNodes(node: string, isWanted: boolean) {
  return useQuery({
    queryKey: ['permitted-nodes', node],
    queryFn: async ({ signal }) => {
      const [list] = await callNode(node, [permission('nodeList')], signal);
      return isWithout(list) ? [] : permittedNodesSchema.parse(valueOf(list)).map(({ url }) => url);
    },
    refetchInterval: 6 * SLOW_MS,
    enabled: isWanted,
  });
}

/** What belongs to an organization, and whether its accounts may transact. */
export function useOrgDetails(node: string, orgId: string) {
  return useQuery({
    queryKey: ['org', node, orgId],
    queryFn: async ({ signal }) => {
      const calls = [permission('getOrgDetails', orgId), permission('explain', 'org', orgId)];
      const [details, explanation] = await callNode(node, calls, signal);
      if (details?.kind === 'refused' && details.reason === 'ORG_NOT_FOUND') return null;
      return {
        details: orgDetailsSchema.parse(valueOf(details)),
        explanation: explanationSchema.parse(valueOf(explanation)),
      };
    },
    refetchInterval: SLOW_MS,
  });
}

/** The answer to a question, at the head; null on a node without permissions. */
export function useExplanation(node: string, { subject, id, action, to }: Question) {
  return useQuery({
    queryKey: ['explanation', node, subject, id, action, to],
    queryFn: async ({ signal }) => {
      const call = permission('explain', subject, id, action ?? null, ...(to === undefined ? [] : [to]));
      const [outcome] = await callNode(node, [call], signal);
      return isWithout(outcome) ? null : explanationSchema.parse(valueOf(outcome));
    },
    refetchInterval: SLOW_MS,
  });
}
