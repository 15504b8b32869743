import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { makeNodeFiles, passwordFileOf } from '../../network/node-files.js';
import { logsBelow } from './network-output.js';
import { passwordsInUrls, secretsInFolder } from './network-secrets.js';

const MANAGER_KEY = Buffer.alloc(32, 0x4d);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-secrets-'));
  await writeFile(passwordFileOf(folder), 'of all the keys\n');
  await mkdir(join(folder, 'raft/node0'), { recursive: true });
  await writeFile(passwordFileOf(join(folder, 'raft')), 'of another network\n');
  await mkdir(join(folder, 'permissioned/node0'), { recursive: true });
  await writeFile(passwordFileOf(join(folder, 'permissioned')), 'of a third one\n');
  for (const one of [folder, join(folder, 'raft'), join(folder, 'permissioned')]) await makeNodeFiles(one, 0);
  const unlocked = { type: 'unlocked', data: { bytes: MANAGER_KEY.toString('base64') } };
  await writeFile(join(folder, 'node0/manager.key'), JSON.stringify(unlocked));
  await mkdir(join(folder, 'postgres'));
  await writeFile(join(folder, 'postgres/password'), 'of the server');
  await writeFile(join(folder, 'postgres/postgres.log'), 'ready');
  await writeFile(join(folder, 'node0.log'), 'started');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('finds the keys and passwords in the folders of a network and of those below it', async () => {
  const secrets = new Map(
    (await secretsInFolder(folder)).map(({ name, bytes }) => [name, Buffer.from(bytes)]),
  );
  expect([...secrets.keys()].filter((name) => !name.startsWith('key of 0x')).sort()).toEqual([
    'node0/keystore/account-0',
    'node0/manager.key',
    'node0/nodekey',
    'password',
    'permissioned/node0/keystore/account-0',
    'permissioned/node0/nodekey',
    'permissioned/password',
    'raft/node0/keystore/account-0',
    'raft/node0/nodekey',
    'raft/password',
  ]);
  expect(secrets.get('node0/manager.key')).toEqual(MANAGER_KEY);
  expect(secrets.get('password')?.toString()).toBe('of all the keys');
  const nodeKey = (await readFile(join(folder, 'raft/node0/nodekey'), 'utf8')).trim();
  expect(secrets.get('raft/node0/nodekey')?.toString('hex')).toBe(nodeKey);
  expect(secrets.get('node0/keystore/account-0')).toHaveLength(32);
});

it('finds the passwords in URLs, decoded', () => {
  const values = {
    DATABASE_URL: 'postgresql://me:p%40ss@host/db',
    PATH: '/bin',
    OTHER: 'postgresql://host/db',
  };
  expect(passwordsInUrls(values)).toEqual([{ name: 'password in DATABASE_URL', bytes: Buffer.from('p@ss') }]);
});

it('finds the logs of services and servers', async () => {
  const logs = await logsBelow(folder);
  expect(logs.map(({ name, content }) => [name.slice(folder.length + 1), content.toString()]).sort()).toEqual(
    [
      ['node0.log', 'started'],
      ['postgres/postgres.log', 'ready'],
    ],
  );
});
