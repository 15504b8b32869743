import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { REFERENCE, useFakeNode } from '../fake-setup.js';
import { BASE, KA_ADDRESS } from '../reference-keys.js';

const folder = mkdtempSync(join(tmpdir(), 'tetrad-metrics-'));
afterAll(() => rmSync(folder, { recursive: true }));
const enabled = ['--metrics-enabled', '--metrics-port', '0', '--data-path'];

async function scrape(dataPath: string, path = '/metrics'): Promise<Response> {
  const ports = await readFile(join(dataPath, 'ethsigner.ports'), 'utf8');
  const [, port] = /metrics-port=(\d+)/.exec(ports) ?? [];
  return fetch(`http://127.0.0.1:${port}${path}`);
}

describe('the port of metrics', () => {
  const fake = useFakeNode({ ...REFERENCE, flags: [...enabled, folder] });

  it('counts calls, signatures, keys, and what went wrong, under the names of web3signer', async () => {
    const { signer } = fake;
    await signer.call('eth_accounts');
    await signer.call('eth_sign', [KA_ADDRESS, 'x']);
    await signer.call('eth_sendTransaction', [BASE]);
    await signer.call('eth_sign', [`0x${'22'.repeat(20)}`, 'x']);
    await signer.post('{"id":1');
    const text = await (await scrape(folder)).text();
    for (const line of [
      'signer_rpc_calls_total{method="eth_accounts"} 1',
      'signing_secp256k1_signing_duration_count 2',
      'signing_secp256k1_missing_identifier_count_total 1',
      'signing_signers_loaded_count 1',
      'http_secp256k1_malformed_request_count_total 1',
      'signer_downstream_reachable 1',
      'signer_nonces{state="accepted"} 1',
      'signer_nonce_waiting_sends 0',
      'tetrad_database_available 1',
    ]) {
      expect(text).toContain(`${line}\n`);
    }
    expect(text).toMatch(/^signing_secp256k1_signing_duration_sum 0\.\d+/m);
  });

  it('has nothing else', async () => {
    expect((await scrape(folder, '/')).status).toBe(404);
  });
});

describe('the port of metrics with one kind of them', () => {
  const chosen = mkdtempSync(join(tmpdir(), 'tetrad-metrics-'));
  afterAll(() => rmSync(chosen, { recursive: true }));
  useFakeNode({ ...REFERENCE, flags: [...enabled, chosen, '--metrics-category', 'SIGNING'] });

  it('shows no other', async () => {
    const names = (await (await scrape(chosen)).text())
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(name).toMatch(/^sign/);
  });
});
