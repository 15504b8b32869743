import { hexToBigInt, hexToNumber, type Address, type Client, type Hash, type Hex } from 'viem';
import type { RejectionOf } from '../errors/request-error.js';
import { callMethod } from '../wire/call-method.js';

export interface GetPrivateTransactionParameters {
  /** Hash of the privacy marker. */
  readonly hash: Hash;
}

/** The private transaction behind a privacy marker, at the marker's place in the chain. */
export interface PrivateTransaction {
  readonly hash: Hash;
  readonly from: Address;
  readonly to: Address | null;
  readonly nonce: number;
  readonly gas: bigint;
  readonly gasPrice: bigint;
  readonly value: bigint;
  /** Hash of the encrypted payload. */
  readonly input: Hex;
  readonly blockHash: Hash;
  readonly blockNumber: bigint;
  readonly transactionIndex: number;
}

export type GetPrivateTransactionErrorType = RejectionOf<'eth_getPrivateTransactionByHash'>;

/**
 * The private transaction behind a privacy marker.
 *
 * @param client - client of any node
 * @param parameters - which marker
 * @returns undefined when the node is no party, or the hash is not that of a marker
 */
export async function getPrivateTransaction(
  client: Client,
  { hash }: GetPrivateTransactionParameters,
): Promise<PrivateTransaction | undefined> {
  const found = await callMethod(client, 'eth_getPrivateTransactionByHash', hash);
  if (found === null) return undefined;
  const { from, to, input, blockHash } = found;
  return {
    hash: found.hash,
    from,
    to,
    input,
    blockHash,
    nonce: hexToNumber(found.nonce),
    gas: hexToBigInt(found.gas),
    gasPrice: hexToBigInt(found.gasPrice),
    value: hexToBigInt(found.value),
    blockNumber: hexToBigInt(found.blockNumber),
    transactionIndex: hexToNumber(found.transactionIndex),
  };
}
