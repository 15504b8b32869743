import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createDatabase, createOwnedDatabase, dropDatabase, withDatabaseName } from '@tetrad/db';
import { until } from '@tetrad/testkit';
import { RaftCluster, describeWithEtcd } from './raft-cluster.js';

/** PUSH1 42 PUSH0 SSTORE, and a runtime of one STOP. */
const CREATION = '0x602a5f5560015ff3';
/** 120,000 */
const GAS = '0x1d4c0';
const CONTRACTS = 100;
const NODES = [0, 1, 2, 3];
/** Database of node 0. */
const DATABASE = 'tetrad_node0';

/** Raft scenarios of GoQuorum's acceptance tests that need four nodes with transaction managers, by our numbers for them. */
describeWithEtcd('four node processes with managers on an etcd of three members', () => {
  let cluster: RaftCluster;
  beforeAll(async () => {
    cluster = await RaftCluster.start('--nodes', '4', '--services', 'node,transaction-manager');
    await cluster.untilVoter(...NODES);
  }, 900_000);
  afterAll(() => cluster?.stop());

  /** @returns hash of the transaction that creates a contract of the two nodes */
  async function createPrivately(from: number, to: number): Promise<string> {
    const endpoint = (index: number) => cluster.network.endpoints.nodes[index];
    const [account] = endpoint(from)?.accounts ?? [];
    const creation = { from: account, data: CREATION, gas: GAS, privateFor: [endpoint(to)?.ptmKey] };
    return (await cluster.ask(from, 'eth_sendTransaction', creation)) as string;
  }

  /** Waits until each of the nodes has a contract of each transaction. */
  async function untilCreated(hashes: readonly string[], ...indexes: readonly number[]): Promise<void> {
    for (const index of indexes)
      for (const hash of hashes)
        await until(async () => {
          const receipt = await cluster.ask(index, 'eth_getTransactionReceipt', hash);
          const { contractAddress, status } = (receipt ?? {}) as Record<string, string>;
          const code =
            contractAddress && (await cluster.ask(index, 'eth_getCode', contractAddress, 'latest'));
          return status === '0x1' && code === '0x00';
        });
  }

  it('R10: create private contracts with gas of 120,000, whether the minter is a party or not', async () => {
    const pairs = NODES.flatMap((from) => NODES.filter((to) => to !== from).map((to) => [from, to] as const));
    const created = await Promise.all(
      pairs.map(async ([from, to]) => ({ from, to, hash: await createPrivately(from, to) })),
    );
    for (const { from, to, hash } of created) await untilCreated([hash], from, to);
    for (const index of NODES)
      await until(async () => {
        const { pending, queued } = (await cluster.ask(index, 'txpool_status')) as Record<string, string>;
        return pending === '0x0' && queued === '0x0';
      });
  });

  it('R13: hold a hundred private contracts of two nodes at both, and none elsewhere', async () => {
    const hashes: string[] = [];
    for (let count = 0; count < CONTRACTS; count++) hashes.push(await createPrivately(0, 3));
    expect(new Set(hashes).size).toBe(CONTRACTS);
    await untilCreated(hashes, 0, 3);
    const receipt = (await cluster.ask(0, 'eth_getTransactionReceipt', hashes[0])) as Record<string, string>;
    expect(await cluster.ask(1, 'eth_getCode', receipt['contractAddress'], 'latest')).toBe('0x');
  });

  it('R19: start with a node whose database is from long before, and elect a minter', async () => {
    const node = cluster.node(0);
    await node.stop();
    const administrator = withDatabaseName(cluster.network.endpoints.database?.url ?? '', 'postgres');
    await createDatabase(administrator, 'before', DATABASE);
    await node.start();
    await cluster.untilVoter(0);
    const height = await cluster.heightOf(0);
    const hashes: string[] = [];
    for (const index of NODES) hashes.push(...(await cluster.send(index, 20)));
    await cluster.mined(hashes, ...NODES);
    expect(await cluster.heightOf(0)).toBeGreaterThan(height);
    await Promise.all(NODES.map((index) => cluster.node(index).stop()));
    await dropDatabase(administrator, DATABASE);
    await createDatabase(administrator, DATABASE, 'before');
    await createOwnedDatabase(administrator, DATABASE);
    await Promise.all(NODES.map((index) => cluster.node(index).start()));
    await cluster.mined(hashes, ...NODES);
    expect(NODES).toContain(await cluster.minter());
    await cluster.mined(await cluster.send(0), ...NODES);
    await cluster.untilEqualHeads(...NODES);
  });
});
