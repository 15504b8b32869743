import type { Client, Hex } from 'viem';
import type { RejectionOf } from '../errors/request-error.js';
import { callMethod } from '../wire/call-method.js';

export interface GetPrivatePayloadParameters {
  /** Hash of the encrypted payload: `input` of a private transaction on the chain. */
  readonly hash: Hex;
}

export type GetPrivatePayloadErrorType = RejectionOf<'eth_getChainPayload'>;

/**
 * The unencrypted payload of a private transaction.
 *
 * @param client - client of any node
 * @param parameters - which payload
 * @returns call data or init code; undefined when the node is no party
 */
export async function getPrivatePayload(
  client: Client,
  { hash }: GetPrivatePayloadParameters,
): Promise<Hex | undefined> {
  const payload = await callMethod(client, 'eth_getChainPayload', hash);
  return payload === '0x' ? undefined : payload;
}
