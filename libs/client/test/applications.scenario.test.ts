/**
 * web3.js writes a stack to `Function` with its errors, so that this file has a realm of its own.
 * @jest-environment node
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { compile } from '@tetrad/compilers';
import { PORTS_PER_NODE, freePorts, parseNetworkOptions, startNetwork, type Network } from '@tetrad/devnet';
import { newApp } from '@tetrad/devnet/commands/new-app';
import { SHORT_BLOCK_PERIODS } from '@tetrad/testkit';
import { packClient } from './packed-client.js';
import { PackageRegistry } from './package-registry.js';

const root = join(import.meta.dirname, '../../..');
const examples = join(import.meta.dirname, '../examples');
const TEMPLATE = join(import.meta.dirname, '../template');

/** The network of `./tetrad up`, which all applications here use. */
let folder: string;
let network: Network;
/** Where `npm install` finds what is not of this repository. */
let registry: PackageRegistry;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tetrad-applications-'));
  registry = await PackageRegistry.start(['viem', 'solc'], { root, folder });
  const base = await freePorts(4 * PORTS_PER_NODE);
  network = await startNetwork(
    parseNetworkOptions([
      '--data-dir',
      join(folder, 'data'),
      '--services',
      'transaction-manager,node',
      ...SHORT_BLOCK_PERIODS,
      '--port-base',
      String(base),
    ]),
  );
}, 900_000);
afterAll(async () => {
  await network?.stop();
  await registry?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a program in the folder of an application. */
const runIn = (application: string, program: string, words: readonly string[]) =>
  promisify(execFile)(program, words, {
    cwd: application,
    env: { ...process.env, NODE_OPTIONS: '' },
  });

const writeEndpoints = (application: string) =>
  writeFileSync(join(application, 'endpoints.json'), JSON.stringify(network.endpoints));

describe('the examples of the client', () => {
  const SOURCE = `
pragma solidity ^0.8.0;
contract Storage {
  error TooLarge(uint256 limit);
  event Set(uint256 value);
  uint256 public value;
  constructor(uint256 first) { value = first; }
  function set(uint256 next) external {
    if (next > 1000) revert TooLarge(1000);
    value = next;
    emit Set(next);
  }
}`;

  /** What each example prints. */
  const PRINTED: Readonly<Record<string, string>> = {
    '01-private-contract': '42n\n42n\nno contract\n',
    '02-write': 'success true\n',
    '03-local-key': 'true\n',
    '04-revert': 'reverted TooLarge 1000n\n',
    '05-protection': 'stateValidation\n',
    '06-outsider': expect.stringMatching(/^\d+ bytes\nnot a party\n$/) as unknown as string,
    '07-events': '[ 1n, 2n ]\n',
    '08-extension': '42n\n',
    '09-validators': '4 true 0\n',
    '10-errors': 'UNKNOWN_ACCOUNT\n',
    '11-from-web3js-quorum': '42n\nmandatoryParties\n47n true\n47n\nno contract\n',
  };

  /** An empty folder, and what its user installs: the packed client, which brings viem. */
  let application: string;
  beforeAll(async () => {
    application = join(folder, 'application');
    mkdirSync(application);
    const file = await packClient(mkdtempSync(join(folder, 'packed-')));
    writeFileSync(join(application, 'package.json'), '{ "type": "module" }');
    await registry.npm(application, 'install', file);
    cpSync(examples, application, { recursive: true });
    writeEndpoints(application);
    const { bytecode } = compile({ 'Storage.sol': { content: SOURCE } }, 'istanbul').get('Storage') ?? {};
    writeFileSync(join(application, 'Storage.bin'), String(bytecode));
  });

  it('are installed with the client and what it needs, and nothing else', () => {
    const modules = join(application, 'node_modules');
    expect(readdirSync(join(modules, '@tetrad'))).toEqual(['client']);
    expect(readdirSync(modules)).toEqual(expect.arrayContaining(['viem', 'ox']));
    expect(readdirSync(modules)).not.toContain('ethers');
  });

  it('are all run', () => {
    const names = readdirSync(examples).filter((name) => /^\d/.test(name));
    expect(names.map((name) => name.replace('.mjs', '')).sort()).toEqual(Object.keys(PRINTED));
  });

  it.each(Object.entries(PRINTED))('%s prints what its reader expects', async (name, printed) => {
    const { stdout } = await runIn(application, process.execPath, [`${name}.mjs`]);
    expect(stdout).toEqual(printed);
  });
});

interface Manifest {
  readonly name: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

describe('an application that new-app writes', () => {
  let application: string;
  beforeAll(async () => {
    application = join(folder, 'My Token');
    expect(await newApp([application])).toBe(0);
    await registry.npm(application, 'install');
    writeEndpoints(application);
  });

  const manifest = () => JSON.parse(readFileSync(join(application, 'package.json'), 'utf8')) as Manifest;
  const run = (script: string) => runIn(application, 'npm', ['run', '--silent', script]);

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
    expect(stdout).toMatch(/^(#|ℹ) pass 3$/m);
    const contract = join(application, 'contracts/PrivateToken.sol');
    const source = readFileSync(contract, 'utf8');
    writeFileSync(contract, source.replace('balanceOf[to] += value;', 'balanceOf[to] += value - 1;'));
    await expect(run('test')).rejects.toMatchObject({ stdout: expect.stringMatching(/^(#|ℹ) fail 1$/m) });
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
