import { describe, expect, it } from '@jest/globals';
import { UsageError } from '../usage-error.js';
import { NETWORK_USAGE, parseNetworkOptions } from './network-options.js';

describe('the options of a network', () => {
  it('are one QBFT validator, the signer and the wallet when none is given', () => {
    expect(parseNetworkOptions([])).toEqual({
      dataDir: '.tetrad/network',
      portBase: undefined,
      databaseUrl: undefined,
      endpointsFile: undefined,
      blockPeriodMs: 1000,
      consensus: 'qbft',
      services: ['node', 'signer', 'wallet'],
    });
  });

  it('are taken as they are given', () => {
    const words = [
      ...['--nodes', '1', '--consensus', 'ibft', '--services', 'node', '--data-dir', 'here'],
      ...['--port-base', '30000', '--database-url', 'postgres://somewhere/db'],
      ...['--endpoints-file', 'endpoints.json', '--block-period', '200'],
    ];
    expect(parseNetworkOptions(words)).toEqual({
      dataDir: 'here',
      portBase: 30_000,
      databaseUrl: 'postgres://somewhere/db',
      endpointsFile: 'endpoints.json',
      blockPeriodMs: 200,
      consensus: 'ibft',
      services: ['node'],
    });
  });

  it.each([
    ['--nodes 4', /^--nodes 4 is not served yet/],
    ['--consensus raft', /^--consensus raft is not served yet/],
    ['--permissioned', /^--permissioned is not served yet/],
    ['--services node,rollup-operator', /^--services rollup-operator is not served yet/],
  ])('that belong to later parts are refused by name: %s', (words, message) => {
    expectRefusal(words, message);
  });

  it.each([
    ['--nodes 0', /^--nodes: 0 is not a whole number from 1 to 100$/],
    ['--nodes=-1', /^--nodes: -1 /],
    ['--nodes 1.5', /^--nodes: 1\.5 /],
    ['--nodes 0x1', /^--nodes: 0x1 /],
    ['--port-base 80', /^--port-base: 80 /],
    ['--port-base 65001', /^--port-base: 65001 /],
    ['--port-base 1e4', /^--port-base: 1e4 /],
    ['--block-period 9', /^--block-period: 9 /],
    ['--block-period one', /^--block-period: one /],
    ['--block-period=', /^--block-period: {2}is not/],
    ['--consensus clique', /^--consensus: clique is none of /],
    ['--services node,miner', /^--services: miner is none of /],
    ['--services signer', /^--services: a network needs the node$/],
    ['--services=', /^--services: a network needs the node$/],
    ['--block-time 3', /--block-time/],
    ['--data-dir', /--data-dir/],
    ['stray', /stray/],
  ])('that are wrong are refused with the option’s name: %s', (words, message) => {
    expectRefusal(words, message);
  });

  it('are all in the help', () => {
    const options = ['nodes', 'consensus', 'services', 'data-dir', 'port-base', 'database-url'];
    for (const option of [...options, 'endpoints-file', 'block-period']) {
      expect(NETWORK_USAGE).toContain(`--${option} `);
    }
  });
});

function expectRefusal(words: string, message: RegExp): void {
  const parse = () => parseNetworkOptions(words.split(' '));
  expect(parse).toThrow(UsageError);
  expect(parse).toThrow(message);
}
