import type { Outcome } from '../api/call-node.js';

/** What an address is to one node. */
export type Held =
  | { readonly kind: 'private'; readonly flag: number }
  | { readonly kind: 'public' }
  /** No code: an account, or a private contract of others, which look the same from outside. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'unknown'; readonly reason: string };

/** @param flagOf - reads the flag of an answer */
export function heldOf(
  { code, metadata }: { readonly code: Outcome | undefined; readonly metadata: Outcome | undefined },
  flagOf: (value: unknown) => number,
): Held {
  if (code?.kind !== 'done') return unknown(code);
  const isEmpty = code.value === '0x';
  if (metadata?.kind === 'done') return { kind: 'private', flag: flagOf(metadata.value) };
  // Contracts with flag 0 have none.
  if (metadata?.reason === 'NO_PRIVACY_METADATA')
    return isEmpty ? { kind: 'nothing' } : { kind: 'private', flag: 0 };
  if (metadata?.reason === 'NOT_A_PRIVATE_CONTRACT')
    return isEmpty ? { kind: 'nothing' } : { kind: 'public' };
  return unknown(metadata);
}

function unknown(outcome: Outcome | undefined): Held {
  const reason = outcome?.kind === 'refused' ? outcome.message : 'the node left out an answer';
  return { kind: 'unknown', reason };
}
