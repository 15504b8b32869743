import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startVaultServer, VAULT_TOKEN, type VaultServer } from '@tetrad/testkit';
import { systemClock } from '@tetrad/types';
import { readVaultSecret } from '../src/vault/vault-client.js';
import { VaultConnections } from '../src/vault/vault-connections.js';
import { VAULT_TLS, vector } from './vault-vectors.js';

const fingerprint = (name: string) => new X509Certificate(readFileSync(vector(name))).fingerprint256;

let vault: VaultServer;
let folder: string;
beforeAll(async () => {
  vault = await startVaultServer({ tls: VAULT_TLS });
  vault.secrets.set('one', { value: 'secure' });
  folder = await mkdtemp(join(tmpdir(), 'tetrad-known-'));
});
afterAll(async () => {
  await vault.stop();
  await rm(folder, { recursive: true, force: true });
});

async function read(lines: readonly string[]) {
  const file = join(folder, 'known-servers');
  await writeFile(file, lines.join('\n'));
  const secret = {
    host: '127.0.0.1',
    port: vault.port,
    path: '/v1/secret/data/one',
    token: VAULT_TOKEN,
    timeoutMs: 10_000,
    trust: { type: 'KNOWN_SERVERS', file },
  } as const;
  const connections = new VaultConnections(systemClock);
  try {
    return await readVaultSecret(secret, connections);
  } finally {
    connections.close();
  }
}

describe('a known-servers file', () => {
  it('admits the vault whose fingerprint it lists, in either letter case', async () => {
    const [mine, other] = [fingerprint('vault.crt'), fingerprint('other.crt')];
    const place = `127.0.0.1:${vault.port}`;
    expect(await read(['# ours', '', `${place} ${mine}`])).toEqual({ value: 'secure' });
    expect(await read([`${place} ${other}`, `${place} ${mine.toLowerCase()}`])).toEqual({ value: 'secure' });
  });

  it('keeps the token from every other server', async () => {
    const mine = fingerprint('vault.crt');
    const before = vault.requests.length;
    for (const lines of [
      [],
      [`127.0.0.1:${vault.port} ${fingerprint('other.crt')}`],
      [`localhost:${vault.port} ${mine}`],
      [`127.0.0.1:1 ${mine}`],
    ]) {
      await expect(read(lines)).rejects.toThrow('cannot be reached (UNKNOWN_SERVER)');
    }
    expect(vault.requests).toHaveLength(before);
  });

  it('is refused with the line that is wrong', async () => {
    await expect(read(['# one', 'localhost:8200'])).rejects.toThrow(
      'line 2: is not <host>:<port> <SHA-256 fingerprint>',
    );
    await expect(read(['localhost:8200 00:11'])).rejects.toThrow('line 1: is not');
  });
});
