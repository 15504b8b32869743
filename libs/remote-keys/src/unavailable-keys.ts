import { RequestError } from '@tetrad/types';
import { RemoteKeyError } from './remote-key-error.js';

/** Keys that are named in one answer. */
const MAX_NAMED = 20;

/** A line for each of the first ones, and the number of the others. */
export function firstReasons(
  keys: readonly { readonly name: string; readonly reason: string }[],
): readonly string[] {
  const lines = keys.slice(0, MAX_NAMED).map(({ name, reason }) => `${name}: ${reason}`);
  return keys.length > MAX_NAMED ? [...lines, `and ${keys.length - MAX_NAMED} more`] : lines;
}

/** What callers get when a service does not sign: the kind of fault, and not the words of the service. */
export function asUnavailable(error: unknown, account: string): unknown {
  if (!(error instanceof RemoteKeyError)) return error;
  const message = 'the service of the key does not sign at present';
  return new RequestError('KEY_UNAVAILABLE', message, { account, fault: error.code });
}
