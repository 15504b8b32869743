import * as z from 'zod';
import type { SentCall } from '../abi/sent-call.js';
import type { WriteOutcome } from '../api/send-write.js';
import type { Provider } from './wallet-announcement.js';

/** Accounts of a wallet that are listed. */
const MAX_ACCOUNTS = 50;
/** Characters of what a wallet says that are shown. */
const MAX_TEXT = 300;

const accountsSchema = z.array(z.string().regex(/^0x[0-9a-f]{40}$/i)).max(1_000);
const chainSchema = z.union([
  z.number().int().min(0),
  z.string().regex(/^(?:0x[0-9a-f]{1,16}|[0-9]{1,19})$/i),
]);
const hashSchema = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/i)
  .transform((hash) => hash.toLowerCase());

/** What a wallet says instead of doing what it was asked for. The text is the wallet's. */
export class WalletRefusal extends Error {
  override readonly name = 'WalletRefusal';

  constructor(
    readonly code: number | undefined,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Asks a wallet.
 * @throws WalletRefusal, also for an answer of another form
 */
async function request<Schema extends z.ZodType>(
  provider: Provider,
  call: { readonly method: string; readonly params?: readonly unknown[] },
  schema: Schema,
): Promise<z.output<Schema>> {
  let answer: unknown;
  try {
    answer = await provider.request(call);
  } catch (error) {
    const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
    throw new WalletRefusal(
      typeof code === 'number' ? code : undefined,
      typeof message === 'string' ? message.slice(0, MAX_TEXT) : 'the wallet gave no reason',
    );
  }
  const parsed = schema.safeParse(answer);
  if (!parsed.success) throw new WalletRefusal(undefined, `the answer to ${call.method} has another form`);
  return parsed.data;
}

/**
 * The accounts that the wallet lets this page use; it asks its owner first.
 * @throws WalletRefusal
 */
export async function accountsOf(provider: Provider): Promise<readonly string[]> {
  const accounts = await request(provider, { method: 'eth_requestAccounts' }, accountsSchema);
  return accounts.slice(0, MAX_ACCOUNTS).map((account) => account.toLowerCase());
}

/**
 * The id of the chain that the wallet sends to now.
 * @throws WalletRefusal
 */
export async function chainOf(provider: Provider): Promise<bigint> {
  return BigInt(await request(provider, { method: 'eth_chainId' }, chainSchema));
}

/** Rejected by its owner, not permitted, not supported; unknown method, wrong parameters. Sources: EIP-1193; JSON-RPC 2.0 */
const NOT_SENT = [4001, 4100, 4200, -32601, -32602];

/**
 * Asks the wallet to sign and send. The chain is compared again directly before, since the wallet may have been switched, and is in the
 * request for wallets that compare it themselves. Nothing is asked twice. Never fails.
 * @param options.text - the request that was confirmed
 */
export async function sendByWallet(
  provider: Provider,
  { chainId, text }: { readonly chainId: bigint; readonly text: string },
): Promise<WriteOutcome> {
  try {
    const chain = await chainOf(provider);
    if (chain !== chainId) {
      const message = `the wallet is on chain ${chain}, and the call is for chain ${chainId}`;
      return { kind: 'unsent', message };
    }
  } catch (error) {
    return { kind: 'unsent', message: (error as WalletRefusal).message };
  }
  try {
    const call = JSON.parse(text) as { readonly method: string; readonly params: readonly unknown[] };
    return { kind: 'done', result: await request(provider, call, hashSchema) };
  } catch (error) {
    const { code, message } = error as WalletRefusal;
    return { kind: code !== undefined && NOT_SENT.includes(code) ? 'unsent' : 'unknown', message };
  }
}

/** The transaction of a request, for the chain that the network has. */
export const walletTransaction = ({ from, to, data, value }: SentCall, chainId: bigint) => ({
  from,
  to,
  data,
  value: hexOf(value),
  chainId: hexOf(chainId),
});

export const hexOf = (value: bigint) => `0x${value.toString(16)}`;
