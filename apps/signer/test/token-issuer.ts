import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT, exportSPKI, generateKeyPair } from 'jose';

/** Issuer of callers' tokens. */
export interface TokenIssuer {
  /** Flags of a signer that takes the tokens. */
  readonly flags: readonly string[];
  /** Value of `authorization` for a subject with these permissions. */
  tokenOf(subject: string, permissions: readonly string[]): Promise<string>;
  remove(): Promise<void>;
}

export async function createTokenIssuer(): Promise<TokenIssuer> {
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-tokens-'));
  const file = join(folder, 'jwt.pem');
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  await writeFile(file, await exportSPKI(publicKey));
  return {
    flags: ['--auth-jwt-key-file', file],
    async tokenOf(subject, permissions) {
      const token = new SignJWT({ permissions }).setProtectedHeader({ alg: 'ES256' });
      return `Bearer ${await token.setSubject(subject).setExpirationTime('1h').sign(privateKey)}`;
    },
    remove: () => rm(folder, { recursive: true }),
  };
}
