import type { IncomingMessage } from 'node:http';
import { AuthenticationError } from './authentication-error.js';
import { createCaller, type Caller } from './caller.js';
import {
  createSharedSecretVerifier,
  isSharedSecretToken,
  type SharedSecret,
} from './shared-secret-tokens.js';
import type { SignedTokenConfig } from './signed-tokens.js';
import { OptionError } from './startup-error.js';

export interface Authenticator {
  /** @throws AuthenticationError, AuthenticationUnavailableError */
  authenticate(request: IncomingMessage): Promise<Caller>;
}

/** Access that a service grants in addition to the tokens of the common options. */
export interface AuthenticationExtras {
  /** Tokens signed with a secret that the issuer shares with the service (HS256). */
  readonly sharedSecret?: SharedSecret | undefined;
  /** Permissions of callers without a token; absent, they are rejected. */
  readonly anonymousPermissions?: readonly string[];
}

/**
 * Checks JSON Web Tokens (RS256, ES256, EdDSA; with an expiry) sent as bearer tokens, and those of a shared secret.
 * @returns undefined when neither a key file, a JWKS URL nor a shared secret is configured
 * @throws OptionError when both are; StartupError when the file holds no public key
 */
export async function createAuthenticator(
  config: SignedTokenConfig,
  extras: AuthenticationExtras = {},
): Promise<Authenticator | undefined> {
  if (config.authJwtKeyFile !== undefined && config.authJwtJwksUrl !== undefined) {
    throw new OptionError('--auth-jwt-jwks-url', 'cannot be used together with --auth-jwt-key-file');
  }
  const { sharedSecret, anonymousPermissions } = extras;
  const verifySigned = await signedVerifier(config);
  if (verifySigned === undefined && sharedSecret === undefined) return undefined;
  const verifyShared = sharedSecret === undefined ? undefined : createSharedSecretVerifier(sharedSecret);
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

/** Loaded only when it is used: most services in a private network start without it. */
async function signedVerifier(config: SignedTokenConfig) {
  if (config.authJwtKeyFile === undefined && config.authJwtJwksUrl === undefined) return undefined;
  const { createSignedTokenVerifier } = await import('./signed-tokens.js');
  return createSignedTokenVerifier(config);
}

function bearerToken(request: IncomingMessage): string {
  const [, token] = /^Bearer ([\w.~+/=-]+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (token === undefined) throw new AuthenticationError('a bearer token is required');
  return token;
}
