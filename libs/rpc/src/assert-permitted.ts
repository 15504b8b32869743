import { RequestError } from '@tetrad/types';
import type { Caller } from './caller.js';
import { namespaceOf } from './method-names.js';

/** @throws RequestError FORBIDDEN */
export function assertPermitted(
  caller: Caller,
  method: string,
  {
    permission,
    calledAs = method,
  }: { readonly permission?: string | undefined; readonly calledAs?: string } = {},
): void {
  if (caller.may?.(method, permission) !== false) return;
  if (permission === undefined) throw new RequestError('FORBIDDEN', `not permitted to call ${calledAs}`);
  // With the text of the coin network's own node.
  const bare = method.slice(namespaceOf(method).length + 1);
  throw new RequestError('FORBIDDEN', `missing permission to invoke '${bare}' (need '${permission}')`, {
    permission,
  });
}
