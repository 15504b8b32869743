import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey, publicKeyFromPrivateKey } from '@tetrad/crypto';
import { openKeystoreFolder, writeKeyFile } from '@tetrad/keystore';
import { formatSettings } from '@tetrad/service/settings-table';
import { adoptNode, takeChain } from './adopt-node.js';
import { parseAdoptOptions } from './adopt-options.js';
import { writeAdopted } from './write-adopted.js';

const KEY = Buffer.alloc(32, 7);
const ID = Buffer.from(publicKeyFromPrivateKey(KEY)).toString('hex');
const OTHER = 'ab'.repeat(64);
const accounts = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as const;
const addresses = accounts.map((key) => addressFromPrivateKey(key));

let folder: string;
let data: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-adopt-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The data folder of a GoQuorum node. */
beforeEach(async () => {
  data = join(folder, 'qdata');
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(data, 'geth/chaindata'), { recursive: true });
  await mkdir(join(data, 'keystore'));
  await writeFile(join(data, 'geth/nodekey'), KEY.toString('hex'));
  await writeFile(join(data, 'genesis.json'), JSON.stringify({ config: { chainId: 1337 } }));
  const nodes = [
    `enode://${OTHER}@10.0.0.2:30303?discport=0`,
    `enode://${ID}@10.0.0.1:30311?discport=0&raftport=50400`,
  ];
  await writeFile(join(data, 'static-nodes.json'), JSON.stringify(nodes));
  for (const [index, privateKey] of accounts.entries())
    await writeKeyFile(join(data, 'keystore'), {
      privateKey,
      password: 'secret',
      name: `UTC--2020-01-0${index}`,
      scryptN: 2,
    });
  await writeFile(join(folder, 'password'), 'secret\nsecret\n');
});

/** What is printed, and the folder that is written. */
async function adopt(...args: string[]): Promise<{ table: string; out: string }> {
  const out = join(folder, 'node0');
  const options = await parseAdoptOptions([data, '--out', out, ...args]);
  const { conversion } = await adoptNode(options);
  if (!options.dryRun) await writeAdopted(out, conversion);
  return { table: formatSettings(conversion.rows), out };
}

describe('network adopt', () => {
  it('writes a node folder with the same key, peers, permissions and accounts', async () => {
    const permissions = {
      interfaceAddress: `0x${'11'.repeat(20)}`,
      upgrdableAddress: `0x${'22'.repeat(20)}`,
    };
    await writeFile(join(data, 'permission-config.json'), JSON.stringify(permissions));
    await writeFile(join(data, 'permissioned-nodes.json'), `["enode://${OTHER}@10.0.0.2:30303"]`);
    const command = `PRIVATE_CONFIG=/run/tm.ipc geth --datadir x --networkid 5 --mine --permissioned --unlock ${addresses[1]} --password ${folder}/password --http --http.api eth,istanbul,quorumPermission,personal --http.port 8600 --http.addr 0.0.0.0 --rpccorsdomain * --nodiscover --verbosity 3 --istanbul.blockperiod 2 --txpool.globalslots 9 --ws.port 8601 --frobnicate`;
    const { table, out } = await adopt('--command', command);
    expect((await readFile(join(out, 'nodekey'), 'utf8')).trim()).toBe(KEY.toString('hex'));
    expect((await stat(join(out, 'nodekey'))).mode & 0o777).toBe(0o600);
    const toml = await readFile(join(out, 'node.toml'), 'utf8');
    for (const line of [
      'node-key-file = "nodekey"',
      'genesis-file = "genesis.json"',
      'data-dir = "data"',
      'peer-listen-port = 30311',
      'p2p-host = "10.0.0.1"',
      'peer-listen-host = "0.0.0.0"',
      'http-listen-port = 8600',
      'http-api = ["eth", "ibft", "chainPermission"]',
      'validator = true',
      'permissioned = true',
      'peer-exchange = false',
      'log-level = "info"',
      'block-period = "2s"',
      'ptm-url = "/run/tm.ipc"',
      'keystore-dir = "keystore"',
      'cors-origins = ["*"]',
    ])
      expect(toml.split('\n')).toContain(line);
    expect(await readdir(join(out, 'data'))).toEqual(['permission-config.json', 'permissioned-nodes.json']);
    expect((await openKeystoreFolder(join(out, 'keystore'), 'secret')).list()).toEqual([addresses[1]]);
    expect(table).toMatch(/^--http.api +changed .*personal is not here/m);
    expect(table).toMatch(/^--http.addr +changed .*authentication or insecure/m);
    expect(table).toMatch(/^--txpool.globalslots +ignored /m);
    expect(table).toMatch(/^--frobnicate +ignored +has no counterpart here$/m);
    expect(table).toMatch(/^keystore\/UTC--2020-01-00 +ignored +was locked/m);
    expect(table).toMatch(/^geth\/chaindata +ignored /m);
    expect(table).toContain(addressFromPrivateKey(KEY));
    expect(await readdir(join(data, 'geth'))).toEqual(['chaindata', 'nodekey']);
  });

  it('keeps the names of GoQuorum for the clients that are there', async () => {
    const aliasesOf = async (flags: string) => {
      const { out, table } = await adopt('--command', `geth --mine ${flags}`);
      const toml = await readFile(join(out, 'node.toml'), 'utf8');
      await rm(out, { recursive: true });
      return {
        table,
        api: /^http-api = (.*)$/m.exec(toml)?.[1],
        alias: /^rpc-alias = (.*)$/m.exec(toml)?.[1],
      };
    };
    const all = await aliasesOf('--http.api istanbul,quorumExtension,quorumPermission,eth');
    expect(all.api).toBe('["ibft", "chainExtension", "chainPermission", "eth"]');
    expect(all.alias).toBe(
      '["istanbul=ibft", "quorumPermission=chainPermission", "quorumExtension=chainExtension", "eth_getQuorumPayload=eth_getChainPayload"]',
    );
    expect(all.table).toMatch(
      /^--http.api +changed +rpc-alias = .* \(clients call the names of GoQuorum as before\)$/m,
    );
    expect((await aliasesOf('--rpcapi net,istanbul')).alias).toBe('["istanbul=ibft"]');
    expect((await aliasesOf('--http.api net')).alias).toBeUndefined();
    expect((await aliasesOf('')).alias).toBe('["eth_getQuorumPayload=eth_getChainPayload"]');
    const websocket = await aliasesOf('--ws --ws.api eth,istanbul');
    expect(websocket.api).toBe('["eth", "ibft"]');
    expect((await aliasesOf('--ws.api eth,istanbul --http.api net')).table).toMatch(/^--ws.api +ignored /m);
  });

  it.each<[string, object, string, string | undefined, string | undefined]>([
    ['neither', { istanbul: { epoch: 30_000 } }, '', '2s', '4000ms'],
    ['a later transition', { transitions: [{ block: 9, blockperiodseconds: 5 }] }, '', '2s', '4000ms'],
    ['the period', { Ibft: { blockPeriodSeconds: 1 } }, '', undefined, '4000ms'],
    ['zeros', { qbft: { blockperiodseconds: 0, requesttimeoutseconds: 0 } }, '', '2s', '4000ms'],
    ['both', { qbft: { blockperiodseconds: 1, requesttimeoutseconds: 10 } }, '', undefined, undefined],
    [
      'a transition at block 0',
      { transitions: [{ block: 0, algorithm: 'qbft', blockperiodseconds: 1 }] },
      '',
      undefined,
      '4000ms',
    ],
    ['raft', {}, '--raft', undefined, undefined],
  ])(
    'takes times of consensus where the genesis file says nothing: %s',
    async (_, config, flag, period, timeout) => {
      await writeFile(join(data, 'genesis.json'), JSON.stringify({ config: { chainId: 1337, ...config } }));
      const command = `geth --mine --istanbul.blockperiod 2 --istanbul.requesttimeout 4000 ${flag}`;
      const { out, table } = await adopt('--command', command, '--etcd-endpoints', 'http://a:2379');
      const toml = await readFile(join(out, 'node.toml'), 'utf8');
      expect(/^block-period = "(.*)"$/m.exec(toml)?.[1]).toBe(period);
      expect(/^request-timeout = "(.*)"$/m.exec(toml)?.[1]).toBe(timeout);
      if (period === undefined) expect(table).toMatch(/^--istanbul.blockperiod +ignored /m);
    },
  );

  it('shows what chain the node makes of the genesis file, and needs etcd for raft', async () => {
    const described = {
      engine: 'raft',
      chain: '10, rules of goquorum',
      genesisHash: '0xab',
      warnings: ['key'],
    };
    const check = async (engine: string, ...args: string[]) => {
      const options = await parseAdoptOptions([data, '--dry-run', ...args]);
      const { conversion } = await adoptNode(options);
      takeChain({ ...described, engine }, options, conversion);
      return formatSettings(conversion.rows);
    };
    expect(await check('qbft')).toMatch(
      /^genesis file +taken +qbft, chain id 10, rules of goquorum, block 0 0xab\ngenesis file +ignored +key$/m,
    );
    await expect(check('raft')).rejects.toThrow('names neither qbft nor ibft');
    expect(await check('raft', '--etcd-endpoints', 'http://a:2379')).toMatch(/^genesis file +taken +raft/m);
  });

  it('reads files with a byte order mark, and passes over key files that name no address, as geth does', async () => {
    const text = await readFile(join(data, 'genesis.json'), 'utf8');
    await writeFile(join(data, 'genesis.json'), `\uFEFF${text}`);
    await writeFile(join(data, 'static-nodes.json'), `\uFEFF["enode://${ID}@10.0.0.1:30311"]`);
    await writeFile(join(data, 'keystore/UTC--2019'), JSON.stringify({ address: '', crypto: {} }));
    const command = `geth --mine --unlock 0 --password ${folder}/password`;
    const { out } = await adopt('--command', command);
    expect(await readFile(join(out, 'node.toml'), 'utf8')).toContain('p2p-host = "10.0.0.1"');
    expect((await openKeystoreFolder(join(out, 'keystore'), 'secret')).list()).toEqual([addresses[0]]);
  });

  it('gives each node on a host its own operations port', async () => {
    const portOf = async (flags: string) => {
      const { out } = await adopt('--command', `geth --mine ${flags}`);
      const toml = await readFile(join(out, 'node.toml'), 'utf8');
      await rm(out, { recursive: true });
      return /^ops-listen-port = (.*)$/m.exec(toml)?.[1];
    };
    expect(await portOf('')).toBe('9545');
    expect(await portOf('--http.port 22000')).toBe('23000');
    expect(await portOf('--rpcport 22001 --port 23001')).toBe('23002');
    expect(await portOf('--http.port 65000')).toBe('64000');
    expect(await portOf('--metrics --metrics.port 6061 --http.port 22000')).toBe('6061');
  });

  it('lets a node that did not mine follow the chain, and takes keys of flags', async () => {
    const key = Buffer.alloc(32, 9).toString('hex');
    const { out } = await adopt(
      '--command',
      `geth --nodekeyhex ${key} --ptm.url http://localhost:9101 --ptm.timeout 10`,
    );
    const toml = await readFile(join(out, 'node.toml'), 'utf8');
    expect(toml).toMatch(/^validator = false$/m);
    expect(toml).toMatch(/^ptm-url = "http:\/\/localhost:9101"$/m);
    expect(toml).toMatch(/^ptm-timeout = "10s"$/m);
    expect((await readFile(join(out, 'nodekey'), 'utf8')).trim()).toBe(key);
  });

  it('shows the table on request and writes nothing, nor over a folder that is there', async () => {
    const { out, table } = await adopt('--dry-run');
    expect(table).toMatch(/^static-nodes.json +taken/m);
    await expect(stat(out)).rejects.toThrow('ENOENT');
    await mkdir(out);
    await writeFile(join(out, 'mine'), '');
    await expect(adopt()).rejects.toThrow('already exists and is not empty');
    expect((await readdir(folder)).sort()).toEqual(['node0', 'password', 'qdata']);
  });

  it.each<[string, string, string, string[]]>([
    ['geth/nodekey: has 62 characters, not 64', 'geth/nodekey', '07'.repeat(31), []],
    ['geth/nodekey: is not a private key', 'geth/nodekey', '00'.repeat(32), []],
    ['static-nodes.json: is not JSON', 'static-nodes.json', '[', []],
    ['static-nodes.json: is not a list', 'static-nodes.json', '{}', []],
    ['static-nodes.json: entry 1 is not an enode URL', 'static-nodes.json', '["enode://1@a:1"]', []],
    ['disallowed-nodes.json: is not a list', 'disallowed-nodes.json', '1', []],
    ['permission-config.json: interfaceAddress: is not', 'permission-config.json', '{}', []],
    ['genesis.json: config.chainId: is not a number', 'genesis.json', '{"config":{}}', []],
    ['keystore/bad: is not JSON', 'keystore/bad', '{', []],
    ['keystore/bad: address: is not an address', 'keystore/bad', '{}', []],
    ['--unlock: 7 is not in the keystore', 'x', '', ['--command', 'geth --unlock 7']],
    ['--password: is not given, with --unlock', 'x', '', ['--command', 'geth --unlock 0']],
    ['the password is wrong', 'pw', 'no', ['--command', 'geth --unlock 0 --password DATA/pw']],
    ['has different passwords', 'pw', 'a\nb', ['--command', 'geth --unlock 0,1 --password DATA/pw']],
    ['--etcd-endpoints: is required', 'x', '', ['--command', 'geth --raft']],
    ['PRIVATE_CONFIG: /tm.conf is not a socket', 'x', '', ['--command', 'PRIVATE_CONFIG=/tm.conf geth']],
    ['--port: many is not a whole number', 'x', '', ['--command', 'geth --port many']],
    ['--service-file: cannot be used', 'x', '', ['--command', 'geth', '--service-file', 'x']],
    ['--genesis: there is no', 'x', '', ['--genesis', 'absent.json']],
  ])('is refused, and nothing is written: %s', async (message, file, text, args) => {
    await writeFile(join(data, file), text);
    await expect(adopt(...args.map((arg) => arg.replace('DATA', data)))).rejects.toThrow(message);
    expect((await readdir(folder)).sort()).toEqual(['password', 'qdata']);
  });

  it.each([
    [[], 'needs one data folder'],
    [['a', 'b'], 'needs one data folder'],
    [['a'], '--out is required'],
    [['a', '--wrong'], "Unknown option '--wrong'"],
  ])('%j is refused', async (args, message) => {
    await expect(parseAdoptOptions(args)).rejects.toThrow(message);
  });
});
