import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { PORT_STEP, callRpc, eventually, sendPrivately, serviceMain } from '@tetrad/devnet';
import { loadToken, startChildService, until } from '@tetrad/testkit';
import { Contract, ContractFactory, Wallet, getCreateAddress } from 'ethers';
import { runTetrad } from '../tetrad-process.js';
import type { ThreeNodes } from './three-nodes.js';

const RECIPIENT = `0x${'7e'.repeat(20)}`;
const TRANSFERS = 3;
/** Payloads that are stored before the command is killed. */
const STORED_FIRST = 2;
const LOCK = 731;

let nodes: ThreeNodes;
let manager: Database;
let token: string;
let calls: Contract['interface'];
const peerUrl = (index: number) => `http://127.0.0.1:${nodes.portBase + index * PORT_STEP + 9}`;

/** A contract of all nodes, to which each of them sends a transaction. */
async function makePrivateTraffic(): Promise<void> {
  const wallet = new Wallet(nodes.network.endpoints.funded[2]?.privateKey ?? '');
  const keys = nodes.network.endpoints.nodes.map(({ ptmKey }) => ptmKey);
  const from = (index: number) => ({
    wallet,
    through: nodes.nodeAt(index),
    privateFor: keys.filter((_, other) => other !== index),
  });
  const { abi, bytecode } = await loadToken();
  const { data } = await new ContractFactory([...abi], bytecode).getDeployTransaction('A', 'A', 1_000n);
  await sendPrivately({ ...from(1), nonce: 0, data });
  token = getCreateAddress({ from: wallet.address, nonce: 0 });
  ({ interface: calls } = new Contract(token, [...abi]));
  const transfer = { to: token, data: calls.encodeFunctionData('transfer', [RECIPIENT, 1n]) };
  for (const index of [0, 1, 2]) await sendPrivately({ ...from(index), ...transfer, nonce: 1 + index });
  await eventually('the transfers are not executed', async () => (await balanceOn(0)) === TRANSFERS);
}

async function balanceOn(index: number): Promise<number> {
  const data = calls.encodeFunctionData('balanceOf', [RECIPIENT]);
  const answer = await callRpc(nodes.nodeAt(index).rpc, 'eth_call', [{ to: token, data }, 'latest']);
  return answer === '0x' ? 0 : Number(answer);
}

/** The options of the first node's manager. */
function managerOptions(): string[] {
  const first = join(nodes.folder, 'network', 'node0');
  return [
    '--key-files',
    join(first, 'manager.key'),
    '--key-password-file',
    join(nodes.folder, 'network', 'password'),
    '--http-listen-port',
    String(nodes.portBase + 7),
    '--ops-listen-port',
    String(nodes.portBase + 8),
    '--peer-listen-port',
    String(nodes.portBase + 9),
    '--peers',
    `${peerUrl(1)},${peerUrl(2)}`,
  ];
}

const environment = () => nodes.network.process('manager0').command([]).environment;
const recover = () => runTetrad(['node', 'recover-payloads', ...managerOptions()], environment());
const stored = async () => Number((await manager.pool.query('SELECT count(*) FROM payload')).rows[0]?.count);

/** Deletes all rows of the manager, as in a new database. */
async function losePayloads(): Promise<void> {
  await manager.pool.query(
    'TRUNCATE payload, payload_recipient, raw_payload, staged_payload, key_holder, completeness',
  );
}

/** Deletes all private data from both databases. */
async function loseEverythingPrivate(): Promise<void> {
  await losePayloads();
  const node = await connectDatabase({ url: nodes.databaseUrl('tetrad_node0'), poolSize: 1 });
  const { rows } = await node.pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema = current_schema() AND table_name LIKE 'private\\_%'`,
  );
  await node.pool.query(`TRUNCATE ${rows.map(({ name }) => name).join(', ')}`);
  await node.close();
}

/**
 * Starts the first node, and waits until its private state has paused.
 * @returns the reason
 */
async function startPaused(): Promise<string> {
  const node = nodes.network.nodes[0];
  if (node === undefined) throw new Error('the network has no node');
  let reason: string | undefined;
  const paused = await startChildService({
    name: 'paused',
    ...node.startCommand,
    logFile: join(nodes.folder, 'paused.log'),
    async isReady() {
      const answer = await fetch(`http://127.0.0.1:${node.ports.ops}/readyz/rollout`).catch(() => undefined);
      const { notReady } = ((await answer?.json()) ?? {}) as { notReady?: { privateState?: string } };
      reason = notReady?.privateState;
      return reason !== undefined;
    },
  });
  await paused.stop();
  return reason ?? '';
}

/** Numbers of the blocks with private transactions that the node is a party to. */
async function executedBlocks(index: number): Promise<number[]> {
  const node = await connectDatabase({ url: nodes.databaseUrl(`tetrad_node${index}`), poolSize: 1 });
  const { rows } = await node.pool.query<{ number: number }>(
    'SELECT DISTINCT block_number AS number FROM private_receipt ORDER BY 1',
  );
  await node.close();
  return rows.map(({ number }) => number);
}

/** Runs a command of the first node's program with the options of the node. */
async function nodeCommand(words: readonly string[]): Promise<{ code: number | null; result: unknown }> {
  const { args, environment: own } = nodes.network.nodes[0]!.startCommand;
  const { code, stdout } = await runTetrad(['node', ...words, ...args.slice(1)], own);
  // Log lines come before it.
  const last = stdout.trim().split('\n').pop() ?? '';
  return { code, result: last === '' ? undefined : JSON.parse(last) };
}

/** Runs the command until so many payloads are stored, and kills it while it stores the next one. */
async function killInTheMiddle(): Promise<void> {
  await manager.pool.query(`CREATE FUNCTION wait_for_lock() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF (SELECT count(*) FROM payload) >= ${STORED_FIRST} THEN PERFORM pg_advisory_xact_lock(${LOCK}); END IF;
      RETURN NEW;
    END $$`);
  await manager.pool.query(
    'CREATE TRIGGER wait_for_lock BEFORE INSERT ON payload FOR EACH ROW EXECUTE FUNCTION wait_for_lock()',
  );
  await manager.transaction(async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const args = [serviceMain('transaction-manager'), 'recover', ...managerOptions()];
    const child = spawn(process.execPath, args, {
      env: { ...process.env, ...environment() },
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    await until(async () => (await waitingBackends()).length > 0);
    child.kill('SIGKILL');
    await ended;
    for (const pid of await waitingBackends())
      await manager.pool.query('SELECT pg_terminate_backend($1, 60000)', [pid]);
  });
  await manager.pool.query('DROP TRIGGER wait_for_lock ON payload');
}

async function waitingBackends(): Promise<number[]> {
  const { rows } = await manager.pool.query<{ pid: number }>(
    `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = ${LOCK} AND NOT granted`,
  );
  return rows.map(({ pid }) => pid);
}

/** Losses of the first node and its manager, which run again after them. */
export function testRecovery(network: () => ThreeNodes): void {
  beforeAll(async () => {
    nodes = network();
    manager = await connectDatabase({ url: nodes.databaseUrl('tetrad_manager0'), poolSize: 3 });
    await makePrivateTraffic();
  });
  afterAll(() => manager?.close());

  it('recover it from the managers of their peers, after a peer was unavailable and the command was killed', async () => {
    const height = Number(await callRpc(nodes.nodeAt(1).rpc, 'eth_blockNumber', []));
    const root = await nodes.rootOn(1, height);
    expect(await nodes.rootOn(0, height)).toBe(root);
    const whole = await stored();
    await nodes.network.nodes[0]?.stop();
    await nodes.network.process('manager0').stop();
    await loseEverythingPrivate();

    // Before a recovery the manager does not say of what it lost that it concerns others, and the node waits.
    await nodes.network.process('manager0').start();
    expect(await startPaused()).toMatch(/holds payloads for .* that are not here.*recover/);
    await nodes.network.process('manager0').stop();

    await nodes.network.process('manager2').stop();
    const partial = await recover();
    expect([partial.code, partial.stdout]).toEqual([1, expect.stringContaining(`${peerUrl(2)}/ failed: `)]);
    expect(partial.stdout).toContain(`${peerUrl(1)}/ sent all it has for us`);
    expect(await stored()).toBeLessThan(whole);
    await nodes.network.process('manager2').start();

    await losePayloads();
    await killInTheMiddle();
    expect(await stored()).toBe(STORED_FIRST);
    const recovered = await recover();
    expect([recovered.code, recovered.stderr]).toEqual([0, expect.any(String)]);
    for (const index of [1, 2])
      expect(recovered.stdout).toContain(`${peerUrl(index)}/ sent all it has for us`);
    expect(await stored()).toBe(whole);

    await nodes.network.process('manager0').start();
    await nodes.network.nodes[0]?.start();
    await eventually('private state is not back', async () => (await balanceOn(0)) === TRANSFERS);
    expect(await nodes.rootOn(0, height)).toBe(root);
  });

  it('execute again what the node executed as an outsider, from the first block that needs it', async () => {
    const height = Number(await callRpc(nodes.nodeAt(0).rpc, 'eth_blockNumber', []));
    const [whole, root] = [await stored(), await nodes.rootOn(0, height)];
    await nodes.network.nodes[0]?.stop();
    await nodes.network.process('manager0').stop();
    await loseEverythingPrivate();
    // An operator who is wrong about it.
    const declared = await runTetrad(['transaction-manager', 'declare-complete'], environment());
    expect([declared.code, JSON.parse(declared.stdout)]).toEqual([0, { complete: true, before: 'restored' }]);
    await nodes.network.process('manager0').start();
    await nodes.network.nodes[0]?.start();
    expect(await balanceOn(0)).toBe(0);
    expect(await nodes.rootOn(0, height)).not.toBe(root);
    await nodes.network.process('manager0').stop();
    const recovered = await recover();
    expect([recovered.code, recovered.stdout]).toEqual([
      0,
      expect.stringContaining('re-execute-private --from auto'),
    ]);
    expect(await stored()).toBe(whole);
    await nodes.network.process('manager0').start();
    expect(await nodes.rootOn(0, height)).not.toBe(root);

    // The running node is asked for nothing; its rows say what it executed.
    const named = await nodeCommand(['re-execute-private']);
    const blocks = await executedBlocks(1);
    const [from] = blocks;
    expect(named).toEqual({ code: 0, result: { from, count: blocks.length, blocks } });
    await nodes.network.nodes[0]?.stop();
    expect((await nodeCommand(['re-execute-private', '--from', String(height * 1_000)])).code).toBe(2);
    expect((await nodeCommand(['re-execute-private', '--from', 'first'])).code).toBe(2);
    // As the recovery says.
    const executed = await nodeCommand(['re-execute-private', '--from', 'auto']);
    expect(executed).toMatchObject({
      code: 0,
      result: { from, count: blocks.length, privateStateRoot: root },
    });
    const again = await nodeCommand(['re-execute-private', '--from', 'auto']);
    expect(again).toEqual({ code: 0, result: { from: null, count: 0, blocks: [] } });
    await nodes.network.nodes[0]?.start();
    expect(await nodes.rootOn(0, height)).toBe(root);
    expect(await balanceOn(0)).toBe(TRANSFERS);
    expect((await nodeCommand(['re-execute-private'])).result).toEqual({ from: null, count: 0, blocks: [] });
  });
}
