import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { callService, valueOf, type Call } from './call-node.js';
import { LIVE_MS, served } from './queries.js';
import { readBatch } from './rollup-batches.js';
import { readContract } from './rollup-contract.js';
import {
  accountNonceSchema,
  accountSchema,
  accountStateSchema,
  pageOf,
  receivedSchema,
} from './rollup-shapes.js';
import {
  operationsOf,
  orderOperation,
  transferOperation,
  type RollupOperation,
} from './rollup-operations.js';

/** Operations and orders of an account that are shown, by kind. */
const SHOWN = 50;
/** Batches that are shown. */
const MAX_BATCHES = 10;

const call = (method: string, ...params: readonly unknown[]): Call => ({ method, params });

/** Whether the operator answers: it is asked for an account, which need not exist. */
export function useRollupOperator() {
  return useQuery({
    queryKey: ['rollup', 'operator'],
    queryFn: async ({ signal }) => {
      const [found] = await callService('rollup', [call('pazkp_findAccountById', 1)], signal);
      return { hasAccounts: accountSchema.nullable().parse(valueOf(found)) !== null };
    },
    refetchInterval: LIVE_MS,
  });
}

/**
 * An account, its latest nonce, and its state as of the last final batch; null when there is none of that id. Nonce and state
 * are undefined where the operator does not know them.
 */
export function useRollupAccount(id: number) {
  return useQuery({
    queryKey: ['rollup', 'account', id],
    queryFn: async ({ signal }) => {
      const methods = ['pazkp_findAccountById', 'pazkp_getAccountNonce', 'pazkp_getAccountState'];
      const [details, nonce, state] = await callService(
        'rollup',
        methods.map((method) => call(method, id)),
        signal,
      );
      const account = accountSchema.nullable().parse(valueOf(details));
      return (
        account && {
          account,
          latest: served(nonce, accountNonceSchema),
          final: served(state, accountStateSchema),
        }
      );
    },
    refetchInterval: LIVE_MS,
  });
}

/** The last operations of an account, highest nonce first, and the orders that it can redeem, oldest first. */
export function useRollupOperations(
  id: number,
  { nonce, redemptionIndex }: { readonly nonce: number; readonly redemptionIndex: number },
) {
  return useQuery({
    queryKey: ['rollup', 'operations', id, nonce, redemptionIndex],
    queryFn: async ({ signal }) => {
      // Those above the nonce wait: they are on the last pages too.
      const first = Math.max(1, nonce + 1 - SHOWN);
      const [created, redeemed, transfers, received] = await callService(
        'rollup',
        [
          call('pazkp_listMoneyOrderCreations', first, SHOWN, id),
          call('pazkp_listMoneyOrderRedemptions', first, SHOWN, null, id),
          call('pazkp_listOutboundTransferCreations', first, SHOWN, id),
          call('pazkp_listMoneyOrdersReceived', redemptionIndex + 1, SHOWN, null, id, 'AVAILABLE_TO_REDEEM'),
        ],
        signal,
      );
      return {
        first,
        operations: operationsOf(valueOf(created), valueOf(redeemed), valueOf(transfers)),
        received: pageOf(receivedSchema).parse(valueOf(received)),
      };
    },
    refetchInterval: LIVE_MS,
    placeholderData: keepPreviousData,
  });
}

/** An operation; null when the operator knows none of that hash. */
export function useRollupOperation(hash: string) {
  return useQuery({
    queryKey: ['rollup', 'operation', hash],
    queryFn: async ({ signal }): Promise<RollupOperation | null> => {
      const [created, redeemed, transfer] = (
        await callService(
          'rollup',
          [
            call('pazkp_findMoneyOrderCreation', hash),
            call('pazkp_findMoneyOrderRedemption', hash),
            call('pazkp_findOutboundTransfer', hash),
          ],
          signal,
        )
      ).map(valueOf);
      if (created !== null) return orderOperation('order', created);
      if (redeemed !== null) return orderOperation('redemption', redeemed);
      return transfer === null ? null : transferOperation(transfer);
    },
    refetchInterval: LIVE_MS,
  });
}

/** The id of the account with a public key; undefined when none is final. */
export async function accountOfKey(publicKey: string): Promise<number | undefined> {
  const [found] = await callService('rollup', [call('pazkp_findAccountByPublicKey', publicKey)]);
  return accountSchema.nullable().parse(valueOf(found))?.id;
}

/** The contract of the rollup, as a node has it. */
export function useRollupContract(node: string, contract: string) {
  return useQuery({
    queryKey: ['rollup', 'contract', node, contract],
    queryFn: ({ signal }) => readContract(node, contract, signal),
    refetchInterval: LIVE_MS,
  });
}

/** The last batches, newest first, each asked for once: it may be large, and stays as it is. */
export function useRollupBatches(
  node: string,
  contract: string,
  { height: newest, head }: { readonly height: number; readonly head: number },
) {
  const heights = Array.from({ length: Math.min(MAX_BATCHES, newest) }, (_, at) => newest - at);
  return useQueries({
    queries: heights.map((height) => ({
      queryKey: ['rollup', 'batch', node, contract, height],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        readBatch(node, { contract, height, head }, signal),
      staleTime: Infinity,
    })),
    combine: (queries) => ({
      batches: queries.flatMap(({ data }) => data ?? []),
      isPending: queries.some(({ isPending }) => isPending),
      error: queries.find(({ error }) => error !== null)?.error ?? undefined,
    }),
  });
}
