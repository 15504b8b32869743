import type { EthereumClient, EthereumReceipt } from '@tetrad/rollup-chain';
import { encodeWord } from '@tetrad/rollup-crypto';
import { hexFromBytes, scalarFromBytes, type Address } from '@tetrad/types';
import { sendTransaction, type SendOptions } from './send-transaction.js';

/** First four bytes of keccak-256 of the signatures. Source: ERC-20 */
const ALLOWANCE = 'dd62ed3e';
const APPROVE = '095ea7b3';
const DECIMALS = '313ce567';
/** More than any token has. */
const MAX_DECIMALS = 255n;

/** Base units of the token that the owner lets the spender take. */
export async function allowance(
  client: EthereumClient,
  { token, owner, spender }: { readonly token: Address; readonly owner: Address; readonly spender: Address },
): Promise<bigint> {
  const data = callData(ALLOWANCE, [BigInt(owner), BigInt(spender)]);
  const answer = await client.call({ to: token, data });
  return scalarFromBytes(answer.subarray(0, 32));
}

/** Lets the spender take exactly so many base units. */
export function approve(
  client: EthereumClient,
  { token, spender, amount }: { readonly token: Address; readonly spender: Address; readonly amount: bigint },
  options: SendOptions,
): Promise<EthereumReceipt> {
  const data = callData(APPROVE, [BigInt(spender), amount]);
  return sendTransaction(client, { to: token, data }, options);
}

/**
 * Of one whole token.
 * @returns undefined for a token that does not say
 */
export async function decimalsOf(client: EthereumClient, token: Address): Promise<number | undefined> {
  const answer = await client.call({ to: token, data: callData(DECIMALS, []) });
  const decimals = answer.length === 32 ? scalarFromBytes(answer) : undefined;
  return decimals === undefined || decimals > MAX_DECIMALS ? undefined : Number(decimals);
}

function callData(selector: string, words: readonly bigint[]): Uint8Array {
  return Buffer.from(selector + words.map((word) => hexFromBytes(encodeWord(word)).slice(2)).join(''), 'hex');
}
