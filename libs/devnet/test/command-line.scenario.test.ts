import { describe, expect, it } from '@jest/globals';
import { runTetrad } from './tetrad-process.js';

describe('the command line of ./tetrad', () => {
  it.each([
    ['rollup-operator', /^tetrad: rollup-operator is not served yet/],
    ['backup', /^tetrad: backup is not served yet/],
    ['restore', /^tetrad: restore is not served yet/],
    ['verify', /^tetrad: verify is not served yet/],
    ['uo', /^tetrad: there is no command uo; --help lists them/],
    ['up --nodes 0', /^tetrad: --nodes: 0 is not a whole number/],
    ['up --consensus raft', /^tetrad: --consensus raft is not served yet/],
    ['up --services rollup-operator', /^tetrad: --services rollup-operator is not served yet/],
    ['demo --permissioned', /^tetrad: --permissioned is not served yet/],
    ['up --block-period 0', /^tetrad: --block-period: 0 is not a whole number/],
  ])('refuses in one line with exit code 2: %s', async (words, line) => {
    const { code, stdout, stderr } = await runTetrad(words.split(' '));
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(line);
    expect(stderr.trimEnd()).not.toContain('\n');
  });

  it('lists its commands and options when asked, and when there is no command', async () => {
    const [asked, bare] = [await runTetrad(['--help']), await runTetrad([])];
    expect([asked.code, bare.code]).toEqual([0, 2]);
    expect(bare.stdout).toBe(asked.stdout);
    for (const command of ['demo', 'up', 'test', 'bench', 'node', 'signer', 'wallet']) {
      expect(asked.stdout).toMatch(new RegExp(`^ {2}${command} `, 'm'));
    }
    expect(asked.stdout).toContain('--endpoints-file');
  });

  it('lists every benchmark that there is', async () => {
    const [{ stdout }, { stderr }] = [
      await runTetrad(['--help']),
      await runTetrad(['bench', 'no-such-name']),
    ];
    const [, names = ''] = /no-such-name is none of (.+)/.exec(stderr) ?? [];
    const [, listed = ''] = /the benchmarks: ([^]*?)\n {2}node /.exec(stdout) ?? [];
    expect(listed.split(/,\s+/)).toEqual(names.split(', '));
  });
});
