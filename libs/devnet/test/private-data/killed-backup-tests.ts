import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { callRpc, eventually, sendPrivately } from '@tetrad/devnet';
import { createTestDatabase, loadToken, until, type TestDatabase } from '@tetrad/testkit';
import { Contract, ContractFactory, Wallet, getCreateAddress } from 'ethers';
import { signPrivately, submit } from '../../src/demo/send-privately.js';
import { MAIN, runTetrad } from '../tetrad-process.js';
import type { ThreeNodes } from './three-nodes.js';

const LOCK = 732;
const NODE_URL = 'TETRAD_NODE_DATABASE_URL';
const MANAGER_URL = 'TETRAD_TRANSACTION_MANAGER_DATABASE_URL';

let nodes: ThreeNodes;
/** Databases of the first node and its manager, and the ones that get the backup. */
let source: Record<'node' | 'manager', Database>;
const targets: TestDatabase[] = [];
let target: Record<'node' | 'manager', Database>;
let targetEnvironment: Record<string, string>;
const connect = (url: string) => connectDatabase({ url, poolSize: 4 });

/** The private head of the first node, and the private root of its peer at that block. */
let stands: { readonly height: number; readonly head: number; readonly root: unknown };

/** Private traffic, the last of which the first node cannot follow, as its manager is unavailable. That node is stopped then. */
async function standBelowTheHead(): Promise<typeof stands> {
  const wallet = new Wallet(nodes.network.endpoints.funded[1]?.privateKey ?? '');
  const request = { wallet, through: nodes.nodeAt(1), privateFor: [nodes.nodeAt(0).ptmKey] };
  const { abi, bytecode } = await loadToken();
  const { data } = await new ContractFactory([...abi], bytecode).getDeployTransaction('A', 'A', 1_000n);
  await sendPrivately({ ...request, nonce: 0, data });
  const to = getCreateAddress({ from: wallet.address, nonce: 0 });
  const { interface: calls } = new Contract(to, [...abi]);
  const transfer = {
    ...request,
    to,
    data: calls.encodeFunctionData('transfer', [`0x${'7e'.repeat(20)}`, 1n]),
  };
  const hash = await sendPrivately({ ...transfer, nonce: 1 });
  await eventually('the transfer is not executed', async () => (await minedOn(0, hash)) !== undefined);
  const { raw } = await signPrivately({ ...transfer, nonce: 2 });
  await nodes.network.process('manager0').stop();
  const last = await submit(nodes.nodeAt(1), raw);
  await eventually('the last transfer is not mined', async () => (await minedOn(1, last)) !== undefined);
  const block = (await minedOn(1, last)) ?? 0;
  await eventually('the chain does not go on', async () => (await nodes.heightOf(0)) > block + 1);
  await nodes.network.nodes[0]?.stop();
  return { height: block - 1, head: await nodes.heightOf(1), root: await nodes.rootOn(1, block - 1) };
}

/** Number of the block with the transaction. */
async function minedOn(index: number, hash: string): Promise<number | undefined> {
  const receipt = await callRpc(nodes.nodeAt(index).rpc, 'eth_getTransactionReceipt', [hash]).catch(
    () => null,
  );
  return receipt === null ? undefined : Number((receipt as { blockNumber: string }).blockNumber);
}

/** Kills a command, with its children unless `isAlone`, while it waits for a lock of the database. */
async function killWhileWaiting(
  database: Database,
  words: readonly string[],
  options: { readonly environment?: Record<string, string>; readonly isAlone?: boolean } = {},
): Promise<void> {
  const { environment = {}, isAlone = false } = options;
  const env = { ...process.env, ...environment, NODE_OPTIONS: '' };
  const child = spawn(process.execPath, [MAIN, ...words], { detached: true, env, stdio: 'ignore' });
  const ended = new Promise((done) => child.once('exit', done));
  await until(async () => (await waiting(database)).length > 0);
  process.kill(isAlone ? Number(child.pid) : -Number(child.pid), 'SIGKILL');
  await ended;
}

async function waiting({ pool }: Database): Promise<number[]> {
  const { rows } = await pool.query<{ pid: number }>(
    `SELECT DISTINCT pid FROM pg_locks WHERE NOT granted AND pid <> pg_backend_pid()
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  return rows.map(({ pid }) => pid);
}

/** Connections of a killed process that still wait. */
async function endWaiting(database: Database): Promise<void> {
  for (const pid of await waiting(database))
    await database.pool.query('SELECT pg_terminate_backend($1, 60000)', [pid]);
}

const out = () => join(nodes.folder, 'killed-backup');
const backupWords = () => ['backup', '--out', out(), '--endpoints-file', nodes.endpointsFile];
const restoreWords = () => ['restore', '--from', out()];

/** Rows in all tables of the databases that get the backup. */
async function rowsOf(part: 'node' | 'manager'): Promise<number> {
  const { pool } = target[part];
  const { rows } = await pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema = current_schema() AND table_name <> '_prisma_migrations'`,
  );
  const counts = rows.map(({ name }) => pool.query<{ count: string }>(`SELECT count(*) FROM "${name}"`));
  return (await Promise.all(counts)).reduce((sum, { rows: [row] }) => sum + Number(row?.count), 0);
}

/** Kills a restoration while it writes the first row of the table. */
async function killAt(part: 'node' | 'manager', table: string): Promise<void> {
  const database = target[part];
  await database.pool.query(`CREATE OR REPLACE FUNCTION wait_for_lock() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_advisory_xact_lock(${LOCK}); RETURN NEW; END'`);
  await database.pool.query(
    `CREATE TRIGGER wait_for_lock BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION wait_for_lock()`,
  );
  await database.transaction(async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    await killWhileWaiting(database, restoreWords(), { environment: targetEnvironment });
    await endWaiting(database);
  });
  await database.pool.query(`DROP TRIGGER wait_for_lock ON ${table}`);
}

/** Backups and restorations that are killed, and the ones after them. The first node is stopped, and so it is left. */
export function testKilledBackups(network: () => ThreeNodes): void {
  beforeAll(async () => {
    nodes = network();
    await openDatabases();
    stands = await standBelowTheHead();
  });
  afterAll(async () => {
    for (const database of [...Object.values(source ?? {}), ...Object.values(target ?? {})])
      await database.close();
    for (const database of targets) await database.drop();
  });

  describe('a backup that is killed', () => {
    it.each([
      ['node', 'block'],
      ['node', 'private_trie_node'],
      ['manager', 'payload'],
    ] as const)(
      'while it reads from the %s table %s leaves nothing that can be restored',
      async (part, table) => {
        await source[part].transaction(async (client) => {
          await client.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
          await killWhileWaiting(source[part], backupWords());
          await endWaiting(source[part]);
        });
        expect(existsSync(out())).toBe(false);
        for (const from of [out(), `${out()}.part`]) {
          const refused = await runTetrad(['restore', '--from', from], targetEnvironment);
          expect([from, refused.code]).not.toEqual([from, 0]);
        }
        expect(await rowsOf('node')).toBe(0);
        expect(await rowsOf('manager')).toBe(0);
      },
    );

    it('and leaves a writing program behind is not restarted while that runs', async () => {
      await source.node.transaction(async (client) => {
        await client.query('LOCK TABLE block IN ACCESS EXCLUSIVE MODE');
        await killWhileWaiting(source.node, backupWords(), { isAlone: true });
        const refused = await runTetrad(backupWords());
        expect([refused.code, refused.stderr]).toEqual([
          1,
          expect.stringMatching(/backup\.part: is being written by process \d+/),
        ]);
        await endWaiting(source.node);
      });
    });

    it('is completed by the next attempt, up to the private head', async () => {
      let made = await runTetrad(backupWords());
      // The program that was left behind may take a moment to end.
      while (/is being written by/.test(made.stderr)) made = await runTetrad(backupWords());
      expect([made.code, existsSync(`${out()}.part`)]).toEqual([0, false]);
      const line = made.stdout.split('\n').find((one) => one.startsWith('chain and private state')) ?? '';
      const { height, head, privateStateRoot } = JSON.parse(line.slice(line.indexOf('{'))) as Record<
        string,
        unknown
      >;
      expect({ height, root: privateStateRoot }).toEqual({ height: stands.height, root: stands.root });
      expect(Number(head)).toBeGreaterThan(stands.height);
    });
  });

  describe('a restoration that is killed', () => {
    it.each(['payload', 'payload_recipient'])('while it writes %s has written nothing', async (table) => {
      await killAt('manager', table);
      expect([await rowsOf('manager'), await rowsOf('node')]).toEqual([0, 0]);
    });

    it.each(['block', 'private_trie_node'])(
      'while it writes %s has written the payloads whole, and nothing else',
      async (table) => {
        await killAt('node', table);
        expect(await rowsOf('node')).toBe(0);
        expect(await rowsOf('manager')).toBeGreaterThan(0);
      },
    );

    it('is finished by the next attempt; the node has the private root of its peer, and continues', async () => {
      expect((await runTetrad(restoreWords(), targetEnvironment)).code).toBe(0);
      const { rows } = await target.node.pool.query<{ highest: string }>(
        'SELECT max(number) AS highest FROM block',
      );
      expect(Number(rows[0]?.highest)).toBe(stands.height);
      const again = await runTetrad(restoreWords(), targetEnvironment);
      expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('the database is not empty')]);
      await nodes.network.process('manager0').start();
      const restored = await nodes.startRestored(targetEnvironment);
      try {
        expect(await nodes.rootOn(0, stands.height)).toBe(stands.root);
        await eventually('the chain does not go on', async () => (await nodes.heightOf(0)) > stands.head);
        expect(await nodes.rootOn(0, stands.head)).toBe(await nodes.rootOn(1, stands.head));
        expect(await nodes.rootOn(0, stands.head)).not.toBe(stands.root);
      } finally {
        await restored.stop();
      }
    });
  });
}

async function openDatabases(): Promise<void> {
  source = {
    node: await connect(nodes.databaseUrl('tetrad_node0')),
    manager: await connect(nodes.databaseUrl('tetrad_manager0')),
  };
  targets.push(await createTestDatabase('node'), await createTestDatabase('transaction-manager'));
  const [node, manager] = targets.map((database) => database.url) as [string, string];
  target = { node: await connect(node), manager: await connect(manager) };
  targetEnvironment = { [NODE_URL]: node, [MANAGER_URL]: manager };
}
