import { useQuery } from '@tanstack/react-query';
import * as z from 'zod';
import { callService, valueOf, type Call } from './call-node.js';
import { LIVE_MS } from './queries.js';
import { amountSchema, countSchema, textSchema } from './shapes.js';

/** Keys of which nonces are asked; all are listed. */
export const MAX_ASKED = 300;
/** Keys of one request, three calls each. */
const KEYS_A_REQUEST = 30;

const addressesSchema = z.array(z.string().regex(/^0x[0-9a-f]{40}$/i));

export interface SignerKey {
  readonly address: string;
  /** What its Ethereum client says; undefined for keys that it was not asked about. */
  readonly chain:
    | {
        readonly balance: bigint;
        /** Transactions in blocks. */
        readonly mined: number;
        /** Those and the ones that wait in the pool without a gap before them. */
        readonly pending: number;
      }
    | undefined;
}

/** The keys of the signer; nonces and balances are of the Ethereum client behind it. */
export function useSigner() {
  return useQuery({
    queryKey: ['signer'],
    queryFn: async ({ signal }) => {
      const calls = ['eth_accounts', 'eth_chainId', 'eth_blockNumber'];
      const [accounts, chainId, head] = await callService(
        'signer',
        calls.map((method) => ({ method, params: [] })),
        signal,
      );
      const addresses = addressesSchema.parse(valueOf(accounts));
      // Keys are there without the client, too.
      if (chainId?.kind !== 'done' || head?.kind !== 'done')
        return { keys: addresses.map((address) => ({ address, chain: undefined })), client: undefined };
      const client = { chainId: countSchema.parse(chainId.value), head: countSchema.parse(head.value) };
      return { keys: await withChain(addresses, signal), client };
    },
    refetchInterval: LIVE_MS,
  });
}

async function withChain(addresses: readonly string[], signal: AbortSignal): Promise<SignerKey[]> {
  const asked = addresses.slice(0, MAX_ASKED);
  const known: SignerKey[] = [];
  // One request after another: the signer's client may be a node with a limit on rates.
  for (let from = 0; from < asked.length; from += KEYS_A_REQUEST)
    known.push(...(await readKeys(asked.slice(from, from + KEYS_A_REQUEST), signal)));
  return [...known, ...addresses.slice(MAX_ASKED).map((address) => ({ address, chain: undefined }))];
}

async function readKeys(addresses: readonly string[], signal: AbortSignal): Promise<SignerKey[]> {
  const calls = addresses.flatMap((address): Call[] => [
    { method: 'eth_getBalance', params: [address, 'latest'] },
    { method: 'eth_getTransactionCount', params: [address, 'latest'] },
    { method: 'eth_getTransactionCount', params: [address, 'pending'] },
  ]);
  const outcomes = await callService('signer', calls, signal);
  return addresses.map((address, at) => ({
    address,
    chain: {
      balance: amountSchema.parse(valueOf(outcomes[3 * at])),
      mined: countSchema.parse(valueOf(outcomes[3 * at + 1])),
      pending: countSchema.parse(valueOf(outcomes[3 * at + 2])),
    },
  }));
}

/** Addresses of the wallet's keys. */
export function useWallet() {
  return useQuery({
    queryKey: ['wallet'],
    queryFn: async ({ signal }) => {
      const [list] = await callService('wallet', [{ method: 'Coin.WalletList', params: [] }], signal);
      return z.array(textSchema).parse(valueOf(list));
    },
    refetchInterval: LIVE_MS,
  });
}
