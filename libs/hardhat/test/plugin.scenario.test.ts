import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { layOutClientPackage, layOutHardhatPackage } from '@tetrad/bundle';
import { compile } from '@tetrad/compilers';
import { privateKeyToAccount } from 'viem/accounts';
import {
  RECORDED_KEYS,
  recordedAccounts,
  startPrivacyNetwork,
  type PrivacyNetwork,
} from '../../../apps/node/test/privacy-network.js';

const root = join(import.meta.dirname, '../../..');
/** Hardhat, and the Node.js that it needs (.ci/install-hardhat). */
const INSTALLED = resolve(root, process.env['TETRAD_HARDHAT_DIR'] ?? '.tetrad/hardhat');
const NODE = join(INSTALLED, 'node');
const isSkipped = !existsSync(NODE);
if (isSkipped) process.stderr.write('SKIPPED: the plugin of Hardhat: Hardhat is not installed\n');

const SOURCE = `
pragma solidity ^0.8.0;
contract Storage {
  error TooLarge(uint256 limit);
  address public immutable owner;
  uint256 public value;
  constructor(uint256 first) { value = first; owner = msg.sender; }
  function set(uint256 next) external {
    if (next > 1000) revert TooLarge(1000);
    value = next;
  }
}`;
const KEY = `0x${'63'.repeat(32)}` as const;
const [, PARTY] = RECORDED_KEYS.map(({ publicKey }) => publicKey as string) as [string, string];

/** What scripts of the application begin with. */
const BEGINNING = `
import hre from 'hardhat';
const text = async (asked: Promise<unknown>): Promise<string> => {
  try { return String(await asked); } catch (error) { return (error as Error).message.split('\\n').join(' '); }
};
const privateFor = ['${PARTY}'];
`;

(isSkipped ? describe.skip : describe)('the plugin of Hardhat', () => {
  let folder: string;
  let network: PrivacyNetwork;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tetrad-hardhat-'));
    network = await startPrivacyNetwork({ keys: RECORDED_KEYS, accounts: recordedAccounts(3) });
    await install();
    writeConfiguration(network.nodes.map(({ url }) => url));
    writeArtifact();
  });
  afterAll(async () => {
    await network?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The packages of the client and the plugin, as npm publishes them, beside Hardhat and viem. */
  async function install(): Promise<void> {
    const modules = join(folder, 'node_modules');
    mkdirSync(join(modules, '@tetrad'), { recursive: true });
    await layOutClientPackage(join(modules, '@tetrad/client'));
    await layOutHardhatPackage(join(modules, '@tetrad/hardhat'));
    symlinkSync(join(INSTALLED, 'node_modules/hardhat'), join(modules, 'hardhat'));
    symlinkSync(join(root, 'node_modules/viem'), join(modules, 'viem'));
    mkdirSync(join(modules, '@types'));
    symlinkSync(join(root, 'node_modules/@types/node'), join(modules, '@types/node'));
    writeFileSync(join(folder, 'package.json'), '{ "name": "application", "type": "module" }');
  }

  function writeConfiguration([first, second, third]: readonly string[]): void {
    writeFileSync(
      join(folder, 'hardhat.config.ts'),
      `import tetrad from '@tetrad/hardhat';
       import { defineConfig } from 'hardhat/config';
       export default defineConfig({
         plugins: [tetrad],
         networks: {
           first: { type: 'http', url: '${first}' },
           second: { type: 'http', url: '${second}' },
           third: { type: 'http', url: '${third}' },
           keyed: { type: 'http', url: '${first}', accounts: ['${KEY}'] },
         },
       });`,
    );
  }

  /** As Hardhat writes one when it has compiled. */
  function writeArtifact(): void {
    const { abi, bytecode } =
      compile({ 'Storage.sol': { content: SOURCE } }, 'istanbul').get('Storage') ?? {};
    const place = join(folder, 'artifacts/contracts/Storage.sol');
    mkdirSync(place, { recursive: true });
    const names = { contractName: 'Storage', sourceName: 'contracts/Storage.sol' };
    const links = { linkReferences: {}, deployedLinkReferences: {} };
    writeFileSync(
      join(place, 'Storage.json'),
      JSON.stringify({
        _format: 'hh3-artifact-1',
        ...names,
        abi,
        bytecode,
        deployedBytecode: '0x',
        ...links,
      }),
    );
  }

  /** What a script prints that `hardhat run` runs. */
  async function run(code: string, ...words: readonly string[]): Promise<unknown> {
    writeFileSync(join(folder, 'script.ts'), BEGINNING + code);
    const hardhat = join(INSTALLED, 'node_modules/hardhat/dist/src/cli.js');
    const own = Object.entries(process.env).filter(([name]) => !/^(?:npm_|NODE_OPTIONS$)/i.test(name));
    const { stdout } = await promisify(execFile)(
      NODE,
      [hardhat, ...words, 'run', '--no-compile', 'script.ts'],
      {
        cwd: folder,
        env: {
          ...Object.fromEntries(own),
          HOME: folder,
          HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
          CI: 'true',
        },
      },
    );
    return JSON.parse(stdout.slice(stdout.indexOf('{'))) as unknown;
  }

  it('deploys a contract for its parties, which others do not have', async () => {
    const printed = await run(`
      const storage = await hre.privacy.deploy('Storage', { args: [42n], privateFor, network: 'first' });
      const { address } = storage;
      const before = await text(storage.read('value'));
      await storage.write('set', [43n]);
      const other = await hre.privacy.at('Storage', address, { privateFor: [], network: 'second' });
      const outsider = await hre.privacy.client('third');
      const refused = await text(storage.write('set', [5000n]));
      const [after, atParty] = [await text(storage.read('value')), await text(other.read('value'))];
      const outside = await text(outsider.getCode({ address }));
      console.log(JSON.stringify({ before, after, atParty, outside, refused }));
    `);
    expect(printed).toEqual({
      before: '42',
      after: '43',
      atParty: '43',
      outside: 'undefined',
      refused: expect.stringContaining('TooLarge(uint256 limit)'),
    });
  });

  it('signs by a key of the configuration itself, and still only for the parties', async () => {
    const printed = await run(
      `const storage = await hre.privacy.deploy('Storage', { args: [7n], privateFor });
       const outsider = await hre.privacy.client('third');
       const outside = await text(outsider.getCode({ address: storage.address }));
       console.log(JSON.stringify({ owner: await text(storage.read('owner')), outside }));`,
      '--network',
      'keyed',
    );
    expect(printed).toEqual({ owner: privateKeyToAccount(KEY).address, outside: 'undefined' });
  });

  it('names what is missing, before anything is sent', async () => {
    const printed = await run(`
      const deploy = (more: object) => text(hre.privacy.deploy('Storage', { args: [7n], privateFor, ...more }));
      console.log(JSON.stringify({
        network: await deploy({}),
        unknown: await deploy({ network: 'fourth' }),
        key: await deploy({ network: 'first', privateFor: ['no key'] }),
        recipients: await deploy({ network: 'first', privateFor: undefined }),
      }));
    `);
    const names = 'first, second, third, keyed, localhost';
    expect(printed).toEqual({
      network: expect.stringContaining('network: is needed, by --network or in the call'),
      unknown: `fourth: is no network of type http in the configuration (${names})`,
      key: expect.stringMatching(/privateFor is not a PTM key/i),
      recipients: expect.stringMatching(/privateFor is missing/i),
    });
  });

  it('has types by which scripts are checked', async () => {
    writeFileSync(
      join(folder, 'typed.ts'),
      `${BEGINNING}
       void text(hre.privacy.deploy('Storage', { args: [1n], privateFor }));
       // @ts-expect-error the recipients are missing
       void hre.privacy.deploy('Storage', { args: [1n] });
       // @ts-expect-error there is no such protection
       void hre.privacy.deploy('Storage', { privateFor, privacyFlag: 'mandatory' });
      `,
    );
    const compilerOptions = {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      target: 'es2023',
      module: 'nodenext',
      moduleResolution: 'nodenext',
      types: ['node'],
    };
    const files = ['hardhat.config.ts', 'typed.ts'];
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    const compiler = join(root, 'node_modules/@typescript/native/bin/tsc');
    const checked = await promisify(execFile)(process.execPath, [compiler, '-p', folder], {
      env: { ...process.env, NODE_OPTIONS: '' },
    }).catch(({ stdout }: { stdout: string }) => ({ stdout }));
    expect(checked.stdout).toBe('');
  });
});
