import type { SentCall } from '../abi/sent-call.js';
import type { WriteOutcome } from '../api/send-write.js';
import { inAscii } from '../parts/format.js';

/** Where a write goes by the console's server. */
type ServedPlace = { readonly kind: 'node'; readonly name: string } | { readonly kind: 'signer' };

/** Where a write goes. */
export type WritePlace =
  | ServedPlace
  /**
   * A wallet of the browser, which sends by itself.
   * @param text - the request that was confirmed. Never fails
   */
  | {
      readonly kind: 'wallet';
      readonly name: string;
      readonly send: (text: string) => Promise<WriteOutcome>;
    };

/** A write that a person is asked about. */
export interface ProposedWrite {
  /** What it does, in a few words. */
  readonly title: string;
  readonly at: WritePlace;
  readonly method: string;
  readonly params: readonly unknown[];
  /** The account whose key signs; absent where the node's own key does. */
  readonly from?: string;
  /** What is to be in the transaction whose hash is the result; it is compared. */
  readonly call?: SentCall;
}

/** As the server calls the place. */
const nameOfPlace = (at: ServedPlace): string => (at.kind === 'node' ? at.name : 'signer');

export const pathOfWrite = (at: ServedPlace): string =>
  at.kind === 'node' ? `/api/nodes/${encodeURIComponent(at.name)}/write` : '/api/signer/write';

/** An id of one confirmation, by which the server sends it once. */
export function newWriteId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * The whole request: what people read is what is sent.
 * @param options.chainId - of the network that the page shows
 */
export function writeText(
  { at, method, params }: Pick<ProposedWrite, 'at' | 'method' | 'params'>,
  { id, chainId }: { readonly id: string; readonly chainId: number },
): string {
  // A wallet takes no other members; the chain is in its parameters.
  const request =
    at.kind === 'wallet' ? { method, params } : { id, chainId, service: nameOfPlace(at), method, params };
  return inAscii(JSON.stringify(request, null, 2));
}
