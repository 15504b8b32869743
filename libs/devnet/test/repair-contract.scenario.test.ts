import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase, createOwnedDatabase, dropDatabase, withDatabaseName } from '@tetrad/db';
import {
  PORTS_PER_NODE,
  callRpc,
  eventually,
  freePorts,
  parseNetworkOptions,
  sendPrivately,
  signPrivately,
  startNetwork,
  submit,
  type Network,
} from '@tetrad/devnet';
import { SHORT_BLOCK_PERIODS, loadToken, until } from '@tetrad/testkit';
import { Contract, ContractFactory, Wallet, getCreateAddress } from 'ethers';
import { runTetrad } from './tetrad-process.js';

const RECIPIENT = `0x${'7e'.repeat(20)}`;
/** The party that is wrong in every case. */
const WRONG = 1;

let folder: string;
let network: Network;
let wallet: Wallet;
let nonce = 0;
let token: string;
let calls: Contract['interface'];
const nodeAt = (index: number) => network.endpoints.nodes[index] as Network['endpoints']['nodes'][number];
const keyOf = (index: number) => nodeAt(index).ptmKey as string;
const databaseUrl = (name: string) => withDatabaseName(network.endpoints.database.url, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-repair-scenario-'));
  const words = ['--nodes', '3', '--services', 'node,transaction-manager', ...SHORT_BLOCK_PERIODS];
  const base = await freePorts(3 * PORTS_PER_NODE);
  const places = ['--data-dir', join(folder, 'network'), '--port-base', String(base)];
  network = await startNetwork(parseNetworkOptions([...words, ...places]));
  wallet = new Wallet(network.endpoints.funded[0]?.privateKey ?? '');
  const { abi, bytecode } = await loadToken();
  const { data } = await new ContractFactory([...abi], bytecode).getDeployTransaction('A', 'A', 1_000n);
  ({ interface: calls } = new Contract(RECIPIENT, [...abi]));
  await sendPrivately({ wallet, through: nodeAt(0), privateFor: [keyOf(1), keyOf(2)], nonce: nonce++, data });
  token = getCreateAddress({ from: wallet.address, nonce: 0 });
  // Each sends to all, and has proof that all have the contract.
  for (const index of [0, 1, 2]) await submit(nodeAt(index), (await transfer(index, others(index))).raw);
  await everywhere([3, 3, 3]);
}, 900_000);
afterAll(async () => {
  await network?.stop();
  await rm(folder, { recursive: true, force: true });
});

const others = (index: number) => [0, 1, 2].filter((other) => other !== index);

/** A transfer of 1, whose payload is with the managers. */
function transfer(from: number, to: readonly number[]) {
  const data = calls.encodeFunctionData('transfer', [RECIPIENT, 1n]);
  const request = { wallet, through: nodeAt(from), privateFor: to.map(keyOf), to: token, data };
  return signPrivately({ ...request, nonce: nonce++ });
}

async function balanceOn(index: number): Promise<number> {
  const data = calls.encodeFunctionData('balanceOf', [RECIPIENT]);
  const answer = await callRpc(nodeAt(index).rpc, 'eth_call', [{ to: token, data }, 'latest']);
  return answer === '0x' ? 0 : Number(answer);
}

const everywhere = (expected: readonly number[]) =>
  eventually(`balances are not ${expected.join(', ')}`, async () => {
    for (const [index, balance] of expected.entries()) if ((await balanceOn(index)) !== balance) return false;
    return true;
  });

const agreement = (index: number, words: readonly string[]) =>
  runTetrad(['node', 'agreement', ...words, '--contract', token, '--rpc-url', nodeAt(index).rpc]);

/** As the pages say: each other party allows it, and the wrong one repairs. */
async function repair(reason: string) {
  await agreement(0, ['allow-repair', '--to', keyOf(WRONG)]);
  return agreement(WRONG, ['repair', '--from', keyOf(0), '--agree-with', keyOf(2), '--reason', reason]);
}

/** Runs a command of a node's program with the options of the node. */
async function nodeCommand(words: readonly string[]) {
  const { args, environment } = network.nodes[WRONG]!.startCommand;
  const { code, stdout, stderr } = await runTetrad(['node', ...words, ...args.slice(1)], environment);
  // Log lines come before it.
  const last = stdout.trim().split('\n').pop() ?? '';
  return { code, result: last.startsWith('{') ? (JSON.parse(last) as object) : undefined, stderr };
}

interface Repairs {
  readonly repairs: readonly { readonly blockNumber: number; readonly reason: string }[];
  readonly told: readonly { readonly isSame: boolean }[];
}
const repairsAt = async (index: number) =>
  (await callRpc(nodeAt(index).rpc, 'privacy_listRepairs', [token])) as Repairs;

const rootOn = (index: number, height: number) =>
  callRpc(nodeAt(index).rpc, 'debug_privateStateRoot', [`0x${height.toString(16)}`]);

/** What the first node says of the wrong party's state of the contract. */
async function agreementAtFirst(): Promise<string | undefined> {
  const found = (await callRpc(nodeAt(0).rpc, 'privacy_getContractAgreement', [token])) as {
    parties: { ptmKey: string; agreement: string }[];
  };
  return found.parties.find(({ ptmKey }) => ptmKey === keyOf(WRONG))?.agreement;
}

/** Takes the payload that came last away from the wrong party's manager. */
async function losePayloadsAfter(sequence: number): Promise<void> {
  const manager = await connectDatabase({ url: databaseUrl(`tetrad_manager${WRONG}`), poolSize: 1 });
  await manager.pool.query('DELETE FROM payload WHERE sequence > $1', [sequence]);
  await manager.close();
}
async function lastPayload(): Promise<number> {
  const manager = await connectDatabase({ url: databaseUrl(`tetrad_manager${WRONG}`), poolSize: 1 });
  const { rows } = await manager.pool.query<{ last: string }>('SELECT max(sequence) AS last FROM payload');
  await manager.close();
  return Number(rows[0]?.last);
}

describe('a party that was left out', () => {
  it('repairs the contract once the other operator allows it', async () => {
    await submit(nodeAt(0), (await transfer(0, [2])).raw);
    await everywhere([4, 3, 4]);
    const words = ['repair', '--from', keyOf(0), '--agree-with', keyOf(2), '--reason', 'left out'];
    const refused = await agreement(WRONG, words);
    expect(refused.code).toBe(1);
    expect(refused.stderr + refused.stdout).toContain('not allowed by its operator');
    await everywhere([4, 3, 4]);
    const repaired = await repair('left out');
    expect([repaired.code, repaired.stdout]).toEqual([0, expect.stringContaining(`since the end of block`)]);
    await everywhere([4, 4, 4]);
  });

  it('is not believed alone unless its operator says so, and is not repaired again', async () => {
    const words = ['repair', '--from', keyOf(0), '--accept-one', '--reason', 'again'];
    const again = await agreement(WRONG, words);
    expect(again.code).toBe(1);
    expect(again.stderr + again.stdout).toContain('has the same state of the contract already');
  });

  it('agrees with the others, which were told', async () => {
    for (const index of others(WRONG))
      await until(async () => (await repairsAt(index)).told.some(({ isSame }) => isSame));
    await submit(nodeAt(0), (await transfer(0, [1, 2])).raw);
    await everywhere([5, 5, 5]);
    await until(async () => (await agreementAtFirst()) === 'agreed');
  });
});

describe('a party that is killed while it repairs', () => {
  it('has the contract as it was, or as it was repaired to', async () => {
    await submit(nodeAt(0), (await transfer(0, [2])).raw);
    await everywhere([6, 5, 6]);
    await agreement(0, ['allow-repair', '--to', keyOf(WRONG)]);
    const order = { contract: token, from: keyOf(0), agreeWith: [keyOf(2)], reason: 'killed' };
    for (const phase of ['asking', 'holding']) {
      await callRpc(nodeAt(WRONG).rpc, 'admin_repairContract', [order]);
      await until(async () => {
        const progress = (await callRpc(nodeAt(WRONG).rpc, 'admin_getContractRepair', [])) as {
          phase: string;
        } | null;
        return progress?.phase !== 'asking' || progress.phase === phase;
      });
      await network.nodes[WRONG]?.kill();
      await network.nodes[WRONG]?.start();
      const { repairs } = await repairsAt(WRONG);
      const isWritten = repairs.some(({ reason }) => reason === 'killed');
      await everywhere([6, isWritten ? 6 : 5, 6]);
      if (isWritten) return;
    }
    expect((await repair('killed')).code).toBe(0);
    await everywhere([6, 6, 6]);
  });
});

describe('a party whose manager lost a payload', () => {
  it('repairs the contract', async () => {
    await network.nodes[WRONG]?.stop();
    const before = await lastPayload();
    const { raw } = await transfer(0, [1, 2]);
    await losePayloadsAfter(before);
    await submit(nodeAt(0), raw);
    await network.nodes[WRONG]?.start();
    await everywhere([7, 6, 7]);
    expect((await repair('lost a payload')).code).toBe(0);
    await everywhere([7, 7, 7]);
  });
});

describe('a party that is restored from an old backup, without the private state in it', () => {
  it('repairs again what was repaired before, and then the contract', async () => {
    const backup = join(folder, 'backup');
    expect((await nodeCommand(['backup', '--out', backup])).code).toBe(0);
    const [sequence, height] = [
      await lastPayload(),
      Number(await callRpc(nodeAt(1).rpc, 'eth_blockNumber', [])),
    ];
    const root = await rootOn(WRONG, height);
    await submit(nodeAt(0), (await transfer(0, [1, 2])).raw);
    await everywhere([8, 8, 8]);
    await network.nodes[WRONG]?.stop();
    const name = `tetrad_node${WRONG}`;
    await dropDatabase(network.endpoints.database.url, name);
    await createOwnedDatabase(network.endpoints.database.url, name);
    await losePayloadsAfter(sequence);
    const restored = await nodeCommand(['restore', '--from', backup, '--chain-only']);
    expect([restored.code, restored.stderr]).toEqual([0, expect.any(String)]);
    await network.nodes[WRONG]?.start();
    await everywhere([8, 7, 8]);
    expect(await rootOn(WRONG, height)).toBe(root);
    expect((await repair('restored from an old backup')).code).toBe(0);
    await everywhere([8, 8, 8]);
  });
});

describe('a database with repairs', () => {
  it('is verified with them, and executed across them only where that is wanted', async () => {
    const { repairs } = await repairsAt(WRONG);
    expect(repairs.map(({ reason }) => reason)).toEqual([
      'restored from an old backup',
      'lost a payload',
      'killed',
      'left out',
    ]);
    const height = Number(await callRpc(nodeAt(WRONG).rpc, 'eth_blockNumber', []));
    const root = await rootOn(WRONG, height);
    await network.nodes[WRONG]?.stop();
    const from = String(repairs.at(-1)?.blockNumber);
    const refused = await nodeCommand(['re-execute-private', '--from', from]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--keep-repairs')]);
    const again = await nodeCommand(['re-execute-private', '--from', '0', '--keep-repairs']);
    expect([again.code, again.stderr]).toEqual([0, expect.any(String)]);
    const verified = await nodeCommand(['--verify']);
    expect(verified).toMatchObject({ code: 0, result: { verified: true } });
    expect((verified.result as { repairs?: unknown[] }).repairs).toHaveLength(4);
    await network.nodes[WRONG]?.start();
    expect(await rootOn(WRONG, height)).toBe(root);
    await everywhere([8, 8, 8]);
  });
});
