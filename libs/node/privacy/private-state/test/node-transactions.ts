import { keccak256, signDigest } from '@tetrad/crypto';
import { decodeTransaction } from '@tetrad/node-execution';
import { privateEnvelopeOf, signTransaction } from '@tetrad/transactions';
import { hexFromBytes, type Address } from '@tetrad/types';
import { PRIVACY_PRECOMPILE } from '../src/index.js';
import { CHAIN_ID } from './recorded-chain.js';

/** The private key of a node's account. */
export const NODE = Buffer.alloc(32, 0x42);

const GAS = 1_000_000n;

/**
 * A private transaction of the node, or its creation.
 * @param data - hash of its payload
 * @returns the signed RLP
 */
export function privateTransaction(
  nonce: bigint,
  data: Uint8Array,
  { to, gasLimit = GAS }: { readonly to?: Address | undefined; readonly gasLimit?: bigint } = {},
): Uint8Array {
  const envelope = privateEnvelopeOf({
    nonce,
    gasPrice: 0n,
    gasLimit,
    value: 0n,
    data,
    ...(to === undefined ? {} : { to }),
  });
  return envelope.raw(signDigest(keccak256(envelope.preimage()), NODE));
}

/** The same as GoQuorum writes it behind a marker. */
export function markedTransaction(
  nonce: bigint,
  data: Uint8Array,
  { to, gasLimit = GAS }: { readonly to?: Address | undefined; readonly gasLimit?: bigint } = {},
): string {
  const { v, r, s } = decodeTransaction(privateTransaction(nonce, data, { to, gasLimit }), CHAIN_ID);
  const quantities = { nonce, gasPrice: 0n, gas: gasLimit, value: 0n, v, r, s };
  const written = Object.entries(quantities).map(([name, value]) => [name, `0x${value.toString(16)}`]);
  return JSON.stringify({ ...Object.fromEntries(written), input: hexFromBytes(data), to: to ?? null });
}

/**
 * A marker of the node.
 * @param data - hash of the payload with what is behind it
 * @returns the signed RLP
 */
export function markerOf(nonce: bigint, data: Uint8Array): Uint8Array {
  const fees = { type: 'legacy', gasPrice: 0n } as const;
  const marker = { chainId: CHAIN_ID, nonce, to: PRIVACY_PRECOMPILE, value: 0n, data, fees };
  return signTransaction({ ...marker, gasLimit: 30_000n }, NODE);
}
