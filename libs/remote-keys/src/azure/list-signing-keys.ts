import { z } from 'zod';
import { RemoteKeyError } from '../remote-key-error.js';

/** What the service gives at most. Source: REST reference of Azure Key Vault, Get Keys, version 7.4 */
const KEYS_A_PAGE = 25;
const FIRST_PAGE = `api-version=7.4&maxresults=${KEYS_A_PAGE}`;
const MAX_PAGES = 400;

const pageAnswer = z.object({
  value: z
    .array(
      z.object({
        kid: z.url(),
        attributes: z.object({ enabled: z.boolean().optional() }).optional(),
        tags: z.record(z.string(), z.string()).nullish(),
      }),
    )
    .max(1_000),
  nextLink: z.string().nullish(),
});

export interface WantedKeys {
  readonly vaultUrl: string;
  readonly tags: Readonly<Record<string, string>>;
  /** For errors. */
  readonly where: string;
}

/**
 * Names of the enabled keys of a vault that have all of the tags.
 *
 * @param ask - gives the body of the answer to `/keys` with this query
 * @throws RemoteKeyError UNSUPPORTED for more than 10,000 keys, FAILED for an answer that is not a list
 */
export async function listSigningKeys(
  { vaultUrl, tags, where }: WantedKeys,
  ask: (query: string) => Promise<unknown>,
): Promise<readonly string[]> {
  const names: string[] = [];
  let query: string | undefined = FIRST_PAGE;
  for (let pages = 0; query !== undefined; pages += 1) {
    if (pages === MAX_PAGES)
      throw new RemoteKeyError('UNSUPPORTED', `${where}: has more than ${MAX_PAGES * KEYS_A_PAGE} keys`);
    const parsed = pageAnswer.safeParse(await ask(query));
    if (!parsed.success) throw new RemoteKeyError('FAILED', `${where}: the answer is no list of keys`);
    const { value, nextLink } = parsed.data;
    for (const { kid, attributes, tags: given } of value) {
      const isWanted = Object.entries(tags).every(([name, text]) => given?.[name] === text);
      if (isWanted && attributes?.enabled !== false) names.push(nameOf(kid));
    }
    query = isLink(nextLink) ? queryOf(nextLink, vaultUrl, where) : undefined;
  }
  return names;
}

function isLink(nextLink: string | null | undefined): nextLink is string {
  return typeof nextLink === 'string' && nextLink !== '';
}

/** The token goes to this vault alone, whatever its answer names. */
function queryOf(nextLink: string, vaultUrl: string, where: string): string {
  const url = URL.canParse(nextLink) ? new URL(nextLink) : undefined;
  if (url?.origin === new URL(vaultUrl).origin && url.pathname === '/keys') return url.search.slice(1);
  throw new RemoteKeyError('FAILED', `${where}: its list goes on at another place`);
}

function nameOf(kid: string): string {
  return new URL(kid).pathname.split('/')[2] ?? '';
}
