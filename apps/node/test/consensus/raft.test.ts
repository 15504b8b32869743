import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { LogKeys, decodeRaftExtraData } from '@tetrad/node-consensus-raft';
import { EtcdClient } from '@tetrad/node-etcd';
import { until } from '@tetrad/testkit';
import {
  ZERO_ADDRESS,
  bytesFromHex,
  silentLogger,
  silentMetrics,
  systemClock,
  type Hash,
} from '@tetrad/types';
import { planRaftNetwork, startRaftNode, type RaftNetworkPlan } from '../raft-network.js';
import { CHAIN_ID, type RunningNode } from '../running-node.js';
import { describeWithEtcd, startTestEtcd, type TestEtcd } from '../test-etcd.js';
import type { Name } from '../validator-chain.js';
import { heightOf, sendThrough } from '../validator-network.js';

interface RaftBlock {
  readonly hash: string;
  readonly miner: string;
  readonly extraData: string;
  readonly parentHash: string;
  readonly timestamp: string;
  readonly difficulty: string;
  readonly transactions: readonly string[];
}

describeWithEtcd('three nodes whose blocks an etcd of three members orders', () => {
  const names: readonly Name[] = ['A', 'B', 'C'];
  let etcd: TestEtcd;
  let plan: RaftNetworkPlan;
  const nodes = new Map<Name, RunningNode>();
  const all = () => [...nodes.values()];
  const node = (name: Name) => nodes.get(name) as RunningNode;
  beforeAll(async () => {
    etcd = await startTestEtcd(3);
    plan = await planRaftNetwork(names);
    for (const name of names) nodes.set(name, await startRaftNode(etcd, plan, name));
  });
  afterAll(async () => {
    await Promise.all(all().map((one) => one.stop()));
    await etcd?.close();
  });

  const blockOf = (one: RunningNode, number: number) =>
    one.result<RaftBlock>('eth_getBlockByNumber', [`0x${number.toString(16)}`, false]);
  const readiness = async (one: RunningNode) => (await fetch(`${one.opsUrl}/readyz`)).text();
  /** The sealer of the newest block; its beneficiary is the zero address, as gas has no price. */
  async function minter(): Promise<Name> {
    const [first] = all() as [RunningNode];
    const { miner, extraData } = await blockOf(first, await heightOf(first));
    expect(miner).toBe(ZERO_ADDRESS);
    return names[decodeRaftExtraData(bytesFromHex(extraData)).raftId - 1] as Name;
  }

  /** Until then it signs with the nonces of an account that has sent nothing. */
  async function caughtUp(name: Name): Promise<void> {
    const heights = () => Promise.all(all().map(heightOf));
    await until(async () => (await heightOf(node(name))) === Math.max(...(await heights())));
  }

  it('mine transactions sent to any of them, and no empty blocks', async () => {
    for (const one of all()) await sendThrough(one, all());
    const height = await heightOf(node('A'));
    expect(height).toBeGreaterThanOrEqual(1);
    const blocks = await Promise.all(
      Array.from({ length: height }, (_, index) => blockOf(node('A'), index + 1)),
    );
    for (const [index, block] of blocks.entries()) {
      const parent = await blockOf(node('B'), index);
      expect(block).toEqual(await blockOf(node('C'), index + 1));
      expect(block).toMatchObject({ parentHash: parent.hash, difficulty: '0x20000' });
      expect(block.transactions.length).toBeGreaterThan(0);
      expect(BigInt(block.timestamp)).toBeGreaterThan(BigInt(parent.timestamp));
      // Nanoseconds, as of the years of this century.
      expect(BigInt(block.timestamp) / 10n ** 18n).toBeGreaterThanOrEqual(1n);
    }
  });

  it('show contracts the time of the header, in nanoseconds', async () => {
    const [held] = node('A').accounts;
    // TIMESTAMP PUSH0 SSTORE
    const hash = await node('B').result<string>('eth_sendTransaction', [
      { from: held, data: '0x425f55', gas: '0x30d40' },
    ]);
    const { contractAddress, blockNumber } = await node('C').mined(hash);
    await node('A').mined(hash);
    const { timestamp } = await blockOf(node('A'), Number(blockNumber));
    const stored = await node('C').result<string>('eth_getStorageAt', [contractAddress, '0x0', blockNumber]);
    expect(BigInt(stored)).toBe(BigInt(timestamp));
    // TIMESTAMP PUSH0 MSTORE PUSH1 32 PUSH0 RETURN, under a time that the caller wants.
    const time = '0x18ea15bb24263fff';
    const seen = await node('A').result<string>('eth_call', [
      { data: '0x425f5260205ff3' },
      'latest',
      {},
      { time },
    ]);
    expect(BigInt(seen)).toBe(BigInt(time));
  });

  it('go on with another minter when theirs stops', async () => {
    const gone = await minter();
    await node(gone).stop();
    nodes.delete(gone);
    const [one] = all() as [RunningNode];
    await sendThrough(one, all());
    expect(await minter()).not.toBe(gone);
    // It comes back with nothing, and reads it all from the log.
    nodes.set(gone, await startRaftNode(etcd, plan, gone));
    await caughtUp(gone);
    await sendThrough(node(gone), all());
  });

  it('report blocks that are missing in the log, give them to a new node, and put them back on command', async () => {
    const height = await heightOf(node('A'));
    for (let block = 0; block < 4; block++) await sendThrough(node('A'), all());
    const genesis = await blockOf(node('A'), 0);
    const client = new EtcdClient({
      endpoints: etcd.endpoints,
      requestTimeoutMs: 30_000,
      clock: systemClock,
      logger: silentLogger,
      metrics: silentMetrics,
    });
    const keys = new LogKeys(BigInt(CHAIN_ID), genesis.hash as Hash);
    const rangeEnd = keys.block(height + 2);
    await client.transact({
      compare: [],
      failure: [],
      success: [{ kind: 'delete', key: keys.block(0), rangeEnd }],
    });
    await client.close();
    const missing = 'block 1 of the log in etcd is missing: another client deleted it';
    for (const one of all()) await until(async () => (await readiness(one)).includes(missing));
    for (const flags of [[], ['--raft-restore-log', 'true']]) {
      await node('C').stop();
      nodes.set('C', await startRaftNode(etcd, plan, 'C', { flags }));
      await caughtUp('C');
      await sendThrough(node('C'), all());
      expect(await blockOf(node('C'), 1)).toEqual(await blockOf(node('A'), 1));
    }
    for (const one of all()) await until(async () => !(await readiness(one)).includes('is missing'));
  });

  it('go on while one member of etcd is down, and stop and report it without a quorum', async () => {
    await etcd.member(0).kill();
    for (const one of all()) await sendThrough(one, all());
    await etcd.member(1).kill();
    for (const one of all()) await until(async () => (await readiness(one)).includes('etcd does not answer'));
    const height = await heightOf(node('A'));
    const [held] = node('A').accounts;
    const transfer = { from: held, to: held, value: '0x1', gas: '0x5208' };
    const hash = await node('A').result<string>('eth_sendTransaction', [transfer]);
    expect(await node('A').result('eth_getTransactionReceipt', [hash])).toBeNull();
    expect(await heightOf(node('B'))).toBe(height);
    await Promise.all([etcd.member(0).start(), etcd.member(1).start()]);
    for (const one of all()) expect((await one.mined(hash)).status).toBe('0x1');
    for (const one of all()) await until(async () => !(await readiness(one)).includes('etcd'));
  });

  it('refuse methods of validators by name', async () => {
    expect((await node('A').call('ibft_getValidators')).error?.message).toMatch(
      /raft, which has no validators/,
    );
  });
});
