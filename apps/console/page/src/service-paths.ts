/** What an address shows of the services besides the nodes. */
export type ServiceView =
  | { readonly kind: 'rollup' | 'signing' }
  | { readonly kind: 'rollupAccount' | 'rollupOperation'; readonly id: string };

const ACCOUNT_ID = /^[0-9]{1,10}$/;
const HASH = /^0x[0-9a-f]{64}$/i;
/** Coordinates x and y of a point. */
const PUBLIC_KEY = /^0x[0-9a-f]{128}$/i;

/** The view of a path; undefined for one of the other views. */
export function serviceViewOf(path: string): ServiceView | undefined {
  const [, section, part, id, ...rest] = path.split('/');
  if (rest.length > 0) return undefined;
  if ((section === 'rollup' || section === 'signing') && !part && id === undefined) return { kind: section };
  if (section !== 'rollup' || id === undefined) return undefined;
  if (part === 'accounts' && ACCOUNT_ID.test(id)) return { kind: 'rollupAccount', id };
  return part === 'operations' && HASH.test(id) ? { kind: 'rollupOperation', id } : undefined;
}

/** What a search in the rollup means: a path, the public key of an account, or nothing. */
export type RollupSearch = { readonly path: string } | { readonly publicKey: string } | undefined;

export function rollupSearchFor(input: string): RollupSearch {
  const text = input.trim().replaceAll(',', '');
  if (ACCOUNT_ID.test(text)) return { path: `/rollup/accounts/${Number(text)}` };
  if (HASH.test(text)) return { path: `/rollup/operations/${text.toLowerCase()}` };
  return PUBLIC_KEY.test(text) ? { publicKey: text.toLowerCase() } : undefined;
}
