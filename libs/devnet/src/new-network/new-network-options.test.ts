import { describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey, publicKeyFromPrivateKey } from '@tetrad/crypto';
import { parseNewNetworkOptions } from './new-network-options.js';
import { nodeToml } from './node-toml.js';

const KEY = Buffer.alloc(32, 7);
const ENODE = `enode://${Buffer.from(publicKeyFromPrivateKey(KEY)).toString('hex')}@10.0.0.1:21000?discport=0`;
const ACCOUNT = `0x${'ab'.repeat(20)}`;

const parse = (...args: string[]) => parseNewNetworkOptions(['--dir', 'net', ...args]);

describe('the options of network new', () => {
  it('have defaults: four validators of QBFT on this host, chain 1337, a block a second', () => {
    expect(parse()).toEqual({
      ...{ dir: 'net', consensus: 'qbft', nodes: undefined, chainId: 1337, blockPeriodMs: 1000 },
      ...{ hosts: Array(4).fill('127.0.0.1'), gasLimit: undefined, accounts: false, portBase: undefined },
      funds: new Map(),
    });
  });

  it('take a host for each node, which also says how many there are', () => {
    expect(parse('--hosts', 'a.example, 10.0.0.2,fd00::3').hosts).toEqual([
      'a.example',
      '10.0.0.2',
      'fd00::3',
    ]);
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
    [['--validators', '2', '--hosts', 'a'], '--hosts: has 1 hosts for 2 validators'],
    [['--hosts', 'a,b"c'], '--hosts: b"c is not a host name or address'],
    [['--consensus', 'raft'], '--consensus: raft is not one of qbft, ibft'],
    [['--fund', 'me'], '--fund: me is not ADDRESS or ADDRESS=WEI'],
    [['--fund', `${ACCOUNT},${ACCOUNT}`], '--fund: duplicate account'],
    [['--enodes', 'enode://12@a:1'], 'is not an enode URL'],
    [['--enodes', ENODE.replace(/[0-9a-f]{128}/, '0'.repeat(128))], 'does not name a public key'],
    [['--enodes', `${ENODE},${ENODE}`], '--enodes: duplicate node'],
    [['--enodes', ENODE, '--accounts'], '--accounts: cannot be used together with --enodes'],
    [['--chain-id', '1'], '--chain-id: 1 is not'],
    [['--permissioned'], '--permissioned is not served yet'],
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

  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['node0.example', '0.0.0.0'],
    ['fd00::1', '::'],
  ])('listens for nodes at %s on %s, and for clients on loopback', (host, listen) => {
    const text = nodeToml({ name: 'node0', host, ports, hasAccount: false });
    expect(text).toContain(`peer-listen-host = "${listen}"`);
    expect(text).toContain(`p2p-host = "${host}"`);
    expect(text).not.toMatch(/http-listen-host|insecure|keystore/);
  });
});
