import { isPtmKey, parsePtmKey, type PtmKey } from '@tetrad/types';
import { parsePartyUrl } from '../party/party-url.js';
import { PeerUnreachableError, type PeerClient } from '../party/peer-client.js';

/** Keys of a manager's answer that are looked at. */
const MAX_KEYS = 1_000;

/**
 * A key that a manager says is its own, without a proof: enough to seal what tells nothing to anyone else.
 * @returns undefined when it does not say
 */
export async function declaredKey(url: string, peers: Pick<PeerClient, 'get'>): Promise<PtmKey | undefined> {
  try {
    const { status, text } = await peers.get(url, 'partyinfo');
    const info = status === 200 ? (JSON.parse(text) as { readonly keys?: unknown } | null) : undefined;
    const keys: readonly unknown[] = Array.isArray(info?.keys) ? info.keys.slice(0, MAX_KEYS) : [];
    return keys.flatMap((one) => keyAt(url, one)).at(0);
  } catch (error) {
    if (error instanceof PeerUnreachableError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function keyAt(url: string, entry: unknown): PtmKey | [] {
  const { key, url: at } = (entry ?? {}) as { readonly key?: unknown; readonly url?: unknown };
  if (typeof key !== 'string' || typeof at !== 'string') return [];
  return parsePartyUrl(at) === url && isPtmKey(key) ? parsePtmKey(key) : [];
}
