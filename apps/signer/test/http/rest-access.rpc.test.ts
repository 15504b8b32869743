import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase } from '@tetrad/db';
import { SigningKey } from 'ethers/crypto';
import { SignJWT, exportSPKI, generateKeyPair } from 'jose';
import { KA, KA_ADDRESS, REFERENCE_CHAIN } from '../reference-keys.js';
import { startSigner, type RunningSigner } from '../running-signer.js';

const POLICY = `
[[rule]]
name = "payments"
callers = ["alice"]
max-value = 5

[[rule]]
name = "bytes"
callers = ["bob"]
methods = ["eth1_sign"]
rate-per-minute = 1

[[rule]]
name = "messages"
callers = ["carol"]
methods = ["eth_sign"]

[[rule]]
name = "all"
callers = ["dave"]
`;
const PUBLIC_KEY = `0x${new SigningKey(KA).publicKey.slice(4)}`;

let folder: string;
let signer: RunningSigner & { readonly databaseUrl: string };
let tokenOf: (subject: string, permissions: readonly string[]) => Promise<string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-rest-'));
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  await writeFile(join(folder, 'jwt.pem'), await exportSPKI(publicKey));
  await writeFile(join(folder, 'policy.toml'), POLICY);
  tokenOf = (subject, permissions) =>
    new SignJWT({ permissions })
      .setProtectedHeader({ alg: 'ES256' })
      .setSubject(subject)
      .setExpirationTime('1h')
      .sign(privateKey);
  const policyWords = ['--policy-file', join(folder, 'policy.toml')];
  const flags = ['eth1', ...policyWords, '--auth-jwt-key-file', join(folder, 'jwt.pem')];
  // Port 9 is closed: signing needs no Ethereum client.
  signer = await startSigner({ downstreamPort: 9, chainId: REFERENCE_CHAIN, privateKey: KA, flags });
});
afterAll(async () => {
  await signer.stop();
  await rm(folder, { recursive: true });
});

async function ask(
  method: string,
  path: string,
  caller?: string,
  permissions: readonly string[] = ['eth1_*'],
) {
  const headers: Record<string, string> =
    caller === undefined ? {} : { authorization: `Bearer ${await tokenOf(caller, permissions)}` };
  const body = method === 'POST' ? '{"data":"0x3432"}' : undefined;
  const { status, text } = await signer.request({ method, path, headers, ...(body && { body }) });
  return { status, text };
}
const sign = (caller?: string, permissions?: readonly string[]) =>
  ask('POST', `/api/v1/eth1/sign/${PUBLIC_KEY}`, caller, permissions);
const list = (caller?: string, permissions?: readonly string[]) =>
  ask('GET', '/api/v1/eth1/publicKeys', caller, permissions);

describe('the signing of any bytes', () => {
  it('needs a token, and the permission of its name', async () => {
    expect((await sign()).status).toBe(401);
    const { status, text } = await sign('dave', ['eth_*', 'relay', 'eth1_publicKeys']);
    expect([status, JSON.parse(text)]).toEqual([
      403,
      { error: 'not permitted to call eth1_sign', reason: 'FORBIDDEN' },
    ]);
    expect((await sign('dave', ['eth1_sign'])).status).toBe(200);
  });

  it.each([
    ['that caps what is paid', 'alice', { rule: 'payments', limit: 'max-value' }],
    ['that names other methods', 'carol', { rule: 'messages', limit: 'methods' }],
    ['that does not exist', 'mallory', { rule: 'none', limit: 'caller-or-key' }],
  ])('is refused by a rule %s', async (_what, caller, rule) => {
    const { status, text } = await sign(caller);
    expect([status, JSON.parse(text)]).toEqual([
      403,
      expect.objectContaining({ reason: 'POLICY_REFUSED', ...rule }),
    ]);
  });

  it('is allowed by a rule that names it, as often as it says', async () => {
    const first = await sign('bob');
    expect(first.status).toBe(200);
    // A minute may have passed between the two, so a third one is asked for.
    const later = [await sign('bob'), await sign('bob')];
    const refused = later.find(({ status }) => status !== 200);
    expect(refused?.status).toBe(429);
    expect(JSON.parse(refused?.text ?? '')).toMatchObject({ reason: 'POLICY_RATE_EXCEEDED', rule: 'bytes' });
  });

  it('leaves an entry of every rejection and of every signature', async () => {
    const database = await connectDatabase({ url: signer.databaseUrl });
    const { rows } = await database.pool.query(
      'SELECT DISTINCT caller, key, decision, reason FROM audit_entry WHERE method = $1 ORDER BY caller, decision',
      ['eth1_sign'],
    );
    await database.close();
    const entry = (caller: string, decision: string, reason: string) => ({
      caller,
      key: KA_ADDRESS,
      decision,
      reason,
    });
    expect(rows).toEqual([
      entry('alice', 'refused', 'POLICY_REFUSED max-value payments'),
      entry('bob', 'allowed', 'bytes'),
      entry('bob', 'refused', 'POLICY_RATE_EXCEEDED rate-per-minute bytes'),
      entry('carol', 'refused', 'POLICY_REFUSED methods messages'),
      entry('dave', 'allowed', 'all'),
      entry('mallory', 'refused', 'POLICY_REFUSED caller-or-key none'),
    ]);
  });
});

describe('the list of public keys', () => {
  it('needs a token with the permission of its name, and no rule', async () => {
    expect((await list()).status).toBe(401);
    expect((await list('mallory', ['eth_accounts', 'eth1_sign'])).status).toBe(403);
    expect(await list('mallory', ['eth1_publicKeys'])).toEqual({
      status: 200,
      text: JSON.stringify([PUBLIC_KEY]),
    });
  });
});
