import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { PORTS_PER_NODE, freePorts, type Endpoints } from '@tetrad/devnet';
import { SHORT_BLOCK_PERIODS, findSoftHsm, until } from '@tetrad/testkit';
import { startUp, untilReady, type Up } from './up-process.js';

let folder: string;
let base: number;
const started: Up[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-hsm-signer-'));
  base = await freePorts(2 * PORTS_PER_NODE);
});
afterEach(async () => {
  for (const one of started.splice(0)) {
    one.child.kill('SIGTERM');
    await one.ended;
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const endpointsFile = () => join(folder, 'endpoints.json');

/** A network of one node with a signer. */
function up(...further: readonly string[]): Up {
  const options = ['--nodes', '1', '--services', 'node,signer', ...SHORT_BLOCK_PERIODS];
  const files = ['--data-dir', join(folder, 'data'), '--endpoints-file', endpointsFile()];
  const one = startUp([...options, '--port-base', String(base), ...files, ...further]);
  started.push(one);
  return one;
}

async function call(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  const answer = (await (await fetch(url, { method: 'POST', headers, body })).json()) as {
    readonly result?: unknown;
    readonly error?: { readonly message: string };
  };
  if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
  return answer.result;
}

/**
 * Sends through the signer.
 * @returns the transaction, once it is in a block
 */
async function send({
  signer,
  nodes,
}: Endpoints): Promise<{ readonly from: string; readonly nonce: string }> {
  const request = {
    from: signer?.address,
    to: signer?.address,
    gas: '0x5208',
    gasPrice: '0x0',
    value: '0x1',
  };
  const hash = await call(`${signer?.rpc}`, 'eth_sendTransaction', [request]);
  const url = `${nodes[0]?.rpc}`;
  await until(async () => (await call(url, 'eth_getTransactionReceipt', [hash])) !== null);
  return (await call(url, 'eth_getTransactionByHash', [hash])) as { from: string; nonce: string };
}

const withHsm = findSoftHsm() === undefined ? describe.skip : describe;
withHsm('./tetrad up --signer-key-source pkcs11', () => {
  it('starts a signer whose key is on a token and in no file, also when it is started again', async () => {
    const first = up('--signer-key-source', 'pkcs11');
    const endpoints = await untilReady(first, endpointsFile());
    expect(first.said()).toContain('the key of the signer is on the token tetrad of SoftHSM');
    const { address } = endpoints.signer ?? {};
    expect(await call(`${endpoints.signer?.rpc}`, 'eth_accounts', [])).toEqual([address]);
    expect(await send(endpoints)).toMatchObject({ from: address, nonce: '0x0' });
    expect(await readdir(join(folder, 'data/signer'))).toEqual(['hsm']);
    const pin = (await readFile(join(folder, 'data/signer/hsm/pin'), 'utf8')).trim();
    expect(await readFile(join(folder, 'data/signer.log'), 'utf8')).not.toContain(pin);
    first.child.kill('SIGTERM');
    await first.ended;
    const again = await untilReady(up('--signer-key-source', 'pkcs11'), endpointsFile());
    expect(again.signer?.address).toBe(address);
    expect(await send(again)).toMatchObject({ from: address, nonce: '0x1' });
  });

  it('stays what it is when the network is started without the option', async () => {
    const one = up();
    expect(await one.ended).not.toBe(0);
    expect(one.said()).toContain('has its key in a token (pkcs11); it stays there');
  });
});
