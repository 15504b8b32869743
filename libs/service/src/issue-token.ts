import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { OperatorError } from '@tetrad/types';

/** What a token says; services check it with the public half of the key (`--auth-jwt-key-file`). */
export interface TokenClaims {
  /** Who calls, for logs and policies. */
  readonly caller: string;
  /** Methods, or prefixes such as `eth_*`. */
  readonly permissions: readonly string[];
  readonly lifetimeSeconds: number;
  readonly issuer?: string | undefined;
  readonly audience?: string | undefined;
}

/** A new private key (Ed25519, PEM) to sign tokens with. */
export function createTokenKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** The public half as PEM, with which services verify. Fails: OperatorError when it is another kind of key, or none */
export function tokenPublicKey(privateKey: string): string {
  return createPublicKey(readKey(privateKey)).export({ type: 'spki', format: 'pem' }).toString();
}

/**
 * A token that every service accepts which has the public half of the key.
 *
 * In:    privateKey — PEM of an Ed25519 key
 * Fails: OperatorError when it is another kind of key, or none
 */
export async function issueToken(privateKey: string, claims: TokenClaims): Promise<string> {
  const key = readKey(privateKey);
  const { SignJWT } = await import('jose');
  const token = new SignJWT({ permissions: [...claims.permissions] })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' })
    .setSubject(claims.caller)
    .setIssuedAt()
    .setExpirationTime(`${claims.lifetimeSeconds} seconds`);
  if (claims.issuer !== undefined) token.setIssuer(claims.issuer);
  if (claims.audience !== undefined) token.setAudience(claims.audience);
  return token.sign(key);
}

function readKey(text: string) {
  try {
    const key = createPrivateKey(text);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Whatever OpenSSL says of it: it is no such key.
  }
  throw new OperatorError('must hold an Ed25519 private key (PEM)');
}
