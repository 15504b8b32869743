import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AwsKms } from '@tetrad/remote-keys';
import { createTestDatabase, findMoto, startMoto, until, type Moto } from '@tetrad/testkit';
import { verifyMessage } from 'ethers/hash';
import { Transaction } from 'ethers/transaction';
import { createFolder, removeFolders } from '../../../../libs/signer/keys/test/key-folder.js';
import { startFakeNode, type FakeNode } from '../fake-node.js';
import { launchSigner, startSigner, type RunningSigner } from '../running-signer.js';

const python = findMoto();
const withMoto = python === undefined ? describe.skip : describe;
const SECRET = 'not-to-be-shown';

let moto: Moto;
let node: FakeNode;
let keyId: string;
let signer: RunningSigner | undefined;

beforeAll(async () => {
  if (python === undefined) return;
  [moto, node] = await Promise.all([startMoto(python), startFakeNode()]);
  const credentials = { accessKeyId: 'AKIA0', secretAccessKey: SECRET };
  const kms = new AwsKms({ region: 'eu-west-1', endpoint: moto.url, credentials, timeoutMs: 60_000 });
  keyId = await kms.generate('desk', new AbortController().signal);
  kms.close();
});
afterEach(async () => {
  await signer?.stop();
  await removeFolders();
});
afterAll(async () => {
  await moto?.stop();
  await node?.stop();
});

/** As web3signer's documentation shows it. */
const configOf = (endpoint: string) => `
type: aws-kms
authenticationMode: SPECIFIED
region: eu-west-1
accessKeyId: AKIA0
secretAccessKey: ${SECRET}
kmsKeyId: ${keyId}
endpointOverride: ${endpoint}
`;

async function start(endpoint: string): Promise<RunningSigner> {
  const folder = await createFolder();
  await folder.write('kms.yaml', configOf(endpoint));
  const keyFlags = ['--key-config-path', folder.path];
  signer = await startSigner({ downstreamPort: node.port, chainId: 9, keyFlags });
  return signer;
}

withMoto('a signer whose key is in AWS KMS', () => {
  it('reads a file of web3signer, signs and sends', async () => {
    const running = await start(moto.url);
    await until(async () => ((await running.call('eth_accounts')).result as string[]).length === 1);
    const [account] = (await running.call('eth_accounts')).result as [string];
    const { result } = await running.call('eth_sign', [account, 'signed elsewhere']);
    expect(verifyMessage('signed elsewhere', result as string).toLowerCase()).toBe(account);
    const transaction = { from: account, to: account, gas: '0x5208', gasPrice: '0x0' };
    await Promise.all(Array.from({ length: 5 }, () => running.call('eth_sendTransaction', [transaction])));
    const sent = node.submitted().map((raw) => Transaction.from(raw as string));
    expect(sent.map(({ nonce }) => nonce).sort()).toEqual([1, 2, 3, 4, 5]);
    expect(sent.every(({ from }) => from?.toLowerCase() === account)).toBe(true);
  });

  it('starts while the service is away, and names the key without its credentials', async () => {
    const running = await start('http://127.0.0.1:9');
    await until(async () => JSON.stringify(running.complaints).includes('key not loaded'));
    const response = await fetch(`${running.opsUrl}/readyz`);
    const said = `${await response.text()}${JSON.stringify(running.complaints)}`;
    expect(said).toContain(`AWS KMS http://127.0.0.1:9, key ${keyId}: no answer in`);
    expect(said).not.toContain(SECRET);
  });

  it('loads all keys of the region, as web3signer with its options', async () => {
    const folder = await createFolder();
    const database = await createTestDatabase('signer');
    try {
      signer = await launchSigner(
        [
          'eth1',
          '--chain-id',
          '9',
          '--downstream-http-port',
          String(node.port),
          '--http-listen-port',
          '0',
          '--aws-kms-enabled=true',
          '--aws-kms-auth-mode',
          'SPECIFIED',
          '--aws-kms-access-key-id',
          'AKIA0',
          '--aws-kms-region',
          'eu-west-1',
          '--aws-kms-secret-access-key-file',
          await folder.write('secret', `${SECRET}\n`),
          '--aws-endpoint-override',
          moto.url,
          '--aws-connection-cache-size=2',
        ],
        { TETRAD_SIGNER_DATABASE_URL: database.url },
      );
      const running = signer;
      await until(async () => ((await running.call('eth_accounts')).result as string[]).length === 1);
      const [account] = (await running.call('eth_accounts')).result as [string];
      const { result } = await running.call('eth_sign', [account, 'signed elsewhere']);
      expect(verifyMessage('signed elsewhere', result as string).toLowerCase()).toBe(account);
      const health = await running.request({ method: 'GET', path: '/healthcheck' });
      expect(JSON.parse(health.text)).toMatchObject({
        status: 'UP',
        checks: expect.arrayContaining([
          { id: 'keys-check/aws-bulk-loading', status: 'UP', data: { 'keys-loaded': 1, 'error-count': 0 } },
        ]),
      });
    } finally {
      await signer?.stop();
      signer = undefined;
      await database.drop();
    }
  });
});
