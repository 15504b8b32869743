import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAuthenticator } from './authentication.js';
import { createTokenKey, issueToken, tokenPublicKey } from './issue-token.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-token-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const CLAIMS = { caller: 'alice', permissions: ['eth_*', 'net_version'], lifetimeSeconds: 60 };

async function callerOf(token: string, publicKey: string, audience?: string) {
  const authJwtKeyFile = join(folder, 'key.pub');
  await writeFile(authJwtKeyFile, publicKey);
  const authenticator = await createAuthenticator({
    authJwtKeyFile,
    authJwtJwksUrl: undefined,
    authJwtPermissionsClaim: 'permissions',
    authJwtIssuer: undefined,
    authJwtAudience: audience,
  });
  return authenticator?.authenticate({ headers: { authorization: `Bearer ${token}` } } as IncomingMessage);
}

describe('an issued token', () => {
  it('names its caller and its permissions, to services with the public half of the key', async () => {
    const privateKey = createTokenKey();
    const publicKey = tokenPublicKey(privateKey);
    const token = await issueToken(privateKey, { ...CLAIMS, audience: 'node0' });
    const caller = await callerOf(token, publicKey, 'node0');
    expect(caller).toMatchObject({ subject: 'alice' });
    expect(['eth_call', 'net_version', 'net_peerCount'].map((method) => caller?.may(method))).toEqual([
      true,
      true,
      false,
    ]);
    await expect(callerOf(token, publicKey, 'node1')).rejects.toThrow('the token is not valid');
    await expect(callerOf(token, tokenPublicKey(createTokenKey()))).rejects.toThrow('the token is not valid');
  });

  it('is bound to accounts when it lists them', async () => {
    const privateKey = createTokenKey();
    const publicKey = tokenPublicKey(privateKey);
    const bound = await callerOf(await issueToken(privateKey, { ...CLAIMS, accounts: [4, 9] }), publicKey);
    expect(bound?.claims).toMatchObject({ accounts: [4, 9] });
    const unbound = await callerOf(await issueToken(privateKey, CLAIMS), publicKey);
    expect(unbound?.claims).not.toHaveProperty('accounts');
  });

  it('needs a key of that kind', async () => {
    await expect(issueToken('no key', CLAIMS)).rejects.toThrow('must hold an Ed25519 private key (PEM)');
    await expect(issueToken(tokenPublicKey(createTokenKey()), CLAIMS)).rejects.toThrow(
      'must hold an Ed25519',
    );
  });
});
