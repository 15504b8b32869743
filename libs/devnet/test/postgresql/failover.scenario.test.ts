import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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
import { PostgresPair, isServiceReady, until } from '@tetrad/testkit';
import { privateLoad, publicLoad, signerLoad, type AcknowledgedLoad } from './acknowledged-load.js';

const SERVICES = 'node,signer,wallet,transaction-manager,rollup-operator';

let folder: string;
let base: number;
let pair: PostgresPair;
let network: Network;
const ended: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-failover-'));
  pair = await PostgresPair.start();
  base = await freePorts(2 * PORTS_PER_NODE);
  const words = ['--nodes', '2', '--services', SERVICES, '--block-period', '200'];
  const places = ['--data-dir', join(folder, 'network'), '--port-base', String(base)];
  const options = parseNetworkOptions([...words, ...places, '--database-url', pair.url('postgres')]);
  network = await startNetwork(options, { onEnded: (name, how) => ended.push(`${name} ${how}`) });
});
afterAll(async () => {
  await network?.stop();
  await pair?.stop();
  await rm(folder, { recursive: true, force: true });
});

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
    const { wallet } = network.endpoints;
    await eventually('the wallet does not answer', async () =>
      Array.isArray(
        await callRpc(`${wallet?.rpc}${wallet?.path}`, 'Coin.WalletList', []),
      ),
    );
  });

  it('does not return to the former primary', async () => {
    const before = await heightOf(0);
    await pair.startFormer();
    const load = publicLoad(network);
    await until(async () => (await heightOf(0)) > before + 3);
    expect(load.hashes).toEqual([]);
    const clients = `SELECT count(*)::int AS count FROM pg_stat_activity
                      WHERE backend_type = 'client backend' AND datname LIKE 'tetrad_%' AND state <> 'idle'`;
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
