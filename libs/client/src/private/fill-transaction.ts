import { isAddressEqual, numberToHex, type Address, type Client, type Hex } from 'viem';
import { UnexpectedTransactionError } from '../errors/privacy-errors.js';
import { callOnce } from '../wire/call-method.js';
import type { PrivateDataParameter } from '../wire/methods.js';
import { assertPayloadHash } from './payload-hash.js';
import type { PrivateTransactionContent } from './signPrivateTransaction.js';

/** A transaction before privacy: what it does, and what the node fills in when it is absent. */
export interface TransactionContent {
  /** Absent for a contract creation. */
  readonly to?: Address | undefined;
  /** Call data or init code. */
  readonly data: Hex;
  readonly gas?: bigint | undefined;
  readonly gasPrice?: bigint | undefined;
  readonly nonce?: number | undefined;
}

/** The content in its form on the wire. */
export function transactionMembers({ to, data, gas, gasPrice, nonce }: TransactionContent) {
  return {
    input: data,
    ...(to === undefined ? {} : { to }),
    ...(gas === undefined ? {} : { gas: numberToHex(gas) }),
    ...(gasPrice === undefined ? {} : { gasPrice: numberToHex(gasPrice) }),
    ...(nonce === undefined ? {} : { nonce: numberToHex(nonce) }),
  };
}

/**
 * Stores the payload with the node's transaction manager, and fills in what is left open; nothing is sent yet.
 *
 * @throws UnexpectedTransactionError when the node would have another transaction signed
 */
export async function fillPrivateTransaction(
  client: Client,
  from: Address,
  content: TransactionContent,
  privacy: PrivateDataParameter,
): Promise<PrivateTransactionContent> {
  const { tx } = await callOnce(client, 'eth_fillTransaction', {
    from,
    ...transactionMembers(content),
    ...privacy,
  });
  const filled = {
    nonce: numberOf('nonce', tx.nonce),
    gasPrice: numberOf('gasPrice', tx.gasPrice ?? '0x0'),
    gas: numberOf('gas', tx.gas),
    to: tx.to ?? undefined,
    data: tx.input,
  };
  assertAsAsked(content, filled, numberOf('value', tx.value));
  return filled;
}

/** Of 64 bits: what is longer belongs into no transaction, and would take minutes to be printed. */
function numberOf(field: string, text: unknown): bigint {
  if (typeof text === 'string' && /^0x[0-9a-f]{1,16}$/i.test(text)) return BigInt(text);
  throw differ(field, 'a number of 64 bits', text);
}

const differ = (field: string, wanted: unknown, found: unknown) =>
  new UnexpectedTransactionError({ field, wanted: String(wanted), filled: String(found) });

function assertAsAsked(content: TransactionContent, filled: PrivateTransactionContent, value: bigint): void {
  const { to } = content;
  const isSameRecipient =
    to === undefined || filled.to === undefined ? to === filled.to : isAddressEqual(to, filled.to);
  if (!isSameRecipient) throw differ('to', to, filled.to);
  if (value !== 0n) throw differ('value', 0n, value);
  assertPayloadHash(filled.data);
  for (const field of ['gas', 'gasPrice', 'nonce'] as const) {
    const wanted = content[field];
    if (wanted !== undefined && BigInt(wanted) !== filled[field]) throw differ(field, wanted, filled[field]);
  }
}
