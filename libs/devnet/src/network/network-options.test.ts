import { describe, expect, it } from '@jest/globals';
import { UsageError } from '../usage-error.js';
import { NETWORK_USAGE, parseNetworkOptions } from './network-options.js';

describe('the options of a network', () => {
  it('are four QBFT validators with managers, the signer and the wallet when none is given', () => {
    expect(parseNetworkOptions([])).toEqual({
      dataDir: '.tetrad/network',
      portBase: undefined,
      databaseUrl: undefined,
      endpointsFile: undefined,
      blockPeriodMs: 1000,
      consensus: 'qbft',
      etcdEndpoints: undefined,
      nodes: 4,
      permissioned: false,
      signerKeySource: 'file',
      chainRules: {},
      nodeOptions: [],
      services: ['transaction-manager', 'node', 'signer', 'wallet'],
    });
  });

  it('are taken as they are given', () => {
    const words = [
      '--nodes',
      '7',
      '--consensus',
      'ibft',
      '--services',
      'node',
      '--data-dir',
      'here',
      '--port-base',
      '30000',
      '--database-url',
      'postgres://somewhere/db',
      '--endpoints-file',
      'endpoints.json',
      '--block-period',
      '200',
      '--permissioned',
      '--node-options',
      '--rpc-alias istanbul=ibft',
      '--fork',
      'berlin',
      '--max-code-size',
      '24',
      '--gas-limit',
      '5000000',
      '--free-gas',
      '--signer-key-source',
      'pkcs11',
    ];
    expect(parseNetworkOptions(words)).toEqual({
      dataDir: 'here',
      portBase: 30_000,
      databaseUrl: 'postgres://somewhere/db',
      endpointsFile: 'endpoints.json',
      blockPeriodMs: 200,
      consensus: 'ibft',
      etcdEndpoints: undefined,
      nodes: 7,
      permissioned: true,
      signerKeySource: 'pkcs11',
      chainRules: { fork: 'berlin', maxCodeKilobytes: 24, gasLimit: '5000000', isGasFree: true },
      nodeOptions: [{ flag: '--rpc-alias', words: ['istanbul=ibft'] }],
      services: ['node'],
    });
  });

  it('are three members and 50 ms under raft, with a cluster of etcd that is named or of its own', () => {
    const raft = parseNetworkOptions(['--consensus', 'raft']);
    expect(raft).toMatchObject({ consensus: 'raft', nodes: 3, blockPeriodMs: 50, etcdEndpoints: undefined });
    const list = 'http://a:2379,https://b:2379';
    const { etcdEndpoints } = parseNetworkOptions(['--consensus', 'raft', '--etcd-endpoints', list]);
    expect(etcdEndpoints).toEqual(['http://a:2379', 'https://b:2379']);
  });

  it('have the console as the last service with --console, beside whichever are named', () => {
    const services = (...words: string[]) => parseNetworkOptions(words).services;
    expect(services('--console')).toEqual(['transaction-manager', 'node', 'signer', 'wallet', 'console']);
    expect(services('--console', '--services', 'node,console')).toEqual(['node', 'console']);
  });

  it('name services in any order; they start in one', () => {
    const services = (list: string) => parseNetworkOptions(['--services', list]).services;
    expect(services('wallet,node,transaction-manager')).toEqual(['transaction-manager', 'node', 'wallet']);
    expect(services('rollup-operator,node')).toEqual(['node', 'rollup-operator']);
    expect(services('node,signer,node')).toEqual(['node', 'signer']);
    expect(services('console,node')).toEqual(['node', 'console']);
  });

  it.each([
    ['--etcd-endpoints http://127.0.0.1:1', /^--etcd-endpoints: goes with --consensus raft/],
    ['--consensus raft --etcd-endpoints nowhere', /^--etcd-endpoints: nowhere: must be http/],
    ['--consensus raft --etcd-endpoints http://a:1/x', /^--etcd-endpoints: .*: must be http/],
  ])('that are not served, alone or together, are refused by name: %s', (words, message) => {
    expectRejection(words, message);
  });

  it.each([
    ['--nodes 0', /^--nodes: 0 is not a whole number from 1 to 90$/],
    ['--nodes=-1', /^--nodes: -1 /],
    ['--nodes 1.5', /^--nodes: 1\.5 /],
    ['--nodes 0x1', /^--nodes: 0x1 /],
    ['--port-base 80', /^--port-base: 80 /],
    ['--port-base 65500', /^--port-base: 65500 is not a whole number from 1024 to 65455$/],
    ['--port-base 65000 --nodes 90', /^--port-base: 65000 /],
    ['--port-base 65496 --nodes 1', /^--port-base: 65496 is not a whole number from 1024 to 65495$/],
    ['--nodes 3 --nodes 4', /^--nodes: given twice$/],
    ['--permissioned=yes', /^--permissioned: takes no value$/],
    ['--console=yes', /^--console: takes no value$/],
    ['--console --console', /^--console: given twice$/],
    ['--nodse 3', /^--nodse: unknown option \(did you mean --nodes\?\)$/],
    ['--port-base 1e4', /^--port-base: 1e4 /],
    ['--block-period 9', /^--block-period: 9 /],
    ['--block-period one', /^--block-period: one /],
    ['--block-period=', /^--block-period: {2}is not/],
    ['--consensus clique', /^--consensus: clique is not one of /],
    ['--services node,miner', /^--services: miner is not one of /],
    ['--services signer', /^--services: a network needs the node$/],
    ['--signer-key-source usb', /^--signer-key-source: usb is not one of file, pkcs11$/],
    ['--services=', /^--services: a network needs the node$/],
    ['--block-time 3', /--block-time/],
    ['--data-dir', /--data-dir/],
    ['--node-options=--data-dir=x', /^--node-options: --data-dir is set by the network itself$/],
    ['stray', /stray/],
  ])('that are wrong are refused with the option’s name: %s', (words, message) => {
    expectRejection(words, message);
  });

  it('are all in the help', () => {
    const options = [
      'nodes',
      'consensus',
      'permissioned',
      'services',
      'console',
      'data-dir',
      'port-base',
      'database-url',
    ];
    const rules = ['fork', 'max-code-size', 'gas-limit', 'free-gas'];
    for (const option of [...options, ...rules, 'endpoints-file', 'block-period', 'node-options']) {
      expect(NETWORK_USAGE).toContain(`--${option} `);
    }
  });
});

function expectRejection(words: string, message: RegExp): void {
  const parse = () => parseNetworkOptions(words.split(' '));
  expect(parse).toThrow(UsageError);
  expect(parse).toThrow(message);
}
