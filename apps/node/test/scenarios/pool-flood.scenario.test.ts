import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { developmentAccounts, presign, runLoad, type DevelopmentAccount } from '@tetrad/testkit';
import { ZERO_ADDRESS, hexFromBytes } from '@tetrad/types';
import { createNodeHome, type NodeHome, type NodeProcess } from '../node-process.js';
import { post } from '../running-node.js';

const FLOOD = 2_074;
/** So small that the flood would fill it, with what is behind gaps alone. */
const FLAGS = ['--pool-max-bytes', '1000000', '--http-api', 'eth,txpool'];
const QUEUED_BYTES = 250_000;
const OWNERS = developmentAccounts(4, 'owner');
const STRANGERS = developmentAccounts(8, 'stranger');

let home: NodeHome;
let node: NodeProcess;
/** Of attackers, that were acknowledged. */
const acknowledged = new Set<string>();

beforeAll(async () => {
  home = await createNodeHome(OWNERS);
  node = await home.start(FLAGS);
  const flood = developmentAccounts(FLOOD, 'attacker').map((account) => [transaction(account, 1, 1_000)]);
  const options = { url: home.url, connections: 16, method: 'eth_sendRawTransaction' };
  for (const { result, error } of await runLoad(flood, options)) {
    if (typeof result === 'string') acknowledged.add(result);
    else expect(error?.message).toBe('txpool is full');
  }
});
afterAll(async () => {
  await node.stop();
  await home.remove();
});

function transaction({ privateKey }: DevelopmentAccount, nonce: number, dataBytes = 0): string {
  const data = new Uint8Array(dataBytes);
  const plain = { chainId: 1337n, gasLimit: 100_000, to: ZERO_ADDRESS, value: 0n, data, gasPrice: 0n };
  return hexFromBytes(presign({ ...plain, nonce }, privateKey));
}

async function call<T>(method: string, params: readonly unknown[] = []): Promise<T> {
  const { result, error } = await post(home.url, method, params);
  if (error !== undefined) throw new Error(error.message);
  return result as T;
}

async function expectMined(...hashes: readonly string[]): Promise<void> {
  for (const hash of hashes) {
    while ((await call('eth_getTransactionReceipt', [hash])) === null)
      await new Promise((tick) => setTimeout(tick, 50));
  }
}

/** Two of each sender, with and without funds, in the order of nonces and against it; `nonce` is the next one of all. */
async function expectRoomForOthers(nonce: number): Promise<void> {
  const hashes: string[] = [];
  for (const [index, sender] of [OWNERS[0], STRANGERS[0], OWNERS[1], STRANGERS[1]].entries()) {
    const order = index < 2 ? [nonce, nonce + 1] : [nonce + 1, nonce];
    for (const at of order) {
      const raw = transaction(sender as DevelopmentAccount, at);
      hashes.push(await call<string>('eth_sendRawTransaction', [raw]));
    }
  }
  await expectMined(...hashes);
}

/** The sum over all lines that begin so. */
async function readMetric(name: string): Promise<number> {
  const text = await (await fetch(`${home.opsUrl}/metrics`)).text();
  return text
    .split('\n')
    .filter((line) => line.startsWith(name))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

const DROPPED = 'node_pool_dropped_transactions_total{cause="full",acknowledged="true"';

describe('a flood of transactions behind gaps from senders without funds', () => {
  it('stays within the bounds of the queue', async () => {
    expect(acknowledged.size).toBeGreaterThan(100);
    expect(acknowledged.size).toBeLessThan(FLOOD);
    await expectRoomForOthers(0);
    expect(await readMetric('node_pool_bytes{state="queued"')).toBeLessThanOrEqual(QUEUED_BYTES);
  });

  it('leaves room for other senders, and counts in a metric the acknowledged transactions it evicts', async () => {
    const before = await readMetric(DROPPED);
    const { queued } = await call<{ queued: string }>('txpool_status');
    await expectRoomForOthers(2);
    const after = await call<{ queued: string }>('txpool_status');
    expect(Number(queued) - Number(after.queued)).toBe((await readMetric(DROPPED)) - before);
    expect(await readMetric(DROPPED)).toBeGreaterThan(0);
  });

  it('does so after a crash too, and evicted transactions do not return', async () => {
    const { queued } = await call<{ queued: Record<string, Record<string, { hash: string }>> }>(
      'txpool_content',
    );
    const left = new Set(Object.values(queued).flatMap((own) => Object.values(own).map(({ hash }) => hash)));
    await node.kill();
    const { stdout, stderr } = await node.finished;
    for (const hash of acknowledged) {
      if (!left.has(hash)) expect(`${stdout}${stderr}`).toContain(hash);
    }
    node = await home.start(FLAGS);
    const restored = await call<{ queued: typeof queued }>('txpool_content');
    const back = Object.values(restored.queued).flatMap((own) => Object.values(own).map(({ hash }) => hash));
    expect(new Set(back)).toEqual(left);
    await expectRoomForOthers(4);
    expect(await readMetric('node_pool_bytes{state="queued"')).toBeLessThanOrEqual(QUEUED_BYTES);
  });

  it('is cut down to smaller bounds at a restart with them', async () => {
    expect(await node.stop()).toBe(0);
    node = await home.start([...FLAGS, '--pool-max-queued', '10']);
    expect(await call('txpool_status')).toEqual({ pending: '0x0', queued: '0xa' });
    expect(await readMetric(DROPPED)).toBeGreaterThan(100);
    await expectRoomForOthers(6);
    await node.kill();
    node = await home.start(FLAGS);
    expect(Number((await call<{ queued: string }>('txpool_status')).queued)).toBeLessThanOrEqual(10);
  });
});
