import { createPublicKey } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  jwtVerify,
  type JWTPayload,
  type JWTVerifyGetKey,
} from 'jose';
import { LRUCache } from 'lru-cache';
import { createCaller, type Caller } from './caller.js';
import { readTextFile } from './option-types.js';
import {
  createSharedSecretVerifier,
  isSharedSecretToken,
  type SharedSecret,
} from './shared-secret-tokens.js';
import { OptionError, StartupError, reasonOf } from './startup-error.js';

/** The token is missing, wrong or out of date; answered with 401. */
export class AuthenticationError extends Error {
  override readonly name = 'AuthenticationError';
}

/** The keys of the tokens cannot be had at the moment; answered with 503. */
export class AuthenticationUnavailableError extends Error {
  override readonly name = 'AuthenticationUnavailableError';
}

export interface Authenticator {
  /** Fails: AuthenticationError, AuthenticationUnavailableError */
  authenticate(request: IncomingMessage): Promise<Caller>;
}

export interface AuthenticationConfig {
  readonly authJwtKeyFile: string | undefined;
  readonly authJwtJwksUrl: URL | undefined;
  readonly authJwtIssuer: string | undefined;
  readonly authJwtAudience: string | undefined;
  readonly authJwtPermissionsClaim: string;
}

/** What a service grants beside the tokens of the common options. */
export interface AuthenticationExtras {
  /** Tokens signed with a secret that the issuer shares with the service (HS256). */
  readonly sharedSecret?: SharedSecret | undefined;
  /** What callers without a token may do; absent, they may do nothing. */
  readonly anonymousPermissions?: readonly string[];
}

const ALGORITHMS = ['RS256', 'ES256', 'EdDSA'];
const CLOCK_TOLERANCE_SECONDS = 5;
/** A verified token is not verified again for this long, so that a busy client costs one signature check a minute. */
const REMEMBER_MS = 60_000;
const REMEMBER_TOKENS = 1_000;

/**
 * Checks JSON Web Tokens (RS256, ES256, EdDSA; with an expiry) sent as bearer tokens, and those of a shared secret.
 *
 * Out:   undefined when neither a key file, a JWKS URL nor a shared secret is configured
 * Fails: OptionError when both are; StartupError when the file holds no public key
 */
export function createAuthenticator(
  config: AuthenticationConfig,
  extras: AuthenticationExtras = {},
): Authenticator | undefined {
  if (config.authJwtKeyFile !== undefined && config.authJwtJwksUrl !== undefined) {
    throw new OptionError('--auth-jwt-jwks-url', 'cannot be used together with --auth-jwt-key-file');
  }
  const getKey = keySource(config);
  const { sharedSecret, anonymousPermissions } = extras;
  if (getKey === undefined && sharedSecret === undefined) return undefined;
  const verifyShared = sharedSecret === undefined ? undefined : createSharedSecretVerifier(sharedSecret);
  const verifySigned = getKey === undefined ? undefined : createSignedVerifier(getKey, config);
  const anonymous =
    anonymousPermissions === undefined ? undefined : createCaller(undefined, anonymousPermissions);
  return {
    async authenticate(request) {
      if (anonymous !== undefined && request.headers.authorization === undefined) return anonymous;
      const token = bearerToken(request);
      // Each kind of token has a verifier of its own: a public key is never taken for a shared secret.
      const check = isSharedSecretToken(token) ? verifyShared : verifySigned;
      const caller = await check?.(token);
      if (caller === undefined) throw new AuthenticationError('the token is not valid');
      return caller;
    },
  };
}

/** Verifies a token with a key pair's public half; what was verified is remembered for a while. */
function createSignedVerifier(
  getKey: JWTVerifyGetKey,
  config: AuthenticationConfig,
): (token: string) => Promise<Caller> {
  const verified = new LRUCache<string, Caller>({ max: REMEMBER_TOKENS });
  return async (token) => {
    const known = verified.get(token);
    if (known !== undefined) return known;
    const payload = await verify(token, getKey, config);
    const caller = createCaller(payload.sub ?? '', permissionsOf(payload, config.authJwtPermissionsClaim));
    const remainingMs = (payload.exp ?? 0) * 1_000 - Date.now();
    if (remainingMs > 0) verified.set(token, caller, { ttl: Math.min(REMEMBER_MS, remainingMs) });
    return caller;
  };
}

function keySource(config: AuthenticationConfig): JWTVerifyGetKey | undefined {
  if (config.authJwtJwksUrl !== undefined) return createRemoteJWKSet(config.authJwtJwksUrl);
  if (config.authJwtKeyFile === undefined) return undefined;
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

function bearerToken(request: IncomingMessage): string {
  const [, token] = /^Bearer ([\w.~+/=-]+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (token === undefined) throw new AuthenticationError('a bearer token is needed');
  return token;
}

async function verify(
  token: string,
  getKey: JWTVerifyGetKey,
  config: AuthenticationConfig,
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

/** Everything but a JWKS that cannot be fetched is the token's fault; a key of another kind is a TypeError. */
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
