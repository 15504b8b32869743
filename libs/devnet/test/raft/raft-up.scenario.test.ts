import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  PORTS_PER_NODE,
  callRpc,
  freePorts,
  parseNetworkOptions,
  startNetwork,
  type Network,
} from '@tetrad/devnet';
import { until } from '@tetrad/testkit';
import { Wallet } from 'ethers';
import { missingMethods } from '../served-methods.js';
import { describeWithEtcd } from './raft-cluster.js';

/** Signed here: ethers reads a block before it sends one, and its numbers cannot hold timestamps in nanoseconds. */
const TRANSFER = {
  type: 0,
  chainId: 1337,
  value: 1n,
  gasPrice: 0n,
  gasLimit: 21_000n,
  to: `0x${'ab'.repeat(20)}`,
};

describeWithEtcd('./tetrad up --consensus raft, with an etcd of its own', () => {
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
  /**
   * Sends some transfers through a node.
   * @returns their hashes
   */
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

  it('resumes where it stopped', async () => {
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
