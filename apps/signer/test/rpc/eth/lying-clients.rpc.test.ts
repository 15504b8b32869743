import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { Transaction } from 'ethers/transaction';
import { SOME_HASH, errorOf, obliging, resultOf, type FakeBehaviour } from '../../fake-node.js';
import { REFERENCE, useFakeNode } from '../../fake-setup.js';
import { BASE, KA_ADDRESS, without } from '../../reference-keys.js';
import { startSigner, type RunningSigner } from '../../running-signer.js';

const fake = useFakeNode();
const PAYMENT = without(BASE, 'nonce');
const distinct = () => new Set(fake.node.submitted()).size;

/** Counts as given, and obliges otherwise. */
const counting =
  (count: () => string): FakeBehaviour =>
  (request, response) =>
    request.rpc.method === 'eth_getTransactionCount'
      ? resultOf(request, count())
      : obliging(request, response);

describe('a client that refuses every nonce as used', () => {
  let folder: string;
  let limited: RunningSigner;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tetrad-rate-'));
    await writeFile(join(folder, 'policy.toml'), '[[rule]]\nname = "few"\nrate-per-minute = 2\n');
    const flags = ['--policy-file', join(folder, 'policy.toml')];
    limited = await startSigner({ downstreamPort: fake.node.port, ...REFERENCE, flags });
  });
  afterAll(async () => {
    await limited.stop();
    await rm(folder, { recursive: true });
  });

  it('gets no more signed payments than the rule allows, each of which counts', async () => {
    let count = 1;
    fake.node.behave((request, response) => {
      if (request.rpc.method === 'eth_sendRawTransaction')
        return errorOf(request, -32000, 'replacement transaction underpriced');
      return counting(() => `0x${(count++).toString(16)}`)(request, response);
    });
    const answer = await limited.call('eth_sendTransaction', [PAYMENT]);
    expect(answer.error?.data).toMatchObject({ reason: 'POLICY_RATE_EXCEEDED', rule: 'few' });
    // A minute may end in between, once.
    expect(distinct()).toBeGreaterThanOrEqual(2);
    expect(distinct()).toBeLessThanOrEqual(4);
  });

  it('gets one signed payment when its count stands still', async () => {
    const fresh = await startSigner({ downstreamPort: fake.node.port, ...REFERENCE });
    await fresh.call('eth_sendTransaction', [PAYMENT]);
    await fresh.call('eth_sendTransaction', [PAYMENT]);
    fake.node.behave((request, response) =>
      request.rpc.method === 'eth_sendRawTransaction'
        ? errorOf(request, -32000, 'replacement transaction underpriced')
        : counting(() => '0x1')(request, response),
    );
    expect(await fresh.call('eth_sendTransaction', [PAYMENT])).toMatchObject({
      status: 400,
      error: { code: -32603 },
    });
    await fresh.stop();
    expect(distinct()).toBe(1);
  });
});

describe('a client that counts wrong', () => {
  it('beyond what a nonce can be is not believed', async () => {
    const count = `0x${(2n ** 64n - 1n).toString(16)}`;
    fake.node.behave(counting(() => count));
    const refused = await fake.signer.call('eth_sendTransaction', [PAYMENT]);
    expect(refused).toMatchObject({ status: 500, error: { code: -32603 } });
    expect(fake.node.submitted()).toEqual([]);
  });

  it('far ahead has the send wait, with the reason in /readyz and a metric, until it counts right', async () => {
    const fresh = await startSigner({ downstreamPort: fake.node.port, ...REFERENCE });
    await fresh.call('eth_sendTransaction', [PAYMENT]);
    let count = '0x1000';
    fake.node.behave(counting(() => count));
    // Asked at once otherwise, as long as the last send is recent.
    const held = fresh.call('eth_sendTransaction', [PAYMENT]);
    const readiness = async () =>
      (await (await fetch(`${fresh.opsUrl}/readyz`)).json()) as { warnings?: Record<string, string> };
    await until(async () => (await readiness()).warnings?.['nonces'] !== undefined);
    expect((await readiness()).warnings?.['nonces']).toBe(
      `${KA_ADDRESS}: the client counts more transactions than the signer can explain (4096); its transactions are held back`,
    );
    const metrics = await (await fetch(`${fresh.opsUrl}/metrics`)).text();
    expect(metrics).toContain('signer_nonce_doubted_sequences{reason="jump"} 1');
    count = '0x2';
    expect(await held).toMatchObject({ result: SOME_HASH });
    await fresh.stop();
    expect(fake.node.submitted().map((raw) => Transaction.from(raw as string).nonce)).toEqual([2]);
  });
});
