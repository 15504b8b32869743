import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { createCaller, type Caller } from './caller.js';

/**
 * Tokens in the form of the coin network's own node: HS256, `{"Allow": ["read", …]}`, without an expiry. An expiry,
 * if present, is enforced.
 */
export interface SharedSecret {
  /** At least 32 bytes. */
  readonly secret: Uint8Array;
  /** Claim that lists the permissions. */
  readonly permissionsClaim: string;
}

const ALGORITHM = 'HS256';
const REMEMBER_TOKENS = 1_000;
const REMEMBER_MS = 60_000;

/** Whether the token's header names a shared-secret algorithm. */
export function isSharedSecretToken(token: string): boolean {
  try {
    const header: unknown = JSON.parse(Buffer.from(token.split('.', 1)[0] ?? '', 'base64url').toString());
    return typeof header === 'object' && header !== null && 'alg' in header && header.alg === ALGORITHM;
  } catch {
    return false;
  }
}

/** Returns the caller of a token; undefined when it is not valid. */
export function createSharedSecretVerifier({
  secret,
  permissionsClaim,
}: SharedSecret): (token: string) => Promise<Caller | undefined> {
  const verified = new LRUCache<string, Caller>({ max: REMEMBER_TOKENS });
  return async (token) => {
    const known = verified.get(token);
    if (known !== undefined) return known;
    const { jwtVerify } = await import('jose');
    const checked = await jwtVerify(token, secret, { algorithms: [ALGORITHM] }).catch(() => undefined);
    if (checked === undefined) return undefined;
    const { sub, exp, [permissionsClaim]: allowed } = checked.payload;
    const permissions = Array.isArray(allowed) ? allowed.filter((part) => typeof part === 'string') : [];
    const expiresMs = exp === undefined ? undefined : exp * 1_000;
    const caller = createCaller(
      sub ?? fingerprintOf(token),
      permissions,
      expiresMs === undefined ? {} : { expiresMs },
    );
    const remainingMs = expiresMs === undefined ? REMEMBER_MS : expiresMs - Date.now();
    if (remainingMs > 0) verified.set(token, caller, { ttl: Math.min(REMEMBER_MS, remainingMs) });
    return caller;
  };
}

/** Such tokens name no caller; the fingerprint distinguishes them in logs without revealing anything. */
function fingerprintOf(token: string): string {
  return `token:${createHash('sha256').update(token).digest('hex').slice(0, 16)}`;
}

/** A token that allows these permissions. */
export async function createSharedSecretToken(
  { secret, permissionsClaim }: SharedSecret,
  permissions: readonly string[],
): Promise<string> {
  const { SignJWT } = await import('jose');
  return new SignJWT({ [permissionsClaim]: permissions })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .sign(secret);
}
