import { describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey, publicKeyFromPrivateKey } from '@tetrad/crypto';
import { managerToml } from './manager-toml.js';
import { parseNewNetworkOptions } from './new-network-options.js';
import { nodeToml } from './node-toml.js';

const KEY = Buffer.alloc(32, 7);
const ENODE = `enode://${Buffer.from(publicKeyFromPrivateKey(KEY)).toString('hex')}@10.0.0.1:21000?discport=0`;
const ACCOUNT = `0x${'ab'.repeat(20)}`;

const parse = (...args: string[]) => parseNewNetworkOptions(['--dir', 'net', ...args]);

const RAFT = ['--consensus', 'raft', '--etcd-endpoints', 'http://127.0.0.1:2379'];

describe('the options of network new', () => {
  it('have defaults: four validators of QBFT on this host, chain 1337, a block a second', () => {
    expect(parse()).toEqual({
      dir: 'net',
      consensus: 'qbft',
      nodes: undefined,
      chainId: 1337,
      blockPeriodMs: 1000,
      hosts: Array(4).fill('127.0.0.1'),
      chainRules: {},
      accounts: false,
      portBase: undefined,
      etcdEndpoints: [],
      funds: new Map(),
      databaseUrl: undefined,
      members: 0,
      hasPrivacy: true,
      permissioned: false,
    });
  });

  it('take a host for each node, which also says how many there are', () => {
    expect(parse('--hosts', 'a.example, 10.0.0.2,fd00::3').hosts).toEqual([
      'a.example',
      '10.0.0.2',
      'fd00::3',
    ]);
  });

  it('count members beside validators, and take them from the end of a list', () => {
    expect(parse('--members', '2')).toMatchObject({ members: 2, hosts: Array(6).fill('127.0.0.1') });
    expect(parse('--validators', '1', '--members', '1').hosts).toHaveLength(2);
    expect(parse('--hosts', 'a,b,c', '--members', '1')).toMatchObject({ hosts: ['a', 'b', 'c'], members: 1 });
  });

  it('leave managers out on request, and give admins accounts', () => {
    expect(parse('--private').hasPrivacy).toBe(true);
    expect(parse('--no-private').hasPrivacy).toBe(false);
    expect(parse('--permissioned')).toMatchObject({ permissioned: true, accounts: true });
  });

  it('take accounts with and without an amount', () => {
    const { funds } = parse('--fund', `${ACCOUNT},0x${'cd'.repeat(20)}=5`);
    expect([...funds.values()]).toEqual([10n ** 27n, 5n]);
  });

  it('take validators whose keys are elsewhere', () => {
    expect(parse('--enodes', ENODE)).toMatchObject({
      hosts: ['10.0.0.1'],
      nodes: [{ enode: ENODE, address: addressFromPrivateKey(KEY) }],
    });
  });

  it.each([
    [['--validators', '0'], '--validators: 0 is not a whole number from 1 to 1000'],
    [['--validators', '2', '--hosts', 'a'], '--hosts: has 1 hosts for 2 nodes'],
    [['--hosts', 'a,b"c'], '--hosts: b"c is not a host name or address'],
    [['--consensus', 'clique'], '--consensus: clique is not one of qbft, ibft, raft'],
    [['--consensus', 'raft'], '--etcd-endpoints: is required with --consensus raft'],
    [['--etcd-endpoints', 'http://a:1'], '--etcd-endpoints: goes with --consensus raft'],
    [[...RAFT, '--members', '1'], '--members: under raft'],
    [['--consensus', 'raft', '--etcd-endpoints', 'a:1'], '--etcd-endpoints: a:1: must be'],
    [[...RAFT, '--enodes', ENODE], 'has no raftport'],
    [['--members', '1', '--enodes', ENODE], '--members: 1 of 1 nodes leave no validator'],
    [['--members', '1', '--hosts', 'a'], '--members: 1 of 1 nodes leave no validator'],
    [['--members=-1'], '--members: -1 is not a whole number'],
    [['--private', '--no-private'], '--no-private: cannot be used together with --private'],
    [['--enodes', ENODE, '--permissioned'], '--permissioned: cannot be used together with --enodes'],
    [['--fund', 'me'], '--fund: me is not ADDRESS or ADDRESS=WEI'],
    [['--fund', `${ACCOUNT},${ACCOUNT}`], '--fund: duplicate account'],
    [['--enodes', 'enode://12@a:1'], 'is not an enode URL'],
    [['--enodes', ENODE.replace(/[0-9a-f]{128}/, '0'.repeat(128))], 'does not name a public key'],
    [['--enodes', `${ENODE},${ENODE}`], '--enodes: duplicate node'],
    [['--enodes', ENODE, '--accounts'], '--accounts: cannot be used together with --enodes'],
    [['--database-url', 'mysql://a'], '--database-url: the database URL must have the form'],
    [['--database-url', 'postgresql://u:secret@a'], '--database-url: names a server only'],
    [['--database-url', 'postgresql://a/b'], '--database-url: names a server only'],
    [['--database-url', 'postgresql://a', '--enodes', ENODE], '--database-url: cannot be used together'],
    [['--chain-id', '1'], '--chain-id: 1 is not'],
    [['--validator', '4'], '--validator'],
  ])('refuse %j and name it', (args, text) => {
    expect(() => parse(...args)).toThrow(text);
  });

  it('need a folder', () => {
    expect(() => parseNewNetworkOptions([])).toThrow('--dir is required');
  });
});

describe('the configuration of a node', () => {
  const ports = { rpc: 1, ops: 2, peer: 3 };
  const plain = {
    name: 'node0',
    host: '127.0.0.1',
    ports,
    hasAccount: false,
    permissioned: false,
    raft: undefined,
    managerPorts: undefined,
  };

  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['node0.example', '0.0.0.0'],
    ['fd00::1', '::'],
  ])('listens for nodes at %s on %s, and for clients on loopback', (host, listen) => {
    const text = nodeToml({ ...plain, host });
    expect(text).toContain(`peer-listen-host = "${listen}"`);
    expect(text).toContain(`p2p-host = "${host}"`);
    expect(text).not.toMatch(/http-listen-host|insecure|keystore|ptm-url|permissioned|eea/);
  });

  it('names the etcd that orders its blocks', () => {
    const raft = { etcdEndpoints: ['http://a:2379', 'http://b:2379'], blockPeriodMs: 50 };
    const text = nodeToml({ ...plain, raft });
    expect(text).toContain('etcd-endpoints = ["http://a:2379", "http://b:2379"]');
    expect(text).toContain('block-period = "50ms"');
  });

  it('names its manager, and exposes what private contracts and permissions are used with', () => {
    const managerPorts = { rpc: 4, ops: 5, peer: 6 };
    const text = nodeToml({ ...plain, managerPorts, permissioned: true });
    expect(text).toContain('ptm-url = "http://127.0.0.1:4"');
    expect(text).toMatch(/^http-api = \[.*"eea", "priv", "privacy", "chainExtension", "chainPermission"\]$/m);
    expect(text).toMatch(/^# permissioned = true$/m);
  });
});

describe('the configuration of a manager', () => {
  const ports = { rpc: 4, ops: 5, peer: 6 };
  const peers = ['http://a.example:9'];

  it.each([
    ['127.0.0.1', '127.0.0.1', 'http://127.0.0.1:6'],
    ['node0.example', '0.0.0.0', 'http://node0.example:6'],
    ['fd00::1', '::', 'http://[fd00::1]:6'],
  ])('at %s listens for managers on %s, is known as %s, and serves its node on loopback', (host, on, url) => {
    const text = managerToml({ name: 'node0', host, ports, peers });
    expect(text).toContain(`peer-listen-host = "${on}"`);
    expect(text).toContain(`peer-url = "${url}"`);
    expect(text).toContain('peers = ["http://a.example:9"]');
    expect(text).not.toMatch(/^(http-listen-host|insecure)/m);
  });
});
