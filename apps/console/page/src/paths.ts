import { serviceViewOf, type ServiceView } from './service-paths.js';

/** What an address of the page shows. */
export type View =
  | ServiceView
  | { readonly kind: 'network' | 'blocks' | 'transactions' | 'pool' | 'abis' }
  | { readonly kind: 'permissions' | 'explain' | 'privacy' }
  | { readonly kind: 'private-contract' | 'private-transaction'; readonly id: string }
  | { readonly kind: 'block' | 'transaction' | 'account'; readonly id: string }
  | { readonly kind: 'unknown' };

const ADDRESS = /^0x[0-9a-f]{40}$/i;
const HASH = /^0x[0-9a-f]{64}$/i;
const NUMBER = /^[0-9]{1,15}$/;

/** Views whose path is their name. */
const LISTS = (['blocks', 'transactions', 'pool', 'abis', 'privacy', 'permissions'] as const).map((kind) => ({
  kind,
}));

/** The view of a path. */
export function viewOf(path: string): View {
  const ofService = serviceViewOf(path);
  if (ofService !== undefined) return ofService;
  const [, section = '', id, ...rest] = path.split('/');
  if (rest.length > 0) return { kind: 'unknown' };
  if (id === undefined || id === '') {
    if (section === '') return { kind: 'network' };
    return LISTS.find(({ kind }) => kind === section) ?? { kind: 'unknown' };
  }
  if (section === 'privacy' && ADDRESS.test(id)) return { kind: 'private-contract', id };
  if (section === 'privacy' && HASH.test(id)) return { kind: 'private-transaction', id };
  if (section === 'permissions' && id === 'explain') return { kind: 'explain' };
  if (section === 'blocks' && (NUMBER.test(id) || HASH.test(id))) return { kind: 'block', id };
  if (section === 'transactions' && HASH.test(id)) return { kind: 'transaction', id };
  if (section === 'accounts' && ADDRESS.test(id)) return { kind: 'account', id };
  return { kind: 'unknown' };
}

/** What a search means: a path, a hash of a block or a transaction, or nothing. */
export type Search = { readonly path: string } | { readonly hash: string } | undefined;

export function searchFor(input: string): Search {
  const text = input.trim().replaceAll(',', '');
  if (NUMBER.test(text)) return { path: `/blocks/${Number(text)}` };
  if (ADDRESS.test(text)) return { path: `/accounts/${text.toLowerCase()}` };
  return HASH.test(text) ? { hash: text.toLowerCase() } : undefined;
}
