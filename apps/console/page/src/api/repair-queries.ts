import { useQuery } from '@tanstack/react-query';
import { repairRows, type RepairRow } from '../privacy/repair-rows.js';
import { privacyRefusal } from './agreement-queries.js';
import { callNode } from './call-node.js';
import { repairsSchema } from './repair-shapes.js';

/** Units: ms */
const OFTEN_MS = 10_000;

/** Repairs of private contracts that a node knows of, or why it does not say. */
export type Repairs =
  | { readonly kind: 'known'; readonly rows: readonly RepairRow[] }
  | { readonly kind: 'refused'; readonly reason: string };

/** @param contract - all without it */
export function useRepairs(node: string, contract?: string) {
  return useQuery({
    queryKey: ['repairs', node, contract],
    queryFn: async ({ signal }): Promise<Repairs> => {
      const params = contract === undefined ? [] : [contract];
      const [outcome] = await callNode(node, [{ method: 'privacy_listRepairs', params }], signal);
      if (outcome?.kind !== 'done') return privacyRefusal(outcome);
      return { kind: 'known', rows: repairRows(repairsSchema.parse(outcome.value)) };
    },
    refetchInterval: OFTEN_MS,
  });
}
