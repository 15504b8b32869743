import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { grantRights, migrateDeploy, prismaFolder } from '@tetrad/db';
import {
  PORTS_PER_NODE,
  callRpc,
  eventually,
  freePorts,
  minedOnce,
  parseNetworkOptions,
  startNetwork,
  type Network,
} from '@tetrad/devnet';
import { PostgresPair, SHORT_BLOCK_PERIODS, isServiceReady, until } from '@tetrad/testkit';
import { runTetrad } from '../tetrad-process.js';
import { privateLoad, publicLoad, signerLoad, type AcknowledgedLoad } from './acknowledged-load.js';

const SERVICES = 'node,signer,wallet,transaction-manager,rollup-operator';
const DATABASES: Readonly<Record<string, string>> = {
  tetrad_node0: 'node',
  tetrad_node1: 'node',
  tetrad_manager0: 'transaction-manager',
  tetrad_manager1: 'transaction-manager',
  tetrad_signer: 'signer',
  tetrad_wallet: 'wallet',
  tetrad_rollup_operator: 'rollup-operator',
};

let folder: string;
let base: number;
let pair: PostgresPair;
let network: Network;
const ended: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-failover-'));
  pair = await PostgresPair.start();
  const url = await prepareDatabases();
  base = await freePorts(2 * PORTS_PER_NODE);
  const words = ['--nodes', '2', '--services', SERVICES, ...SHORT_BLOCK_PERIODS];
  const places = ['--data-dir', join(folder, 'network'), '--port-base', String(base)];
  const file = ['--endpoints-file', join(folder, 'endpoints.json')];
  const options = parseNetworkOptions([...words, ...places, ...file, '--database-url', url]);
  network = await startNetwork(options, { onEnded: (name, how) => ended.push(`${name} ${how}`) });
});
afterAll(async () => {
  await network?.stop();
  await pair?.stop();
  await rm(folder, { recursive: true, force: true });
});

/**
 * Databases that one role owns, with the rights of the services for another.
 * @returns URL with both servers, as that role
 */
async function prepareDatabases(): Promise<string> {
  await pair.run('primary', "CREATE ROLE owner LOGIN PASSWORD 'owner'");
  await pair.run('primary', "CREATE ROLE service LOGIN PASSWORD 'service'");
  const as = (role: string, database: string) =>
    pair.url(database).replace(/\/\/[^@]*@/, `//${role}:${role}@`);
  for (const [database, service] of Object.entries(DATABASES)) {
    await pair.run('primary', `CREATE DATABASE ${database} OWNER owner`);
    await migrateDeploy(as('owner', database), prismaFolder(service));
    await grantRights(as('owner', database), 'service', { createSchemas: service === 'rollup-operator' });
  }
  return as('service', 'postgres');
}

const nodeAt = (index: number) => network.endpoints.nodes[index] as Network['endpoints']['nodes'][number];
const heightOf = async (index: number) => Number(await callRpc(nodeAt(index).rpc, 'eth_blockNumber', []));

async function blockHash(height: number): Promise<string> {
  const block = await callRpc(nodeAt(0).rpc, 'eth_getBlockByNumber', [`0x${height.toString(16)}`, false]);
  return (block as { hash: string }).hash;
}

/** Waits until each load has so many more answers. */
async function more(loads: readonly AcknowledgedLoad[], count: number): Promise<void> {
  const wanted = loads.map(({ hashes }) => hashes.length + count);
  await until(() => loads.every(({ hashes }, index) => hashes.length >= (wanted[index] ?? 0)));
}

/** Operations ports: nodes, managers, signer, wallet and rollup operator. */
const operations = () => [1, 11, 8, 18, 3, 6, 13].map((offset) => `http://127.0.0.1:${base + offset}`);

describe('a network whose primary database dies under load', () => {
  it('goes on with the promoted standby, and keeps everything that it acknowledged', async () => {
    const loads = [publicLoad(network), signerLoad(network), privateLoad(network)];
    for (const load of loads) load.start();
    await more(loads, 10);
    const height = await heightOf(0);
    const hash = await blockHash(height);

    await pair.killPrimary();
    await pair.promote();
    await more(loads, 10);
    for (const load of loads) await load.stop();

    expect(await blockHash(height)).toBe(hash);
    for (const { hashes, name } of loads) {
      expect([name, new Set(hashes).size]).toEqual([name, hashes.length]);
      await minedOnce(nodeAt(0).rpc, hashes);
    }
    await eventually('a private contract is missing', async () => {
      for (const hash of loads[2]?.hashes ?? []) await expectContractAtBoth(hash);
      return true;
    });
  });

  it('has every service ready again, without a restart', async () => {
    for (const url of operations()) await eventually(`${url} is not ready`, () => isServiceReady(url));
    expect(ended).toEqual([]);
  });

  it('is backed up and written to by a role that owns no table', async () => {
    const made = await runTetrad([
      'backup',
      '--out',
      join(folder, 'backup'),
      '--endpoints-file',
      join(folder, 'endpoints.json'),
    ]);
    expect([made.code, made.stderr]).toEqual([0, expect.any(String)]);
    const { wallet } = network.endpoints;
    const list = () => callRpc(`${wallet?.rpc}${wallet?.path}`, 'Coin.WalletList', []) as Promise<string[]>;
    const before = await list();
    const { command, args, environment } = network.process('wallet').command(['new', 'secp256k1']);
    await promisify(execFile)(command, [...args], {
      env: { ...process.env, ...environment, NODE_OPTIONS: '' },
    });
    expect(await list()).toHaveLength(before.length + 1);
    const owned = `SELECT count(*)::int AS count FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
                    WHERE relowner = 'service'::regrole AND nspname = 'public'`;
    for (const database of Object.keys(DATABASES))
      expect([database, await pair.run(pair.standby, owned, database)]).toEqual([database, [{ count: 0 }]]);
  });

  it('does not return to the former primary', async () => {
    const before = await heightOf(0);
    await pair.startFormer();
    await until(async () => (await heightOf(0)) > before + 3);
    // Services ask both servers which of them is the primary, from time to time.
    const clients = `SELECT count(*)::int AS count FROM pg_stat_activity
                      WHERE backend_type = 'client backend' AND datname LIKE 'tetrad_%' AND state <> 'idle'
                        AND query NOT LIKE '%pg_is_in_recovery()%'`;
    expect(await pair.run('primary', clients)).toEqual([{ count: 0 }]);
  });
});

/** Both parties have executed the private transaction. */
async function expectContractAtBoth(hash: string): Promise<void> {
  for (const index of [0, 1]) {
    const { rpc } = nodeAt(index);
    const receipt = (await callRpc(rpc, 'eth_getTransactionReceipt', [hash])) as { contractAddress: string };
    expect(await callRpc(rpc, 'eth_getCode', [receipt.contractAddress, 'latest'])).toBe('0x00');
  }
}
