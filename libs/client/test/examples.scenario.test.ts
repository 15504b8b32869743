/**
 * web3.js writes a stack to `Function` with its errors, so that this file has a realm of its own.
 * @jest-environment node
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { layOutClientPackage } from '@tetrad/bundle';
import { compile } from '@tetrad/compilers';
import { PORTS_PER_NODE, freePorts, parseNetworkOptions, startNetwork, type Network } from '@tetrad/devnet';
import { SHORT_BLOCK_PERIODS } from '@tetrad/testkit';

const root = join(import.meta.dirname, '../../..');
const examples = join(import.meta.dirname, '../examples');

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

/** The network of `./tetrad up`, and an application with the package of the client. */
let folder: string;
let network: Network;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tetrad-examples-'));
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
  const modules = join(folder, 'application/node_modules');
  mkdirSync(join(modules, '@tetrad'), { recursive: true });
  await layOutClientPackage(join(modules, '@tetrad/client'));
  symlinkSync(join(root, 'node_modules/viem'), join(modules, 'viem'));
  cpSync(examples, join(folder, 'application'), { recursive: true });
  writeFileSync(join(folder, 'application/endpoints.json'), JSON.stringify(network.endpoints));
  const { bytecode } = compile({ 'Storage.sol': { content: SOURCE } }, 'istanbul').get('Storage') ?? {};
  writeFileSync(join(folder, 'application/Storage.bin'), String(bytecode));
}, 900_000);
afterAll(async () => {
  await network?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('the examples of the client', () => {
  it('are all run', () => {
    const names = readdirSync(examples).filter((name) => /^\d/.test(name));
    expect(names.map((name) => name.replace('.mjs', '')).sort()).toEqual(Object.keys(PRINTED));
  });

  it.each(Object.entries(PRINTED))('%s prints what its reader expects', async (name, printed) => {
    const { stdout } = await promisify(execFile)(process.execPath, [`${name}.mjs`], {
      cwd: join(folder, 'application'),
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    expect(stdout).toEqual(printed);
  });
});
