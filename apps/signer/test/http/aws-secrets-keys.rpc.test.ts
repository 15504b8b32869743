import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  SecretsManagerClient,
  UpdateSecretCommand,
} from '@aws-sdk/client-secrets-manager';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey } from '@tetrad/crypto';
import { findMoto, startMoto, until, type Moto } from '@tetrad/testkit';
import { verifyMessage } from 'ethers/hash';
import { createFolder, removeFolders } from '../../../../libs/signer/keys/test/key-folder.js';
import { startFakeNode, type FakeNode } from '../fake-node.js';
import { startSigner, type RunningSigner } from '../running-signer.js';

const python = findMoto();
const withMoto = python === undefined ? describe.skip : describe;
const SECRET = 'not-to-be-shown';
const KEYS = [1, 2, 3, 4].map((byte) => Buffer.alloc(32, byte));
const [one, two, three, four] = KEYS.map((key) => key.toString('hex')) as [string, string, string, string];
const ADDRESSES = KEYS.map((key) => addressFromPrivateKey(key));
const PERSONAL = 'signed with a key of a secret';

let moto: Moto;
let node: FakeNode;
let aws: SecretsManagerClient;
let signer: RunningSigner | undefined;
let server: Server | undefined;

beforeAll(async () => {
  node = await startFakeNode();
  if (python === undefined) return;
  moto = await startMoto(python);
  const credentials = { accessKeyId: 'AKIA0', secretAccessKey: SECRET };
  aws = new SecretsManagerClient({ region: 'eu-west-1', endpoint: moto.url, credentials });
  const tags = [{ Key: 'desk', Value: 'fx' }];
  await aws.send(new CreateSecretCommand({ Name: 'eth/one', SecretString: `0x${one}`, Tags: tags }));
  await aws.send(new CreateSecretCommand({ Name: 'eth/two', SecretString: `${two}\n${three}\n` }));
  await aws.send(new CreateSecretCommand({ Name: 'eth/bad', SecretString: 'no key but a word' }));
  await aws.send(new CreateSecretCommand({ Name: 'other', SecretString: four, Tags: tags }));
});
afterEach(async () => {
  await signer?.stop();
  signer = undefined;
  server?.closeAllConnections();
  server?.close();
  server = undefined;
  await removeFolders();
});
afterAll(async () => {
  aws?.destroy();
  await moto?.stop();
  await node.stop();
});

async function start(endpoint: string, flags: readonly string[] = []): Promise<RunningSigner> {
  const folder = await createFolder();
  const keyFlags = [
    '--aws-secrets-enabled',
    '--aws-secrets-region',
    'eu-west-1',
    '--aws-secrets-access-key-id',
    'AKIA0',
    '--aws-secrets-secret-access-key-file',
    await folder.write('secret', `${SECRET}\n`),
    '--aws-endpoint-override',
    endpoint,
    ...flags,
  ];
  signer = await startSigner({ downstreamPort: node.port, chainId: 9, keyFlags });
  return signer;
}
const accounts = async (running: RunningSigner) => (await running.call('eth_accounts')).result as string[];
/** Everything that it says to an operator. */
const said = async (running: RunningSigner) =>
  `${await (await fetch(`${running.opsUrl}/readyz`)).text()}${JSON.stringify(running.complaints)}`;
const expectNoSecret = (text: string) => {
  for (const secret of [SECRET, ...KEYS.map((key) => key.toString('hex')), 'no key but'])
    expect(text).not.toContain(secret);
};

withMoto('a signer with keys in AWS Secrets Manager', () => {
  it('loads those whose names begin as asked, a line each, signs, and names what is no key', async () => {
    const running = await start(moto.url, ['--aws-secrets-prefixes-filter', 'eth/']);
    await until(async () => (await accounts(running)).length === 3);
    expect([...(await accounts(running))].sort()).toEqual(ADDRESSES.slice(0, 3).sort());
    const { result } = await running.call('eth_sign', [ADDRESSES[2], PERSONAL]);
    expect(verifyMessage(PERSONAL, result as string).toLowerCase()).toBe(ADDRESSES[2]);
    const text = await said(running);
    expect(text).toMatch(/secret eth\/bad.{1,20}the secret: not a secp256k1 private key in 64 hex digits/);
    expectNoSecret(text);
  });

  it('loads those alone that have the tags and the prefix', async () => {
    const tags = ['--aws-secrets-tag-names-filter', 'desk', '--aws-secrets-tag-values-filter', 'fx'];
    const running = await start(moto.url, [...tags, '--aws-secrets-prefixes-filter', 'oth']);
    await until(async () => (await accounts(running)).length === 1);
    expect(await accounts(running)).toEqual([ADDRESSES[3]]);
  });

  it('takes a rotated secret and drops a deleted one at a reload', async () => {
    const [old, next] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];
    await aws.send(new CreateSecretCommand({ Name: 'turn/a', SecretString: old.toString('hex') }));
    const running = await start(moto.url, ['--aws-secrets-prefixes-filter', 'turn/']);
    await until(async () => (await accounts(running)).includes(addressFromPrivateKey(old)));
    await aws.send(new UpdateSecretCommand({ SecretId: 'turn/a', SecretString: next.toString('hex') }));
    await running.request({ method: 'POST', path: '/reload' });
    await until(async () => (await accounts(running)).join() === addressFromPrivateKey(next));
    await aws.send(new DeleteSecretCommand({ SecretId: 'turn/a', ForceDeleteWithoutRecovery: true }));
    await running.request({ method: 'POST', path: '/reload' });
    await until(async () => (await accounts(running)).length === 0);
  });

  it('reads a document of web3signer for one secret', async () => {
    const folder = await createFolder();
    await folder.write(
      'one.yaml',
      [
        'type: aws-secret',
        'keyType: SECP256K1',
        'authenticationMode: SPECIFIED',
        'region: eu-west-1',
        'accessKeyId: AKIA0',
        `secretAccessKey: ${SECRET}`,
        'secretName: eth/one',
        `endpointOverride: ${moto.url}`,
        '---',
        'type: aws-secret',
        'keyType: SECP256K1',
        'region: eu-west-1',
        'accessKeyId: AKIA0',
        `secretAccessKey: ${SECRET}`,
        'secretName: eth/none',
        `endpointOverride: ${moto.url}`,
      ].join('\n'),
    );
    const keyFlags = ['--key-config-path', folder.path];
    signer = await startSigner({ downstreamPort: node.port, chainId: 9, keyFlags });
    const running = signer;
    await until(async () => (await accounts(running)).length === 1);
    await until(async () => (await said(running)).includes('secret eth/none: ResourceNotFoundException'));
    expectNoSecret(await said(running));
  });
});

/** A service that answers each request alike. */
async function serve(status: number, body: string): Promise<string> {
  const made = createServer((_, response) => {
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(body);
  });
  server = made;
  await new Promise<void>((done) => made.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(made.address() as AddressInfo).port}`;
}

describe('a signer whose AWS Secrets Manager fails', () => {
  const error = (type: string) => JSON.stringify({ __type: type, message: `${SECRET} is in here` });

  it.each([
    [
      'denies',
      400,
      error('AccessDeniedException'),
      /AccessDeniedException; secretsmanager:ListSecrets is needed/,
    ],
    ['throttles', 400, error('ThrottlingException'), /ThrottlingException/],
    ['has credentials that expired', 400, error('ExpiredTokenException'), /ExpiredTokenException/],
    ['answers with no JSON', 200, `<${SECRET}>`, /Secrets Manager http[^ ]+: SyntaxError/],
    ['fails inside', 500, '{}', /HTTP 500/],
  ])('starts when it %s, says so, and repeats nothing of the answer', async (_, status, body, problem) => {
    const running = await start(await serve(status, body));
    await until(async () => problem.test(await said(running)));
    expectNoSecret(await said(running));
    expect(await accounts(running)).toEqual([]);
  });

  it('starts when it cannot be reached', async () => {
    const running = await start('http://127.0.0.1:9');
    await until(async () =>
      /Secrets Manager http:\/\/127\.0\.0\.1:9: ECONNREFUSED/.test(await said(running)),
    );
  });
});
