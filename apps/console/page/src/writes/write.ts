import { inAscii } from '../parts/format.js';

/** Where a write goes. */
export type WritePlace = { readonly kind: 'node'; readonly name: string } | { readonly kind: 'signer' };

/** A write that a person is asked about. */
export interface ProposedWrite {
  /** What it does, in a few words. */
  readonly title: string;
  readonly at: WritePlace;
  readonly method: string;
  readonly params: readonly unknown[];
  /** The account whose key signs; absent where the node's own key does. */
  readonly from?: string;
}

/** As the server calls the place. */
const nameOfPlace = (at: WritePlace): string => (at.kind === 'node' ? at.name : 'signer');

export const pathOfWrite = (at: WritePlace): string =>
  at.kind === 'node' ? `/api/nodes/${encodeURIComponent(at.name)}/write` : '/api/signer/write';

/** An id of one confirmation, by which the server sends it once. */
export function newWriteId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The whole request: what people read is what is sent. In: chainId — of the network that the page shows */
export function writeText(
  { at, method, params }: Pick<ProposedWrite, 'at' | 'method' | 'params'>,
  { id, chainId }: { readonly id: string; readonly chainId: number },
): string {
  return inAscii(JSON.stringify({ id, chainId, service: nameOfPlace(at), method, params }, null, 2));
}
