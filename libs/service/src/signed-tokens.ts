import { createPublicKey } from 'node:crypto';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  jwtVerify,
  type JWTPayload,
  type JWTVerifyGetKey,
} from 'jose';
import { LRUCache } from 'lru-cache';
import { AuthenticationError, AuthenticationUnavailableError } from './authentication-error.js';
import { createCaller, type Caller } from './caller.js';
import { readTextFile } from './option-types.js';
import { StartupError, reasonOf } from './startup-error.js';

/** The source of the verification keys, and the required claims. */
export interface SignedTokenConfig {
  readonly authJwtKeyFile: string | undefined;
  readonly authJwtJwksUrl: URL | undefined;
  readonly authJwtIssuer: string | undefined;
  readonly authJwtAudience: string | undefined;
  readonly authJwtPermissionsClaim: string;
}

const ALGORITHMS = ['RS256', 'ES256', 'EdDSA'];
const CLOCK_TOLERANCE_SECONDS = 5;
/** A verified token is not verified again for this long, so that a busy client costs one signature check a minute. */
const REMEMBER_MS = 60_000;
const REMEMBER_TOKENS = 1_000;

/**
 * Verifies tokens (RS256, ES256, EdDSA; with an expiry) with a key pair's public half; verified tokens are cached
 * for a while.
 * @throws StartupError when the file holds no public key; the verifier as `Authenticator`
 */
export function createSignedTokenVerifier(config: SignedTokenConfig): (token: string) => Promise<Caller> {
  const getKey = keySource(config);
  const verified = new LRUCache<string, Caller>({ max: REMEMBER_TOKENS });
  return async (token) => {
    const known = verified.get(token);
    if (known !== undefined) return known;
    const payload = await verify(token, getKey, config);
    const permissions = permissionsOf(payload, config.authJwtPermissionsClaim);
    const expiresMs = ((payload.exp ?? 0) + CLOCK_TOLERANCE_SECONDS) * 1_000;
    const caller = createCaller(payload.sub ?? '', permissions, { expiresMs, claims: payload });
    const remainingMs = expiresMs - Date.now();
    if (remainingMs > 0) verified.set(token, caller, { ttl: Math.min(REMEMBER_MS, remainingMs) });
    return caller;
  };
}

function keySource(config: SignedTokenConfig): JWTVerifyGetKey {
  if (config.authJwtJwksUrl !== undefined) return createRemoteJWKSet(config.authJwtJwksUrl);
  if (config.authJwtKeyFile === undefined) throw new Error('no source of keys');
  const text = readTextFile(config.authJwtKeyFile, '--auth-jwt-key-file');
  try {
    if (text.trimStart().startsWith('{')) return createLocalJWKSet(JSON.parse(text));
    const key = createPublicKey(text);
    return () => key;
  } catch (error) {
    throw new StartupError(
      `--auth-jwt-key-file: ${config.authJwtKeyFile} holds no public key or JWKS: ${reasonOf(error)}`,
    );
  }
}

async function verify(
  token: string,
  getKey: JWTVerifyGetKey,
  config: SignedTokenConfig,
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, getKey, {
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ['exp'],
      ...(config.authJwtIssuer === undefined ? {} : { issuer: config.authJwtIssuer }),
      ...(config.authJwtAudience === undefined ? {} : { audience: config.authJwtAudience }),
    });
    return payload;
  } catch (error) {
    if (isTokenProblem(error)) throw new AuthenticationError('the token is not valid');
    throw new AuthenticationUnavailableError(`the keys of the tokens cannot be read: ${reasonOf(error)}`);
  }
}

/** Every error but a JWKS that cannot be fetched is the token's fault; a key of another kind is a TypeError. */
function isTokenProblem(error: unknown): boolean {
  if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) return false;
  if (error instanceof errors.JOSEError) return error.constructor !== errors.JOSEError;
  return error instanceof TypeError && !/fetch/i.test(error.message);
}

function permissionsOf(payload: JWTPayload, claim: string): string[] {
  const value = payload[claim];
  if (typeof value === 'string') return value.split(' ').filter((part) => part !== '');
  return Array.isArray(value) ? value.filter((part) => typeof part === 'string') : [];
}
