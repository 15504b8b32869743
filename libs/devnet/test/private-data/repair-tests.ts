import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase, createOwnedDatabase, dropDatabase } from '@tetrad/db';
import { callRpc, eventually, sendPrivately, signPrivately, submit } from '@tetrad/devnet';
import { loadToken, until } from '@tetrad/testkit';
import { Contract, ContractFactory, Wallet, getCreateAddress } from 'ethers';
import { runTetrad } from '../tetrad-process.js';
import type { ThreeNodes } from './three-nodes.js';

const RECIPIENT = `0x${'7e'.repeat(20)}`;
/** The party that is wrong in every case. */
const WRONG = 1;

let nodes: ThreeNodes;
let wallet: Wallet;
let nonce = 0;
let token: string;
let calls: Contract['interface'];
const keyOf = (index: number) => nodes.nodeAt(index).ptmKey as string;

/** A contract of all nodes, to which each has sent: it has proof that all have the contract. */
async function deployToAll(): Promise<void> {
  wallet = new Wallet(nodes.network.endpoints.funded[3]?.privateKey ?? '');
  const { abi, bytecode } = await loadToken();
  const { data } = await new ContractFactory([...abi], bytecode).getDeployTransaction('A', 'A', 1_000n);
  ({ interface: calls } = new Contract(RECIPIENT, [...abi]));
  const request = { wallet, through: nodes.nodeAt(0), privateFor: [keyOf(1), keyOf(2)] };
  await sendPrivately({ ...request, nonce: nonce++, data });
  token = getCreateAddress({ from: wallet.address, nonce: 0 });
  for (const index of [0, 1, 2])
    await submit(nodes.nodeAt(index), (await transfer(index, others(index))).raw);
  await everywhere([3, 3, 3]);
}

const others = (index: number) => [0, 1, 2].filter((other) => other !== index);

/** A transfer of 1, whose payload is with the managers. */
function transfer(from: number, to: readonly number[]) {
  const data = calls.encodeFunctionData('transfer', [RECIPIENT, 1n]);
  const request = { wallet, through: nodes.nodeAt(from), privateFor: to.map(keyOf), to: token, data };
  return signPrivately({ ...request, nonce: nonce++ });
}

async function balanceOn(index: number): Promise<number> {
  const data = calls.encodeFunctionData('balanceOf', [RECIPIENT]);
  const answer = await callRpc(nodes.nodeAt(index).rpc, 'eth_call', [{ to: token, data }, 'latest']);
  return answer === '0x' ? 0 : Number(answer);
}

const everywhere = (expected: readonly number[]) =>
  eventually(`balances are not ${expected.join(', ')}`, async () => {
    for (const [index, balance] of expected.entries()) if ((await balanceOn(index)) !== balance) return false;
    return true;
  });

const agreement = (index: number, words: readonly string[]) =>
  runTetrad(['node', 'agreement', ...words, '--contract', token, '--rpc-url', nodes.nodeAt(index).rpc]);

/** As the pages say: each other party allows it, and the wrong one repairs. */
async function repair(reason: string) {
  await agreement(0, ['allow-repair', '--to', keyOf(WRONG)]);
  return agreement(WRONG, ['repair', '--from', keyOf(0), '--agree-with', keyOf(2), '--reason', reason]);
}

/** Runs a command of a node's program with the options of the node. */
async function nodeCommand(words: readonly string[]) {
  const { args, environment } = nodes.network.nodes[WRONG]!.startCommand;
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
  (await callRpc(nodes.nodeAt(index).rpc, 'privacy_listRepairs', [token])) as Repairs;

/** What the first node says of the wrong party's state of the contract. */
async function agreementAtFirst(): Promise<string | undefined> {
  const found = (await callRpc(nodes.nodeAt(0).rpc, 'privacy_getContractAgreement', [token])) as {
    parties: { ptmKey: string; agreement: string }[];
  };
  return found.parties.find(({ ptmKey }) => ptmKey === keyOf(WRONG))?.agreement;
}

/** Takes the payload that came last away from the wrong party's manager. */
async function losePayloadsAfter(sequence: number): Promise<void> {
  const manager = await connectDatabase({ url: nodes.databaseUrl(`tetrad_manager${WRONG}`), poolSize: 1 });
  await manager.pool.query('DELETE FROM payload WHERE sequence > $1', [sequence]);
  await manager.close();
}
async function lastPayload(): Promise<number> {
  const manager = await connectDatabase({ url: nodes.databaseUrl(`tetrad_manager${WRONG}`), poolSize: 1 });
  const { rows } = await manager.pool.query<{ last: string }>('SELECT max(sequence) AS last FROM payload');
  await manager.close();
  return Number(rows[0]?.last);
}

/** Contracts of which the second node has another state than the others, and is repaired. */
export function testRepairs(network: () => ThreeNodes): void {
  beforeAll(async () => {
    nodes = network();
    await deployToAll();
  });

  describe('a party that was left out', () => {
    it('repairs the contract once the other operator allows it', async () => {
      await submit(nodes.nodeAt(0), (await transfer(0, [2])).raw);
      await everywhere([4, 3, 4]);
      const words = ['repair', '--from', keyOf(0), '--agree-with', keyOf(2), '--reason', 'left out'];
      const refused = await agreement(WRONG, words);
      expect(refused.code).toBe(1);
      expect(refused.stderr + refused.stdout).toContain('not allowed by its operator');
      await everywhere([4, 3, 4]);
      const repaired = await repair('left out');
      expect([repaired.code, repaired.stdout]).toEqual([
        0,
        expect.stringContaining(`since the end of block`),
      ]);
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
      await submit(nodes.nodeAt(0), (await transfer(0, [1, 2])).raw);
      await everywhere([5, 5, 5]);
      await until(async () => (await agreementAtFirst()) === 'agreed');
    });
  });

  describe('a party that is killed while it repairs', () => {
    it('has the contract as it was, or as it was repaired to', async () => {
      await submit(nodes.nodeAt(0), (await transfer(0, [2])).raw);
      await everywhere([6, 5, 6]);
      await agreement(0, ['allow-repair', '--to', keyOf(WRONG)]);
      const order = { contract: token, from: keyOf(0), agreeWith: [keyOf(2)], reason: 'killed' };
      for (const phase of ['asking', 'holding']) {
        await callRpc(nodes.nodeAt(WRONG).rpc, 'admin_repairContract', [order]);
        await until(async () => {
          const progress = (await callRpc(nodes.nodeAt(WRONG).rpc, 'admin_getContractRepair', [])) as {
            phase: string;
          } | null;
          return progress?.phase !== 'asking' || progress.phase === phase;
        });
        await nodes.network.nodes[WRONG]?.kill();
        await nodes.network.nodes[WRONG]?.start();
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
      await nodes.network.nodes[WRONG]?.stop();
      const before = await lastPayload();
      const { raw } = await transfer(0, [1, 2]);
      await losePayloadsAfter(before);
      await submit(nodes.nodeAt(0), raw);
      await nodes.network.nodes[WRONG]?.start();
      await everywhere([7, 6, 7]);
      expect((await repair('lost a payload')).code).toBe(0);
      await everywhere([7, 7, 7]);
    });
  });

  describe('a party that is restored from an old backup, without the private state in it', () => {
    it('repairs again what was repaired before, and then the contract', async () => {
      const backup = join(nodes.folder, 'backup-of-the-wrong-party');
      expect((await nodeCommand(['backup', '--out', backup])).code).toBe(0);
      const [sequence, height] = [
        await lastPayload(),
        Number(await callRpc(nodes.nodeAt(1).rpc, 'eth_blockNumber', [])),
      ];
      const root = await nodes.rootOn(WRONG, height);
      await submit(nodes.nodeAt(0), (await transfer(0, [1, 2])).raw);
      await everywhere([8, 8, 8]);
      await nodes.network.nodes[WRONG]?.stop();
      const name = `tetrad_node${WRONG}`;
      await dropDatabase(nodes.network.endpoints.database.url, name);
      await createOwnedDatabase(nodes.network.endpoints.database.url, name);
      await losePayloadsAfter(sequence);
      const restored = await nodeCommand(['restore', '--from', backup, '--chain-only']);
      expect([restored.code, restored.stderr]).toEqual([0, expect.any(String)]);
      await nodes.network.nodes[WRONG]?.start();
      await everywhere([8, 7, 8]);
      expect(await nodes.rootOn(WRONG, height)).toBe(root);
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
      const height = Number(await callRpc(nodes.nodeAt(WRONG).rpc, 'eth_blockNumber', []));
      const root = await nodes.rootOn(WRONG, height);
      await nodes.network.nodes[WRONG]?.stop();
      const from = String(repairs.at(-1)?.blockNumber);
      const refused = await nodeCommand(['re-execute-private', '--from', from]);
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--keep-repairs')]);
      const again = await nodeCommand(['re-execute-private', '--from', '0', '--keep-repairs']);
      expect([again.code, again.stderr]).toEqual([0, expect.any(String)]);
      const verified = await nodeCommand(['--verify']);
      expect(verified).toMatchObject({ code: 0, result: { verified: true } });
      expect((verified.result as { repairs?: unknown[] }).repairs).toHaveLength(4);
      await nodes.network.nodes[WRONG]?.start();
      expect(await nodes.rootOn(WRONG, height)).toBe(root);
      await everywhere([8, 8, 8]);
    });
  });
}
