import { execFile, execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SHORT_BLOCK_PERIODS } from '@tetrad/testkit';
import { PORTS_PER_NODE, freePorts, parseNetworkOptions, startNetwork, type Network } from '../src/index.js';
import { newApp } from '../src/commands/new-app.js';

const root = join(import.meta.dirname, '../../..');
const TEMPLATE = join(root, 'libs/client/template');

let folder: string;
let application: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tetrad-new-app-'));
  application = join(folder, 'My Token');
  expect(await newApp([application])).toBe(0);
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Manifest {
  readonly name: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}
const manifest = () => JSON.parse(readFileSync(join(application, 'package.json'), 'utf8')) as Manifest;

/** What npm install does, with the packages of this repository: the client is unpacked from its file. */
function install(): void {
  const modules = join(application, 'node_modules');
  const client = join(modules, '@tetrad/client');
  mkdirSync(client, { recursive: true });
  const { dependencies } = manifest();
  const file = (dependencies['@tetrad/client'] ?? '').replace('file:', '');
  execFileSync('tar', ['-xzf', join(application, file), '-C', client, '--strip-components=1']);
  for (const name of ['viem', 'solc']) symlinkSync(join(root, 'node_modules', name), join(modules, name));
}

describe('an application that new-app writes', () => {
  let network: Network;
  beforeAll(async () => {
    install();
    network = await startNetwork(
      parseNetworkOptions([
        '--data-dir',
        join(folder, 'data'),
        '--services',
        'transaction-manager,node',
        ...SHORT_BLOCK_PERIODS,
        '--port-base',
        String(await freePorts(4 * PORTS_PER_NODE)),
      ]),
    );
    writeFileSync(join(application, 'endpoints.json'), JSON.stringify(network.endpoints));
  }, 900_000);
  afterAll(() => network?.stop());

  const run = (script: string) =>
    promisify(execFile)('npm', ['run', '--silent', script], {
      cwd: application,
      env: { ...process.env, NODE_OPTIONS: '' },
    });

  it('has every file of the template, a name for npm, and the versions that are tested here', () => {
    const files = readdirSync(application);
    for (const name of readdirSync(TEMPLATE)) expect(files).toContain(name);
    const { name, dependencies, devDependencies } = manifest();
    expect(name).toBe('my-token');
    for (const [dependency, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      if (dependency === '@tetrad/client') continue;
      const installed = readFileSync(join(root, 'node_modules', dependency, 'package.json'), 'utf8');
      expect(version).toBe((JSON.parse(installed) as { version: string }).version);
    }
  });

  it('shows a token to its parties, and not to a third member', async () => {
    const { stdout } = await run('start');
    expect(stdout.split('\n').slice(1)).toEqual([
      'Issuer: 975 PUSD',
      'Holder: 25 PUSD',
      'The third member does not have the contract.',
      '',
    ]);
  });

  it('has a test that passes, and that fails on a token which loses something', async () => {
    const { stdout } = await run('test');
    expect(stdout).toMatch(/^# pass 3$/m);
    const contract = join(application, 'contracts/PrivateToken.sol');
    const source = readFileSync(contract, 'utf8');
    writeFileSync(contract, source.replace('balanceOf[to] += value;', 'balanceOf[to] += value - 1;'));
    await expect(run('test')).rejects.toMatchObject({ stdout: expect.stringMatching(/^# fail 1$/m) });
    writeFileSync(contract, source);
  });
});

describe('what new-app refuses', () => {
  it.each([
    [[], 'FOLDER is required'],
    [['--help-me'], 'FOLDER is required'],
    [['a', 'b'], 'one folder is written'],
    [[tmpdir()], 'exists'],
  ])('is named: %j', async (args, message) => {
    await expect(newApp(args)).rejects.toThrow(message);
  });
});
