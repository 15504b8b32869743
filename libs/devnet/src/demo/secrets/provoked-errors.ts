import type { Endpoints } from '../../network/endpoints.js';
import type { Source } from './secret-forms.js';
import { answerOf } from './network-output.js';

/** A key of a manager that no manager has. */
const UNKNOWN_KEY = Buffer.alloc(32, 0x7e).toString('base64');

/** What goes into requests that fail: it belongs to the caller, and must not come back or be logged. */
export interface Confidential {
  /** A bearer token. */
  readonly token: string;
  /** Bytes of a private payload, as hex. */
  readonly payload: string;
}

/**
 * Makes requests that every service rejects in its own way, with a token and, where a service takes payloads, with one.
 * @returns the answers
 */
export async function provokeErrors(
  endpoints: Endpoints,
  { token, payload }: Confidential,
): Promise<Source[]> {
  const { nodes, signer, wallet } = endpoints;
  const [node] = nodes;
  if (node === undefined) return [];
  const rpc = (method: string, params: readonly unknown[]) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const transaction = { from: node.accounts[0], data: `0x${payload}`, privateFor: [UNKNOWN_KEY] };
  const bytes = Buffer.from(payload, 'hex').toString('base64');
  const walletUrl = wallet === null ? undefined : `${wallet.rpc}${wallet.path}`;
  const requests: readonly (readonly [url: string | null | undefined, body: string])[] = [
    ...[node.rpc, signer?.rpc, walletUrl].flatMap((url) => [
      [url, rpc('no_such_method', [])] as const,
      [url, '{"jsonrpc":'] as const,
    ]),
    [node.rpc, rpc('eth_sendTransaction', [transaction])],
    [node.rpc, rpc('eth_sendRawTransaction', [`0x${payload}`])],
    [
      signer?.rpc,
      rpc('eea_sendTransaction', [{ ...transaction, from: signer?.address, restriction: 'restricted' }]),
    ],
    [walletUrl, rpc('Coin.WalletSign', ['f1none', bytes])],
    [node.ptm && `${node.ptm}/send`, JSON.stringify({ payload: bytes, to: [UNKNOWN_KEY] })],
    [node.ptm && `${node.ptm}/storeraw`, JSON.stringify({ payload: bytes, from: UNKNOWN_KEY })],
  ];
  const answers = requests.map(async ([url, body]): Promise<Source[]> => {
    if (url === null || url === undefined) return [];
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    return [{ name: `answer of ${url}`, content: await answerOf(url, { method: 'POST', headers, body }) }];
  });
  return (await Promise.all(answers)).flat();
}
