import { Transaction, encodeRlp, toBeArray, type Wallet } from 'ethers';
import type { Endpoints } from '../network/endpoints.js';
import { callRpc } from './call-rpc.js';
import { assert } from './demo-context.js';

type Node = Endpoints['nodes'][number];

/** Existing private networks mark private transactions with V 37 or 38. */
const PRIVATE_V = 37;
const PRECOMPILE = '0x000000000000000000000000000000000000007a';
const GAS = 2_000_000n;
const MARKER_GAS = 30_000n;

export interface PrivateRequest {
  readonly wallet: Wallet;
  /** The node it is sent through. */
  readonly through: Node;
  readonly nonce: number;
  /** Keys of the managers that may read it. */
  readonly privateFor: readonly (string | null)[];
  /** Absent to create a contract. */
  readonly to?: string;
  readonly data: string;
}

/**
 * Sends a private transaction, signed by a wallet without support for privacy.
 * @returns its hash
 */
export async function sendPrivately(request: PrivateRequest): Promise<string> {
  return submit(request.through, (await signPrivately(request)).raw);
}

/**
 * Sends a transaction whose payload is with the managers already.
 * @returns its hash
 */
export function submit({ rpc }: Pick<Node, 'rpc'>, raw: string): Promise<string> {
  return callRpc(rpc, 'eth_sendRawTransaction', [raw]) as Promise<string>;
}

/**
 * The same behind a public marker transaction, which the wallet signs as any other.
 * @returns the hash of the marker
 */
export async function sendMarked(request: PrivateRequest, chainId: number): Promise<string> {
  const { json } = await signPrivately(request);
  const data = await distribute(request, Buffer.from(json));
  const { wallet, nonce } = request;
  const marker = {
    type: 0,
    chainId,
    nonce,
    gasPrice: 0n,
    gasLimit: MARKER_GAS,
    to: PRECOMPILE,
    value: 0n,
    data,
  };
  return submit(request.through, await wallet.signTransaction(marker));
}

/**
 * Sends the bytes through the manager of the node to those of the recipients.
 * @returns their hash, 64 bytes as hex
 */
async function distribute({ through, privateFor }: PrivateRequest, payload: Buffer): Promise<string> {
  const response = await fetch(`${through.ptm}/send`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ payload: payload.toString('base64'), to: privateFor }),
  });
  const text = await response.text();
  assert(response.ok, `the manager of ${through.name} refuses a payload: ${response.status} ${text}`);
  return `0x${Buffer.from((JSON.parse(text) as { key: string }).key, 'base64').toString('hex')}`;
}

/**
 * Stores the payload with the managers and signs the transaction that contains its hash.
 *
 * Layout: rlp[nonce, gasPrice, gas, to, value, hash of the payload, V, r, s], signed over the first six
 *
 * @returns raw; json — the transaction behind a marker
 */
export async function signPrivately(request: PrivateRequest): Promise<{ raw: string; json: string }> {
  const { wallet, nonce, to = null, data } = request;
  const input = await distribute(request, Buffer.from(data.slice(2), 'hex'));
  const fields = { type: 0, nonce, gasPrice: 0n, gasLimit: GAS, to, value: 0n, data: input };
  const { r, s, yParity } = wallet.signingKey.sign(Transaction.from(fields).unsignedHash);
  const v = toBeArray(PRIVATE_V + yParity);
  const numbers = [toBeArray(nonce), '0x', toBeArray(GAS)];
  const raw = encodeRlp([...numbers, to ?? '0x', '0x', input, v, toBeArray(r), toBeArray(s)]);
  const hex = (value: bigint | number) => `0x${value.toString(16)}`;
  const members = {
    type: '0x0',
    nonce: hex(nonce),
    gasPrice: '0x0',
    gas: hex(GAS),
    value: '0x0',
    input,
    v: hex(PRIVATE_V + yParity),
    r: hex(BigInt(r)),
    s: hex(BigInt(s)),
    to,
  };
  return { raw, json: JSON.stringify(members) };
}
