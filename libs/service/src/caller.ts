import type { IncomingMessage } from 'node:http';

/** The sender of a request, after the token was verified. */
export interface Caller {
  /** Subject of the token; absent when authentication is off. */
  readonly subject?: string;
  /** Expiry of the token, in milliseconds since the epoch; absent when it does not expire. */
  readonly expiresMs?: number;
  /** Claims of the token, as they were signed; absent without a signed token. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Whether the caller's permissions cover the method, or everything that needs the permission. */
  may(method: string, permission?: string): boolean;
  /** Whether a permission is the very name of the method, and not a prefix or an open service. */
  mayByName(method: string): boolean;
}

/** The anonymous caller when authentication is off; it may call every exposed method. */
const ANYONE: Caller = { may: () => true, mayByName: () => false };

/**
 * @param permissions - method names, prefixes that end in `*` such as `eth_*`, or permissions such as `sign`; the rest
 *   — see `Caller`
 */
export function createCaller(
  subject: string | undefined,
  permissions: readonly string[],
  { expiresMs, claims }: Pick<Caller, 'expiresMs' | 'claims'> = {},
): Caller {
  const exact = new Set(permissions.filter((name) => !name.endsWith('*')));
  const prefixes = permissions.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  return {
    ...(subject === undefined ? {} : { subject }),
    ...(expiresMs === undefined ? {} : { expiresMs }),
    ...(claims === undefined ? {} : { claims }),
    may: (method, permission) =>
      exact.has(method) ||
      (permission !== undefined && exact.has(permission)) ||
      prefixes.some((prefix) => method.startsWith(prefix)),
    mayByName: (method) => exact.has(method),
  };
}

const callers = new WeakMap<IncomingMessage, Caller>();

export function setCaller(request: IncomingMessage, caller: Caller): void {
  callers.set(request, caller);
}

/** The sender of a request; every request that passed `startService` has been authenticated. */
export function callerOf(request: IncomingMessage): Caller {
  return callers.get(request) ?? ANYONE;
}
