import type { PartyTable } from '../party/party-table.js';
import { parsePartyUrl } from '../party/party-url.js';
import { PeerUnreachableError, type PeerClient } from '../party/peer-client.js';

export interface AskableParts {
  readonly table: PartyTable;
  readonly peers: Pick<PeerClient, 'get'>;
  /** Whether managers that configured ones list count. */
  readonly discover: boolean;
}

/** Most managers that configured ones list and that are asked. */
const MAX_LISTED = 500;

/**
 * URLs of all managers that may hold payloads for keys of ours: the configured ones and those that they list, those that
 * announced themselves, and those that were proved to hold a key, which may be down now.
 *
 * @returns first the configured ones, then those with keys: of the rest a stranger has as many as it likes
 */
export async function managersToAsk({ table, peers, discover }: AskableParts): Promise<string[]> {
  const holders = table.urlsOfHolders;
  const others = table.urlsOfParties;
  const configured = [...others, ...holders].filter((url) => table.isConfigured(url));
  const known = new Set([...configured, ...holders, ...others]);
  if (!discover) return [...known];
  const listed = (await Promise.all([...new Set(configured)].map((url) => listedBy(url, peers)))).flat();
  const more = [...new Set(listed)].filter((url) => !known.has(url) && !table.isOwn(url));
  return [...known, ...more.slice(0, MAX_LISTED)];
}

/** Managers that a manager knows, itself included; none where it does not say. */
async function listedBy(url: string, peers: AskableParts['peers']): Promise<string[]> {
  try {
    const { status, text } = await peers.get(url, 'partyinfo');
    return status === 200 ? urlsIn(JSON.parse(text) as { readonly peers?: unknown } | null) : [];
  } catch (error) {
    if (error instanceof PeerUnreachableError || error instanceof SyntaxError) return [];
    throw error;
  }
}

function urlsIn(info: { readonly peers?: unknown } | null): string[] {
  const listed: readonly unknown[] = Array.isArray(info?.peers) ? info.peers.slice(0, MAX_LISTED) : [];
  return listed.flatMap((one) => {
    const url = (one as { readonly url?: unknown } | null)?.url;
    return (typeof url === 'string' ? parsePartyUrl(url) : undefined) ?? [];
  });
}
