import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { OperatorError } from '@tetrad/types';

/** The claims of a token; services verify it with the public half of the key (`--auth-jwt-key-file`). */
export interface TokenClaims {
  /** The caller's name, for logs and policies. */
  readonly caller: string;
  /** Methods, or prefixes such as `eth_*`. */
  readonly permissions: readonly string[];
  /** Accounts of a rollup that the caller reads and sends for; all when absent. */
  readonly accounts?: readonly number[] | undefined;
  readonly lifetimeSeconds: number;
  readonly issuer?: string | undefined;
  readonly audience?: string | undefined;
}

/** Lists the accounts of a rollup that a token is bound to. */
const ACCOUNTS_CLAIM = 'accounts';

/** A new private key (Ed25519, PEM) to sign tokens with. */
export function createTokenKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/**
 * The public half as PEM, with which services verify.
 * @throws OperatorError when it is not an Ed25519 private key
 */
export function tokenPublicKey(privateKey: string): string {
  return createPublicKey(readKey(privateKey)).export({ type: 'spki', format: 'pem' }).toString();
}

/**
 * A token that is accepted by every service with the public half of the key.
 * @param privateKey - PEM of an Ed25519 key
 * @throws OperatorError when it is not an Ed25519 private key
 */
export async function issueToken(privateKey: string, claims: TokenClaims): Promise<string> {
  const key = readKey(privateKey);
  const { SignJWT } = await import('jose');
  const { permissions, accounts } = claims;
  const own = accounts === undefined ? {} : { [ACCOUNTS_CLAIM]: [...accounts] };
  const token = new SignJWT({ permissions: [...permissions], ...own })
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
    // Whatever OpenSSL reports: it is not an Ed25519 key.
  }
  throw new OperatorError('must hold an Ed25519 private key (PEM)');
}
