import { useQuery } from '@tanstack/react-query';
import * as z from 'zod';
import type { PermissionCall } from '../permissions/pending-items.js';
import { ask, callNode } from './call-node.js';
import { LIVE_MS, served } from './queries.js';
import { countSchema } from './shapes.js';

const previewSchema = z.object({
  block: z.number().int(),
  total: z.number().int(),
  changes: z.array(
    z.object({ subject: z.string(), id: z.string(), action: z.string(), isAllowed: z.boolean() }),
  ),
});
export type Preview = z.output<typeof previewSchema>;

/** Which permissions a change would take and give, as the node foresees it. */
export function usePreview(node: string, { name, params }: PermissionCall) {
  return useQuery({
    queryKey: ['preview', node, name, params],
    queryFn: async ({ signal }) => {
      const call = { method: 'chainPermission_previewChange', params: [name, params.map(String)] };
      return previewSchema.parse(await ask(node, call, signal));
    },
    retry: false,
  });
}

const addresses = z.array(z.string().regex(/^0x[0-9a-f]{40}$/i));

/** The accounts whose keys a node holds; none where it does not say. */
export function useHeldAccounts(node: string) {
  return useQuery({
    queryKey: ['held', node],
    queryFn: async ({ signal }) => {
      const [accounts] = await callNode(node, [{ method: 'eth_accounts', params: [] }], signal);
      return served(accounts, addresses) ?? [];
    },
    staleTime: 60_000,
  });
}

/** Whether transactions of an account wait at a node. */
export function useWaits(node: string, account: string) {
  return useQuery({
    queryKey: ['waits', node, account],
    queryFn: async ({ signal }) => {
      const count = async (block: string) =>
        countSchema.parse(
          await ask(node, { method: 'eth_getTransactionCount', params: [account, block] }, signal),
        );
      const [pending, mined] = [await count('pending'), await count('latest')];
      return pending > mined;
    },
    refetchInterval: ({ state }) => (state.data === false ? false : LIVE_MS),
    // The next write of the account waits anew.
    gcTime: 0,
  });
}
