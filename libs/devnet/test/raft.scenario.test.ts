import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  PORTS_PER_NODE,
  callRpc,
  freePorts,
  parseNetworkOptions,
  startNetwork,
  type Network,
} from '@tetrad/devnet';
import { lackingForEtcd } from '@tetrad/embedded-etcd';
import { until } from '@tetrad/testkit';
import { Wallet } from 'ethers';
import { missingMethods } from './served-methods.js';

const lacking = await lackingForEtcd();
if (lacking !== undefined) process.stderr.write(`SKIPPED: ./tetrad up --consensus raft: ${lacking}\n`);

/** Signed here: before ethers sends one it reads a block, whose nanoseconds are more than its numbers hold. */
const TRANSFER = {
  ...{ type: 0, chainId: 1337, value: 1n, gasPrice: 0n, gasLimit: 21_000n },
  to: `0x${'ab'.repeat(20)}`,
};

(lacking === undefined ? describe : describe.skip)('./tetrad up --consensus raft', () => {
  let folder: string;
  let words: string[];
  let network: Network;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tetrad-raft-'));
    const base = await freePorts(4 * PORTS_PER_NODE);
    words = ['--consensus', 'raft', '--data-dir', folder, '--services', 'node', '--port-base', `${base}`];
    network = await startNetwork(parseNetworkOptions(words));
  }, 900_000);
  afterAll(async () => {
    await network?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const ask = (index: number, method: string, ...params: unknown[]): Promise<unknown> =>
    callRpc(`${network.nodes[index]?.rpc}`, method, params);
  const roleOf = (index: number) => ask(index, 'raft_role').catch(() => 'down');
  /** Which of those that have a vote is minter may change on a busy host. */
  const votes = async (index: number) => ['minter', 'verifier'].includes(String(await roleOf(index)));
  async function minter(): Promise<number> {
    for (;;) for (const index of network.nodes.keys()) if ((await roleOf(index)) === 'minter') return index;
  }

  /** Sends some transfers through a node. Out: their hashes */
  async function send(index: number, count: number): Promise<string[]> {
    const { address, privateKey } = network.endpoints.funded[0] ?? { address: '', privateKey: '' };
    const wallet = new Wallet(privateKey);
    const hashes: string[] = [];
    for (let sent = 0; sent < count; sent++) {
      const nonce = Number(await ask(index, 'eth_getTransactionCount', address, 'pending'));
      const raw = await wallet.signTransaction({ ...TRANSFER, nonce });
      hashes.push((await ask(index, 'eth_sendRawTransaction', raw)) as string);
    }
    return hashes;
  }

  async function expectMined(indexes: readonly number[], hashes: readonly string[]): Promise<void> {
    for (const index of indexes)
      for (const hash of hashes)
        await until(async () => {
          const receipt = (await ask(index, 'eth_getTransactionReceipt', hash)) as { status?: string } | null;
          return receipt?.status === '0x1';
        });
  }

  const headOf = async (index: number) => {
    const { number, hash } = (await ask(index, 'eth_getBlockByNumber', 'latest', false)) as Record<
      string,
      string
    >;
    return { number, hash };
  };

  it('serves every method, and mines what is sent to any node', async () => {
    for (const index of [0, 1, 2]) await expectMined([0, 1, 2], await send(index, 2));
    expect(await missingMethods(`${network.nodes[0]?.rpc}`, 'node')).toEqual([]);
  });

  it('adds a learner, promotes it, loses its minter by kill -9, and nothing else', async () => {
    const node = await network.join();
    expect((await ask(0, 'raft_cluster')) as unknown[]).toHaveLength(4);
    expect(node.enode).toContain('raftport=50403');
    await until(async () => (await roleOf(3)) === 'learner');
    await expectMined([3], await send(3, 2));
    await until(() =>
      ask(0, 'raft_promoteToPeer', 4).then(
        () => true,
        () => false,
      ),
    );
    await until(() => votes(3));

    const gone = await minter();
    const others = [0, 1, 2, 3].filter((index) => index !== gone);
    const [through = 0] = others;
    const before = await send(through, 20);
    await network.nodes[gone]?.kill();
    const after = await send(through, 5);
    await expectMined(others, [...before, ...after]);
    expect(await minter()).not.toBe(gone);
    await network.nodes[gone]?.start();
    await expectMined([gone], [...before, ...after]);
    await until(() => votes(gone));
    const heads = await Promise.all([0, 1, 2, 3].map(headOf));
    expect(new Set(heads.map(({ hash }) => hash)).size).toBe(1);
  });

  it('goes on from where it was when it is started again', async () => {
    const head = await headOf(0);
    await network.stop();
    network = await startNetwork(parseNetworkOptions(words));
    expect(await headOf(0)).toEqual(head);
    await expectMined([0, 1, 2], await send(1, 2));
    await network.stop();
    const other = words.map((word) => (word === 'raft' ? 'qbft' : word));
    await expect(startNetwork(parseNetworkOptions([...other, '--nodes', '3']))).rejects.toThrow(
      'is one of raft; say --consensus raft',
    );
  });
});
