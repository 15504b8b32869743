import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase } from '@tetrad/testkit';
import { hexFromBytes } from '@tetrad/types';
import {
  createFolder,
  rawConfig,
  removeFolders,
  type KeyFolder,
} from '../../../../libs/signer/keys/test/key-folder.js';
import { SOME_HASH, obliging, startFakeNode, type FakeNode } from '../fake-node.js';
import { BASE, KA, KA_ADDRESS } from '../reference-keys.js';
import { launchSigner, type RunningSigner } from '../running-signer.js';

const NET_VERSION = '{"jsonrpc":"2.0","id":1,"method":"net_version"}';

let node: FakeNode;
let folder: KeyFolder;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let signer: RunningSigner | undefined;
beforeAll(async () => {
  node = await startFakeNode();
  folder = await createFolder();
  database = await createTestDatabase('signer');
  await folder.write('ka.yaml', rawConfig(hexFromBytes(KA)));
});
afterAll(async () => {
  await node.stop();
  await database.drop();
  await removeFolders();
});
beforeEach(() => node.behave(obliging));
afterEach(async () => {
  await signer?.stop();
  signer = undefined;
});

const start = async (words: readonly string[], variables: Readonly<Record<string, string>> = {}) =>
  (signer = await launchSigner(words, { ...variables, TETRAD_SIGNER_DATABASE_URL: database.url }));
const keyWords = () => ['--key-config-path', folder.path];
const command = () => ['eth1', '--chain-id', '9', '--downstream-http-port', String(node.port)];

async function accountsAreThere({ call }: RunningSigner): Promise<void> {
  while (((await call('eth_accounts')).result as unknown[]).length === 0);
}

describe('the command eth1', () => {
  it('starts a signer that signs and sends, and reports its health with the text of web3signer', async () => {
    const { path } = await createFolder();
    const started = await start([...keyWords(), '--data-path', path, ...command()]);
    await accountsAreThere(started);
    expect((await started.call('eth_accounts')).result).toEqual([KA_ADDRESS]);
    expect(await started.call('eth_sendTransaction', [BASE])).toMatchObject({
      status: 200,
      result: SOME_HASH,
    });
    expect(node.submitted()).toHaveLength(1);
    expect(await started.request({ method: 'GET', path: '/upcheck' })).toMatchObject({ text: 'OK' });
    const file = await readFile(join(path, 'web3signer.ports'), 'utf8');
    expect(file).toBe(`http-port=${new URL(started.url).port}\n`);
  });

  it('takes its options from the command line, else from variables, else from its file in YAML', async () => {
    const lines = [
      `key-config-path: ${folder.path}`,
      'http-cors-origins: all',
      'eth1.chain-id: 9',
      `eth1.downstream-http-port: ${node.port}`,
    ];
    const file = await (await createFolder()).write('web3signer.yaml', lines.join('\n'));
    const allowed = async (words: string[], variables: Record<string, string> = {}) => {
      const started = await start(['--config-file', file, ...words, 'eth1'], variables);
      const { status, headers } = await started.post(NET_VERSION, { origin: 'a.example' });
      await started.stop();
      return status === 403 ? 403 : headers['access-control-allow-origin'];
    };
    const variable = { WEB3SIGNER_HTTP_CORS_ORIGINS: 'a.example' };
    expect(await allowed([])).toBe('*');
    expect(await allowed([], variable)).toBe('a.example');
    expect(await allowed(['--http-cors-origins', 'none'], variable)).toBe(403);
  });

  it('takes any host with all, as with *', async () => {
    const names = ['--http-host-allowlist', 'all'];
    const { post } = await start([...keyWords(), ...names, ...command()]);
    expect((await post(NET_VERSION, { host: 'signer.example' })).status).toBe(200);
  });

  it.each([
    [['--http-host-allowlist', 'all,a'], "Values '*' or 'all' can't be used with other hostnames"],
    [['--http-host-allowlist', 'none,a'], "Value 'none' can't be used with other hostnames"],
    [['--config-file', '/nowhere.yaml'], 'Unable to read yaml configuration. File not found: /nowhere.yaml'],
    [
      ['--azure-vault-enabled=true'],
      'Missing required option(s): --azure-vault-name with --azure-vault-enabled',
    ],
    [
      ['--aws-secrets-enabled=true', '--aws-secrets-auth-mode', 'SPECIFIED'],
      'Missing required option(s): --aws-secrets-access-key-id with --aws-secrets-auth-mode SPECIFIED',
    ],
    [['--keystores-path', '/x'], '--keystores-password-file'],
  ])('with %j ends before anything listens', async (words, problem) => {
    await expect(start([...words, ...command()])).rejects.toThrow(problem);
  });

  it('needs a chain', async () => {
    await expect(start([...keyWords(), 'eth1'])).rejects.toThrow('Missing required option(s): --chain-id');
  });
});
