import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey } from '@tetrad/crypto';
import { startGcpKmsServer, until, type GcpKmsServer } from '@tetrad/testkit';
import { verifyMessage } from 'ethers/hash';
import { Transaction } from 'ethers/transaction';
import { createFolder, removeFolders } from '../../../../libs/signer/keys/test/key-folder.js';
import { startFakeNode, type FakeNode } from '../fake-node.js';
import { startSigner, type RunningSigner } from '../running-signer.js';

const KEY = new Uint8Array(32).fill(5);
const ACCOUNT = addressFromPrivateKey(KEY);
const VERSION = 'projects/bank/locations/europe-west3/keyRings/desks/cryptoKeys/desk/cryptoKeyVersions/1';

let kms: GcpKmsServer;
let node: FakeNode;
let signer: RunningSigner | undefined;
beforeEach(async () => {
  [kms, node] = await Promise.all([startGcpKmsServer(), startFakeNode()]);
  kms.addKey(VERSION, KEY);
});
afterEach(async () => {
  await signer?.stop();
  signer = undefined;
  await Promise.all([kms.stop(), node.stop(), removeFolders()]);
});

async function start(): Promise<RunningSigner> {
  const folder = await createFolder();
  await folder.write('account.json', kms.accountFile);
  await folder.write(
    `${ACCOUNT.slice(2)}.toml`,
    `[signing]\ntype = "gcp-kms-signer"\nkey-version = "${VERSION}"\ncredentials-file = "account.json"\nendpoint = "${kms.url}"\n`,
  );
  const keyFlags = ['--multikey-signer-directory', folder.path];
  signer = await startSigner({ downstreamPort: node.port, chainId: 9, keyFlags });
  return signer;
}
/** A folder with a document of YAML in place of a signer file. */
async function startWithYaml(members: string): Promise<RunningSigner> {
  const folder = await createFolder();
  await folder.write('account.json', kms.accountFile);
  await folder.write(
    'desk.yaml',
    `type: gcp-kms\ncredentialsFile: account.json\nendpointOverride: ${kms.url}\n${members}`,
  );
  const keyFlags = ['--key-config-path', folder.path];
  signer = await startSigner({ downstreamPort: node.port, chainId: 9, keyFlags });
  return signer;
}
const send = (running: RunningSigner) =>
  running.call('eth_sendTransaction', [{ from: ACCOUNT, to: ACCOUNT, gas: '0x5208', gasPrice: '0x0' }]);
const nonces = () => node.submitted().map((raw) => Transaction.from(raw as string).nonce);

describe('a signer whose key is in Google Cloud KMS', () => {
  it('signs, refuses with 503 while the service denies, and uses the nonce when it signs again', async () => {
    const running = await start();
    await until(async () => ((await running.call('eth_accounts')).result as string[]).length === 1);
    const { result } = await running.call('eth_sign', [ACCOUNT, 'signed elsewhere']);
    expect(verifyMessage('signed elsewhere', result as string).toLowerCase()).toBe(ACCOUNT);
    await Promise.all([send(running), send(running)]);
    kms.setFault((line) => (line.endsWith(':asymmetricSign') ? { status: 403 } : undefined));
    expect(await send(running)).toMatchObject({
      status: 503,
      error: { data: { reason: 'KEY_UNAVAILABLE', account: ACCOUNT } },
    });
    const readiness = await (await fetch(`${running.opsUrl}/readyz`)).text();
    expect(readiness).toContain(`key ${VERSION}: HTTP 403`);
    expect(`${readiness}${JSON.stringify(running.complaints)}`).not.toContain('PRIVATE KEY');
    kms.setFault(undefined);
    await until(async () => (await send(running)).error === undefined);
    expect(nonces().sort()).toEqual([1, 2, 3]);
  });

  it('takes a document of YAML, and names the line of one that is wrong', async () => {
    const running = await startWithYaml(
      `keyVersion: ${VERSION}\n---\ntype: gcp-kms\nkeyVersion: ${VERSION.replace('/1', '/latest')}\n`,
    );
    await until(async () => ((await running.call('eth_accounts')).result as string[]).length === 1);
    await send(running);
    expect(nonces()).toEqual([1]);
    expect(JSON.stringify(running.complaints)).toMatch(
      /keyVersion: must be projects\/[^"]*NUMBER \(line 7\)/,
    );
  });

  it('never sends a transaction with the signature of another key, and the nonce is used by the next', async () => {
    const running = await startWithYaml(`keyVersion: ${VERSION}\n`);
    await until(async () => ((await running.call('eth_accounts')).result as string[]).length === 1);
    kms.addKey(VERSION, new Uint8Array(32).fill(6));
    expect(await send(running)).toMatchObject({
      status: 503,
      error: { data: { reason: 'KEY_UNAVAILABLE' } },
    });
    expect(nonces()).toEqual([]);
    kms.addKey(VERSION, KEY);
    await until(async () => (await send(running)).error === undefined);
    expect(nonces()).toEqual([1]);
  });
});
