import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase } from '@tetrad/db';
import { writeKeyFile } from '@tetrad/keystore';
import { FaultyProxy, seededRandom, testSeed, until } from '@tetrad/testkit';
import { createNodeHome, type NodeHome, type NodeProcess } from '../node-process.js';
import {
  RECORDED_KEYS,
  privacyGenesis,
  recordedAccounts,
  startPrivacyNetwork,
  type PrivacyNetwork,
} from '../privacy-network.js';
import { contracts, creationOf } from '../rpc/privacy/private-contracts.js';
import { post, type RunningNode } from '../running-node.js';
import { enodeOf } from '../validator-network.js';

/** How often the process is killed in each scenario. */
const KILLS = 3;
/** Of every byte between the process and its manager, so that following a block takes a while. Units: ms */
const SLOWNESS = 40;
const GAS = '0x2dc6c0';
const ACCOUNTS = recordedAccounts(2);

/** A node in this process, which orders blocks, and one that is killed; each has a manager here. */
let network: PrivacyNetwork;
let link: FaultyProxy;
let home: NodeHome;
let running: NodeProcess;
const random = seededRandom(testSeed());

beforeAll(async () => {
  const [first] = ACCOUNTS;
  const modules = 'eth,net,admin,debug,chainExtension';
  network = await startPrivacyNetwork({
    keys: RECORDED_KEYS.slice(0, 2),
    accounts: first === undefined ? [] : [first],
    modules,
  });
  link = await FaultyProxy.open({ port: () => Number(new URL(manager(1).url).port) });
  home = await createNodeHome([]);
  await writeFile(join(home.folder, 'genesis.json'), JSON.stringify(privacyGenesis(ACCOUNTS.slice(0, 1))));
  await writeFile(join(home.folder, 'nodekey'), '51'.repeat(32));
  await writeFile(join(home.folder, 'password'), 'secret');
  const privateKey = ACCOUNTS[1]?.privateKey as Uint8Array;
  const key = { privateKey, password: 'secret', name: 'own', scryptN: 1024 };
  await writeKeyFile(join(home.folder, 'keystore'), key);
  running = await start();
});
afterAll(async () => {
  await running?.kill();
  await home?.remove();
  await link?.close();
  await network?.stop();
});

const here = () => network.nodes[0] as RunningNode;
const manager = (index: number) => network.managers[index] as PrivacyNetwork['managers'][number];
const account = (index: number) => ACCOUNTS[index]?.address as string;

async function start(): Promise<NodeProcess> {
  return home.start([
    '--keystore-dir',
    join(home.folder, 'keystore'),
    '--keystore-password-file',
    join(home.folder, 'password'),
    '--ptm-url',
    `http://127.0.0.1:${link.port}`,
    '--ptm-timeout',
    '60s',
    '--private-state-wait',
    '60s',
    '--peers',
    await enodeOf(here()),
    '--peer-exchange',
    'false',
    '--http-api',
    'eth,chainExtension',
  ]);
}

/** Kills the process at any moment of the next while, and starts it again. Units: ms */
async function killWithin(most: number): Promise<void> {
  await new Promise((done) => setTimeout(done, random() * most));
  await running.kill();
  await assertWhole();
  running = await start();
}

/** What the killed node has stored: an extension has ended just if the block with its end was followed. */
async function assertWhole(): Promise<void> {
  const database = await connectDatabase({ url: home.databaseUrl, poolSize: 1 });
  try {
    const { rows } = await database.pool.query<{ whole: boolean }>(
      `SELECT coalesce(finished_block <= number, true) AND coalesce(approved_block <= number, true)
              AND started_block <= number AS whole FROM private_extension, private_head`,
    );
    expect(rows.filter(({ whole }) => !whole)).toEqual([]);
  } finally {
    await database.close();
  }
}

async function ask<T>(where: 'here' | 'there', method: string, ...params: unknown[]): Promise<T> {
  const { result, error } = await post(where === 'here' ? here().url : home.url, method, params);
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result as T;
}

const read = (where: 'here' | 'there', to: string) =>
  ask<string>(where, 'eth_call', { to, data: contracts.encodeFunctionData('get') });

const isDone = async (where: 'here' | 'there', management: string) =>
  (await post(where === 'here' ? here().url : home.url, 'chainExtension_getExtensionStatus', [management]))
    .result === 'DONE';

async function mined(hash: string): Promise<{ readonly contractAddress: string; readonly status: string }> {
  const receipt = await here().mined(hash);
  expect(receipt.status).toBe('0x1');
  return receipt;
}

/**
 * A contract of one node alone.
 * @returns its address
 */
async function create(where: 'here' | 'there', value: number): Promise<string> {
  const from = account(where === 'here' ? 0 : 1);
  const data = creationOf('SimpleStorage', value);
  const hash = await ask<string>(where, 'eth_sendTransaction', { from, data, gas: GAS, privateFor: [] });
  const { contractAddress } = await mined(hash);
  await until(async () => (await ask(where, 'eth_getTransactionReceipt', hash)) !== null);
  return contractAddress;
}

async function assertShared(contract: string, value: number): Promise<void> {
  expect([await read('here', contract), await read('there', contract)].map(Number)).toEqual([value, value]);
  const roots = [
    await ask('here', 'eth_storageRoot', contract),
    await ask('there', 'eth_storageRoot', contract),
  ];
  expect(roots[1]).toBe(roots[0]);
}

describe('a node that is killed while it takes part in an extension', () => {
  it('has the state once, after a crash at any point, as the invited node', async () => {
    const contract = await create('here', 77);
    const txArgs = { from: account(0), privateFor: [manager(1).key] };
    const extend = [contract, manager(1).key, account(1), txArgs] as const;
    const hash = await ask<string>('here', 'chainExtension_extendContract', ...extend);
    const { contractAddress: management } = await mined(hash);
    const vote = { from: account(1), privateFor: [manager(0).key] };
    await until(
      async () => (await ask<unknown[]>('there', 'chainExtension_activeExtensionContracts')).length > 0,
    );
    await ask('there', 'chainExtension_approveExtension', management, true, vote);
    link.set({ kind: 'delay', ms: SLOWNESS });
    for (let kill = 0; kill < KILLS; kill++) await killWithin(1_000);
    link.heal();
    await until(async () => (await isDone('here', management)) && (await isDone('there', management)));
    await assertShared(contract, 77);
    expect(await ask('there', 'chainExtension_activeExtensionContracts')).toEqual([]);
  });

  it('votes and shares the state, after a crash at any point, as the initiator', async () => {
    const contract = await create('there', 88);
    const txArgs = { from: account(1), privateFor: [manager(0).key] };
    const extend = [contract, manager(0).key, account(0), txArgs] as const;
    const hash = await ask<string>('there', 'chainExtension_extendContract', ...extend);
    await killWithin(0);
    const { contractAddress: management } = await mined(hash);
    const vote = { from: account(0), privateFor: [manager(1).key] };
    await mined(await ask<string>('here', 'chainExtension_approveExtension', management, true, vote));
    link.set({ kind: 'delay', ms: SLOWNESS });
    for (let kill = 0; kill < KILLS; kill++) await killWithin(1_000);
    link.heal();
    await until(async () => (await isDone('here', management)) && (await isDone('there', management)));
    await assertShared(contract, 88);
  });
});
