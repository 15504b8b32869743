import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectDatabase } from '@tetrad/db';
import { seededRandom, until } from '@tetrad/testkit';
import { createNodeHome, type NodeHome, type NodeProcess } from '../node-process.js';
import { post, startNode, type RunningNode } from '../running-node.js';
import { LOGGER, VALIDATOR, chainGenesis, contractAt, writeChain } from '../speed/large-chain.js';

/** More in `./tetrad bench join`. */
const KILLS = Number(process.env['TETRAD_JOIN_KILLS'] ?? 5);
const QUERIES = Number(process.env['TETRAD_JOIN_QUERIES'] ?? 200);
const SEED = Number(process.env['TETRAD_JOIN_SEED'] ?? 44);
const SIZE = { blocks: 400, accounts: 5_000, contracts: 200, slots: 10, transactions: 3 };

const random = seededRandom(SEED);
const below = (most: number) => Math.floor(random() * most);
const hex = (number: number) => `0x${number.toString(16)}`;

let full: RunningNode;
let genesis: object;
let home: NodeHome;
const homes: NodeHome[] = [];
let node: NodeProcess | undefined;
let flags: string[];

beforeAll(async () => {
  genesis = chainGenesis();
  full = await startNode([], { genesis, nodeKey: VALIDATOR, prepare: (url) => writeChain(url, SIZE) });
  await beginAnew();
});
afterAll(async () => {
  await node?.stop();
  await Promise.all(homes.map((one) => one.remove()));
  await full?.stop();
});

/** Makes a node that has nothing yet the one that joins. */
async function beginAnew(): Promise<void> {
  home = await createNodeHome([]);
  homes.push(home);
  const files = { genesis: join(home.folder, 'joined.json'), key: join(home.folder, 'joined.key') };
  await writeFile(files.genesis, JSON.stringify(genesis));
  await writeFile(files.key, '51'.repeat(32));
  const { enode } = (await full.result('admin_nodeInfo')) as { enode: string };
  const values = ['--genesis-file', files.genesis, '--node-key-file', files.key, '--peers', enode];
  flags = [...values, '--sync', 'state', '--http-api', 'eth,admin,debug'];
}

/** Whether the node has the whole past, with which its joining ends. */
async function hasPast(): Promise<boolean> {
  const database = await connectDatabase({ url: home.databaseUrl });
  try {
    const table = await database.pool.query(`SELECT to_regclass('state_sync') AS name`);
    if (table.rows[0]?.name === null) return false;
    const { rows } = await database.pool.query(`SELECT filled_from::int AS first FROM state_sync`);
    return (rows[0]?.first ?? Infinity) <= 1;
  } finally {
    await database.close();
  }
}

/** What a joining takes that is not killed. Units: ms */
async function timeOfJoining(): Promise<number> {
  const began = performance.now();
  const whole = await home.start(flags);
  await until(hasPast);
  const tookMs = performance.now() - began;
  await whole.stop();
  return tookMs;
}

/** The rows of the newest state, which empty blocks do not change. */
async function stateOf(url: string): Promise<unknown> {
  const database = await connectDatabase({ url });
  try {
    const text = `SELECT count(*)::text AS rows, md5(string_agg(md5(key || value), '' ORDER BY key)) AS digest FROM flat_state`;
    return (await database.pool.query(text)).rows;
  } finally {
    await database.close();
  }
}

/** A question about the chain up to the block, chosen at random. */
function question(head: number): [string, unknown[]] {
  const number = below(head + 1);
  const block = hex(number);
  const contract = contractAt(below(SIZE.contracts));
  const later = hex(Math.min(head, number + below(50)));
  const questions: [string, unknown[]][] = [
    ['eth_getBlockByNumber', [block, true]],
    ['eth_getBlockReceipts', [block]],
    ['eth_getLogs', [{ address: LOGGER, fromBlock: block, toBlock: later }]],
    ['eth_getTransactionByBlockNumberAndIndex', [block, hex(below(SIZE.transactions))]],
    ['eth_getBlockTransactionCountByNumber', [block]],
    ['eth_getBalance', [contract, hex(head)]],
    ['eth_getStorageAt', [contract, hex(below(SIZE.slots)), hex(head)]],
    ['eth_getCode', [contract, hex(head)]],
    ['eth_getProof', [contract, [hex(below(SIZE.slots))], hex(head)]],
  ];
  return questions[below(questions.length)] as [string, unknown[]];
}

describe(`nodes that are killed ${KILLS} times in all while they join by state, seed ${SEED}`, () => {
  it('go on each time, and end with the same state', async () => {
    const withinMs = await timeOfJoining();
    await beginAnew();
    for (let kills = 0; kills < KILLS;) {
      await home.killAfter(below(withinMs), flags);
      // Only what is killed while it joins is counted.
      if (await hasPast()) {
        expect(await stateOf(home.databaseUrl)).toEqual(await stateOf(full.databaseUrl));
        await beginAnew();
      } else kills += 1;
    }
    node = await home.start(flags);
    const head = Number(await full.result('eth_blockNumber'));
    await until(async () => Number((await post(home.url, 'eth_blockNumber', [])).result) >= head);
    await until(
      async () => (await post(home.url, 'eth_getBlockByNumber', ['0x1', true])).error === undefined,
    );
    expect(await stateOf(home.databaseUrl)).toEqual(await stateOf(full.databaseUrl));
  });

  it(`answer ${QUERIES} random questions as the node that has everything, in the last one`, async () => {
    const head = Number(await full.result('eth_blockNumber'));
    await until(async () => Number((await post(home.url, 'eth_blockNumber', [])).result) >= head);
    for (let asked = 0; asked < QUERIES; asked += 1) {
      const [method, params] = question(head);
      const [expected, found] = await Promise.all(
        [full.url, home.url].map((url) => post(url, method, params)),
      );
      expect([method, params, found]).toEqual([method, params, expected]);
      expect([method, params, found?.error]).toEqual([method, params, undefined]);
    }
  });
});
