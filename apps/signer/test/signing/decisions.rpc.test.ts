import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase } from '@tetrad/db';
import { verifyAuditChain } from '@tetrad/signer-transactions';
import { openSignerStore } from '@tetrad/signer-store';
import { startFakeNode, type FakeNode } from '../fake-node.js';
import { BASE, KA, KA_ADDRESS, PRIV, REFERENCE_CHAIN, without } from '../reference-keys.js';
import { startSigner, type RunningSigner } from '../running-signer.js';

const POLICY = `
[[rule]]
name = "payments"
methods = ["eth_sendTransaction", "eth_signTransaction"]
recipients = ["${BASE.to}"]
max-value = "0x9184e72a"

[[rule]]
name = "never reached"
`;

let node: FakeNode;
let folder: string;
let signer: RunningSigner & { readonly databaseUrl: string };
beforeAll(async () => {
  node = await startFakeNode();
  folder = await mkdtemp(join(tmpdir(), 'tetrad-policy-'));
  await writeFile(join(folder, 'policy.toml'), POLICY);
  signer = await startSigner({
    downstreamPort: node.port,
    chainId: REFERENCE_CHAIN,
    privateKey: KA,
    flags: ['--policy-file', join(folder, 'policy.toml')],
  });
});
afterAll(async () => {
  await signer.stop();
  await node.stop();
  await rm(folder, { recursive: true });
});

const refusedBy = (limit: string) => ({
  status: 200,
  error: { code: -32000, data: { reason: 'POLICY_REFUSED', rule: 'payments', limit } },
});

describe('a policy', () => {
  it.each([
    ['methods', 'eth_sign', [KA_ADDRESS, 'x']],
    ['methods', 'eea_sendTransaction', [PRIV]],
    ['recipients', 'eth_sendTransaction', [{ ...BASE, to: KA_ADDRESS }]],
    ['recipients', 'eth_signTransaction', [without(BASE, 'to')]],
    ['max-value', 'eth_sendTransaction', [{ ...BASE, value: '0x9184e72b' }]],
  ])('refuses by %s what %s asks for, and the client hears nothing of it', async (limit, method, params) => {
    expect(await signer.call(method, params)).toMatchObject(refusedBy(limit));
    expect(node.seen).toEqual([]);
  });

  it('lets through what it allows', async () => {
    expect((await signer.call('eth_signTransaction', [BASE])).result).toBeDefined();
    expect((await signer.call('eth_sendTransaction', [{ ...BASE, nonce: 1 }])).result).toBeDefined();
  });
});

describe('every decision', () => {
  it('is in the audit log, and the log is one chain', async () => {
    await signer.call('eth_sign', ['0xbeef', 'x']);
    const database = await connectDatabase({ url: signer.databaseUrl });
    const store = openSignerStore(database);
    const { rows } = await database.pool.query(
      'SELECT method, key, decision, reason, digest IS NOT NULL AS signed FROM audit_entry ORDER BY sequence',
    );
    const verdict = await verifyAuditChain(store.audit.rows(), await store.audit.head());
    await database.close();
    expect(rows).toEqual([
      ...[
        'eth_sign',
        'eea_sendTransaction',
        'eth_sendTransaction',
        'eth_signTransaction',
        'eth_sendTransaction',
      ].map((method) => ({
        method,
        key: KA_ADDRESS,
        decision: 'refused',
        reason: expect.stringMatching(/^POLICY_REFUSED (methods|recipients|max-value) payments$/),
        signed: false,
      })),
      ...['eth_signTransaction', 'eth_sendTransaction'].map((method) => ({
        method,
        key: KA_ADDRESS,
        decision: 'allowed',
        reason: 'payments',
        signed: true,
      })),
      {
        method: 'eth_sign',
        key: '0xbeef',
        decision: 'refused',
        reason: 'SIGNING_FROM_IS_NOT_AN_UNLOCKED_ACCOUNT',
        signed: false,
      },
    ]);
    expect(verdict).toMatchObject({ intact: true, entries: rows.length });
  });
});
