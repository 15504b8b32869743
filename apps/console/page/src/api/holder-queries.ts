import { useInfiniteQuery } from '@tanstack/react-query';
import { encodeFunctionData, parseAbi } from 'viem/utils';
import * as z from 'zod';
import type { Token } from '../abi/token.js';
import { Failure, callNode, whyRefused, type Outcome } from './call-node.js';

/** Accounts of a page; a node gives whole transactions, which may be more. */
const PAGE = 100;
/** Calls of one request to the console's server. */
const CALLS = 100;

const ABI = parseAbi(['function balanceOf(address owner) view returns (uint256)']);

const pageSchema = z.object({
  holders: z.array(z.object({ address: z.string().length(42), blockNumber: z.number().int() })),
  transactionsRead: z.number().int(),
  next: z.string().nullable(),
});

/** An account that transfers of a token name. */
export interface Holder {
  readonly address: string;
  /** Block number of the newest transfer from or to it. */
  readonly blockNumber: number;
  /** What it has now, in the smallest unit; undefined where the token does not say. */
  readonly balance: bigint | undefined;
}

/** Accounts that a part of the history of a token names. */
export interface HoldersPage {
  readonly holders: readonly Holder[];
  /** Transactions that were read. */
  readonly read: number;
  /** Undefined at the end of the history. */
  readonly next: string | undefined;
}

/**
 * The holders of a token by the index of the node, as many pages as the reader asks for; a failure says why the node has none.
 * Balances of ERC-1155 are by id and not asked for.
 */
export function useHolders(node: string, token: string, standard: Token['standard']) {
  return useInfiniteQuery({
    queryKey: ['holders', node, token.toLowerCase(), standard],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }): Promise<HoldersPage> => {
      const params = [token, PAGE, ...(pageParam === undefined ? [] : [pageParam])];
      const [outcome] = await callNode(node, [{ method: 'explorer_listTokenHolders', params }], signal);
      if (outcome?.kind !== 'done') throw new Failure(200, whyRefused(outcome, 'explorer'));
      const { holders, transactionsRead: read, next } = pageSchema.parse(outcome.value);
      const addresses = holders.map(({ address }) => address);
      const balances = standard === 'ERC-1155' ? [] : await readBalances(node, { token, addresses }, signal);
      const known = holders.map((holder, index) => ({ ...holder, balance: balances[index] }));
      return { holders: known, read, next: next ?? undefined };
    },
    getNextPageParam: ({ next }) => next,
    staleTime: Infinity,
    retry: false,
  });
}

async function readBalances(
  node: string,
  { token, addresses }: { readonly token: string; readonly addresses: readonly string[] },
  signal: AbortSignal,
): Promise<readonly (bigint | undefined)[]> {
  const balances: (bigint | undefined)[] = [];
  for (let from = 0; from < addresses.length; from += CALLS) {
    const calls = addresses.slice(from, from + CALLS).map((address) => {
      const data = encodeFunctionData({
        abi: ABI,
        functionName: 'balanceOf',
        args: [address as `0x${string}`],
      });
      return { method: 'eth_call', params: [{ to: token, data }, 'latest'] };
    });
    balances.push(...(await callNode(node, calls, signal)).map(balanceOf));
  }
  return balances;
}

function balanceOf(outcome: Outcome): bigint | undefined {
  if (outcome.kind !== 'done' || typeof outcome.value !== 'string') return undefined;
  return /^0x[0-9a-f]{64}$/i.test(outcome.value) ? BigInt(outcome.value) : undefined;
}
