import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runTetrad } from './tetrad-process.js';

let own: string;
beforeAll(async () => {
  own = await mkdtemp(join(tmpdir(), 'tetrad-command-line-'));
  await writeFile(join(own, 'file'), '{}');
});
afterAll(() => rm(own, { recursive: true, force: true }));

describe('the command line of ./tetrad', () => {
  it.each([
    ['rollup-operator', /^tetrad rollup-operator: Missing required option\(s\): --chain-id /],
    ['rollup snd', /^tetrad rollup: unknown command snd \(did you mean send\?\)/],
    ['rollup send --to 1', /^tetrad rollup: Missing required option\(s\): --contract .*--amount/],
    ['rollup-operator rebuild --contract 0x1', /^tetrad rollup: --contract: must be an address/],
    ['backup', /^tetrad: --out is required$/m],
    ['restore', /^tetrad: --from is required$/m],
    ['verify --from .', /^tetrad: --genesis-file is required$/m],
    ['uo', /^tetrad: unknown command uo \(did you mean up\?\); --help lists them/],
    ['wallte list', /^tetrad: unknown command wallte \(did you mean wallet\?\)/],
    ['constructor', /^tetrad: unknown command constructor; --help lists them/],
    ['up --node 3', /^tetrad: --node: unknown option \(did you mean --nodes\?\)/],
    ['demo --nodes', /^tetrad: --nodes: requires a value/],
    ['up here', /^tetrad: here: unexpected argument/],
    ['bench ledgre', /^bench: ledgre is not one of .*\(did you mean ledger\?\)/],
    ['wallet auth create-tokn', /unknown command auth create-tokn \(did you mean auth create-token\?\)/],
    ['wallet lits', /unknown command lits \(did you mean list\?\)/],
    ['node --http-listen-prt 1', /--http-listen-prt: unknown option \(did you mean --http-listen-port\?\)/],
    ['up --nodes 0', /^tetrad: --nodes: 0 is not a whole number/],
    ['up --etcd-endpoints http://a:1', /^tetrad: --etcd-endpoints: goes with --consensus raft/],
    [
      'demo --consensus raft',
      /^tetrad: --consensus raft: the demo shows votes of validators, and raft in a step of its own/,
    ],
    ['up --services rollup-operator', /^tetrad: --services: a network needs the node$/m],
    ['demo --permissioned', /^tetrad: --permissioned: the demo makes accounts that are in no org/],
    ['up --block-period 0', /^tetrad: --block-period: 0 is not a whole number/],
  ])('refuses in one line with exit code 2: %s', async (words, line) => {
    const { code, stdout, stderr } = await runTetrad(words.split(' '));
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(line);
    expect(stderr.trimEnd()).not.toContain('\n');
  });

  it.each([
    [
      'backup --out OWN/b --endpoints-file OWN/absent',
      /^tetrad: --endpoints-file: .*\/absent cannot be opened: it does not/,
    ],
    [
      'backup --out OWN/b --endpoints-file OWN/file',
      /^tetrad: --endpoints-file: .*\/file is not a file that/,
    ],
    ['restore --from OWN/absent', /^tetrad: --from: .*\/absent: there is no such folder, and so no backup/],
    [
      'verify --from OWN/absent --genesis-file OWN/file',
      /^tetrad: .*\/absent\/node: there is no such folder/,
    ],
    ['verify --from OWN --genesis-file OWN/file', /^tetrad: .*\/node: there is no such folder/],
    ['up --data-dir /proc/tetrad', /^tetrad: data folder \/proc\/tetrad: .*it does not exist/],
    ['up --data-dir OWN/file', /^tetrad: data folder .*\/file: it is a file, or in one/],
    [
      'up --data-dir OWN/up --endpoints-file OWN/absent/e',
      /^tetrad: --endpoints-file: the folder .*\/absent does not/,
    ],
    ['network new --dir OWN', /^tetrad: --dir .*: already exists and is not empty/],
    ['network new --dir /proc/tetrad/net', /^tetrad: \/proc\/tetrad cannot be created: it does not exist/],
    ['network adopt OWN/absent --out OWN/adopted', /^tetrad: .*\/nodekey: the node key is not there/],
    ['node enode --data-dir /proc/tetrad', /^tetrad node: .*\/proc\/tetrad.*it does not exist/],
    ['signer key new --directory /proc/tetrad', /^tetrad signer: .*\/proc\/tetrad/],
  ])('fails in one line with exit code 1 for what the host lacks: %s', async (words, line) => {
    const { code, stderr } = await runTetrad(words.replaceAll('OWN', own).split(' '));
    expect(stderr).toMatch(line);
    expect(stderr.trimEnd()).not.toContain('\n');
    expect(code).toBe(1);
  });

  it('lists its commands and options on request, and without a command', async () => {
    const [asked, bare] = [await runTetrad(['--help']), await runTetrad([])];
    expect([asked.code, bare.code]).toEqual([0, 2]);
    expect(bare.stdout).toBe(asked.stdout);
    for (const command of [
      'demo',
      'up',
      'test',
      'bench',
      'backup',
      'restore',
      'verify',
      'node',
      'rollup',
      'signer',
      'wallet',
    ]) {
      expect(asked.stdout).toMatch(new RegExp(`^ {2}${command} `, 'm'));
    }
    expect(asked.stdout).toContain('--endpoints-file');
  });

  it.each([
    ['up', /^Usage: \.\/tetrad up [^]*--block-period MS/],
    ['demo', /^Usage: \.\/tetrad demo [^]*--keep/],
    ['test', /^Usage: \.\/tetrad test \[PATHS…\]/],
    ['bench', /^Usage: \.\/tetrad bench [^]*\n {2}consensus-simulator /],
    ['node', /^Usage: tetrad node [^]*\n {2}--config-file FILE/],
    ['signer', /^Usage: tetrad signer [^]*\n {2}--config-file FILE/],
    ['wallet', /^Usage: tetrad wallet COMMAND/],
    ['wallet serve', /^Usage: tetrad wallet serve [^]*\n {2}--config-file FILE/],
    ['wallet list', /^Usage: tetrad wallet list [^]*\n {2}--config-file FILE/],
    ['rollup', /^Usage: tetrad rollup COMMAND[^]*\n {2}account new [^]*\n {2}watch /],
    ['rollup send', /^Usage: tetrad rollup send --to ACCOUNT --amount AMOUNT [^]*--journal-file FILE/],
    ['rollup-operator rebuild', /^Usage: tetrad rollup rebuild [^]*--page-blocks NUMBER/],
    ['wallet auth', /^Usage: tetrad wallet auth COMMAND[^]*auth create-token --perm/],
  ])('has help for %s, and its version', async (command, text) => {
    const words = command.split(' ');
    const [help, version] = [await runTetrad([...words, '--help']), await runTetrad([...words, '--version'])];
    expect([help.code, help.stderr]).toEqual([0, '']);
    expect(help.stdout).toMatch(text);
    expect(version).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' });
  });

  it('prints its version', async () => {
    expect((await runTetrad(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('lists the benchmarks when none is named', async () => {
    const [listed, refused] = [await runTetrad(['bench']), await runTetrad(['bench', 'no-such-name'])];
    const [, names = ''] = /no-such-name is not one of (.+)/.exec(refused.stderr) ?? [];
    const rows = [...listed.stdout.matchAll(/^ {2}(\w\S*) +\S/gm)].map(([, name]) => name);
    expect([listed.code, rows]).toEqual([0, names.trim().split(', ')]);
  });
});
