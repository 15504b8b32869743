import { afterEach, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { EtcdClient } from '@tetrad/node-etcd';
import { LogKeys } from '@tetrad/node-consensus-raft';
import { until } from '@tetrad/testkit';
import { silentLogger, silentMetrics, systemClock, type Hash } from '@tetrad/types';
import { ImportFolder, recordedFiles } from '../import/import-folder.js';
import { JoiningNode, heightAt } from '../joining/joined-node.js';
import { assertEqualAnswers } from '../joining/random-queries.js';
import { planRaftNetwork } from '../raft-network.js';
import { startNode, type RunningNode } from '../running-node.js';
import { describeWithEtcd, startTestEtcd, type TestEtcd } from '../test-etcd.js';
import { keyOf } from '../validator-chain.js';

/** As of each network of join-networks. */
const QUERIES = 334;

const ended: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

/** Deletes the blocks of the log below the number, as a minter does that prunes it. */
async function shorten(etcd: TestEtcd, node: RunningNode, below: number): Promise<void> {
  const { endpoints } = etcd;
  const others = {
    requestTimeoutMs: 30_000,
    clock: systemClock,
    logger: silentLogger,
    metrics: silentMetrics,
  };
  const client = new EtcdClient({ endpoints, ...others });
  const { hash } = await node.result<{ hash: Hash }>('eth_getBlockByNumber', ['0x0', false]);
  const keys = new LogKeys(BigInt(await node.result<string>('eth_chainId')), hash);
  const range = { key: keys.block(0), rangeEnd: keys.block(below) };
  await client.transact({ compare: [], failure: [], success: [{ kind: 'delete', ...range }] });
  await client.close();
}

describeWithEtcd('a node process joins a raft network by state', () => {
  it('with a chain of GoQuorum that was imported, from a member, when the log no longer has its blocks', async () => {
    const { genesisFile, file, blocks } = recordedFiles('raft');
    const last = blocks.length - 1;
    const genesis = JSON.parse(await readFile(genesisFile, 'utf8')) as object;
    const etcd = await startTestEtcd(1);
    ended.push(() => etcd.close());
    const { enodes, ports } = await planRaftNetwork(['A', 'B']);
    const network = ['--etcd-endpoints', etcd.endpoints.join(), '--peer-exchange', 'false'];
    const own = ['--raft-restore-log', '--peers', enodes.join(), '--peer-listen-port', String(ports[0])];
    const full = await startNode([...network, ...own], {
      genesis,
      nodeKey: keyOf('A'),
      modules: 'eth,admin,debug,raft',
      prepare: async (databaseUrl) => {
        const folder = await ImportFolder.create();
        const into = new ImportFolder(folder.folder, { url: databaseUrl, drop: async () => undefined });
        await into.import(genesisFile, [file]);
        await folder.remove();
      },
    });
    ended.push(() => full.stop());
    await until(async () => !(await (await fetch(`${full.opsUrl}/readyz`)).text()).includes('set back'));
    await shorten(etcd, full, last);
    const joining = await JoiningNode.create({
      genesis,
      peers: enodes,
      key: keyOf('B'),
      peerPort: ports[1] as number,
      flags: [...network.slice(0, 2), '--validator', 'true'],
    });
    const node = await joining.start();
    ended.push(() => node.stop());
    expect(node.joinedBlock).toBe(last - 1);
    const [from] = full.accounts;
    // Either: a busy machine lets a lease end, and the other node takes the role.
    await until(async () => (await full.result('raft_leader').catch(() => undefined)) !== undefined);
    for (const transaction of [{ to: from }, { data: '0x425f55' }, { to: from }]) {
      const fields = { from, gas: '0x30d40', gasPrice: '0x0', ...transaction };
      await full.mined(await full.result<string>('eth_sendTransaction', [fields]));
    }
    expect(await heightAt(full.url)).toBe(last + 3);
    await assertEqualAnswers(full.url, node, QUERIES);
  });
});
