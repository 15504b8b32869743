import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PORTS_PER_NODE, callRpc, freePorts, type Endpoints } from '@tetrad/devnet';
import { lackingForEtcd } from '@tetrad/embedded-etcd';
import { startChildService, until, type ChildService } from '@tetrad/testkit';
import { Wallet, computeAddress } from 'ethers';
import { uncataloguedOf } from './monitoring/catalogue.js';
import { scrape } from './monitoring/exposition.js';
import { missingMethods } from './served-methods.js';
import { MAIN, runTetrad } from './tetrad-process.js';

const lacking = await lackingForEtcd();
if (lacking !== undefined)
  process.stderr.write(`SKIPPED: ./tetrad up --permissioned under raft: ${lacking}\n`);

/** A transfer that the account signs itself. Out: its hash. Fails: with the node's message */
async function transfer({ nodes: [node], chainId }: Endpoints, wallet: Wallet): Promise<string> {
  const url = `${node?.rpc}`;
  const nonce = Number(await callRpc(url, 'eth_getTransactionCount', [wallet.address, 'pending']));
  const request = { chainId, nonce, to: `0x${'0e'.repeat(20)}`, gasLimit: 21_000, gasPrice: 0, type: 0 };
  return String(await callRpc(url, 'eth_sendRawTransaction', [await wallet.signTransaction(request)]));
}

/** Deactivates the second node, which so loses its vote on blocks; the first continues alone. */
async function expectRemoval({ nodes: [first, second] }: Endpoints): Promise<void> {
  const url = `${first?.rpc}`;
  const from = first?.accounts[0];
  const entries = (await callRpc(url, 'chainPermission_nodeList', [])) as { url: string; orgId: string }[];
  const org = entries.find((entry) => entry.url === second?.enode)?.orgId;
  const members = async () => (await callRpc(url, 'raft_cluster', [])) as { nodeId: string }[];
  expect(await members()).toHaveLength(2);
  await callRpc(url, 'chainPermission_updateNodeStatus', [org, second?.enode, 1, { from }]);
  await until(async () => (await members()).length === 1);
  expect((await members()).map(({ nodeId }) => nodeId)).toEqual([first?.enode.slice(8, 136)]);
  const height = async () => Number(await callRpc(url, 'eth_blockNumber', []));
  const before = await height();
  const transfer = { from, to: `0x${'0e'.repeat(20)}`, gas: '0x5208' };
  await callRpc(url, 'eth_sendTransaction', [transfer]);
  await until(async () => (await height()) > before);
}

describe.each(['qbft', 'raft'])('./tetrad up --permissioned under %s', (consensus) => {
  const isSkipped = consensus === 'raft' && lacking !== undefined;
  let folder: string;
  let words: readonly string[];
  let running: ChildService | undefined;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tetrad-permissioned-'));
    words = [
      ...['up', '--consensus', consensus, '--nodes', '2', '--services', 'node,transaction-manager'],
      ...['--data-dir', join(folder, 'data'), '--port-base', String(await freePorts(2 * PORTS_PER_NODE))],
      ...['--endpoints-file', join(folder, 'endpoints.json'), '--block-period', '200'],
    ];
  });
  afterAll(async () => {
    await running?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function up(): Promise<Endpoints> {
    const endpointsFile = join(folder, 'endpoints.json');
    running = await startChildService({
      ...{ name: 'up', command: process.execPath, args: [MAIN, ...words, '--permissioned'] },
      environment: { NODE_OPTIONS: '' },
      logFile: join(folder, 'up.log'),
      isReady: async () => existsSync(endpointsFile),
    });
    return JSON.parse(await readFile(endpointsFile, 'utf8')) as Endpoints;
  }

  (isSkipped ? it.skip : it)(
    'deploys and boots the permissions, enforces them, and resumes',
    async () => {
      const endpoints = await up();
      const { nodes, funded } = endpoints;
      const url = `${nodes[0]?.rpc}`;
      const accounts = (await callRpc(url, 'chainPermission_acctList', [])) as {
        acctId: string;
        roleId: string;
      }[];
      const holders = (role: string) =>
        accounts.filter(({ roleId }) => roleId === role).map(({ acctId }) => acctId);
      expect(new Set(holders('ADMIN'))).toEqual(new Set(nodes.flatMap((node) => node.accounts)));
      // Markers of restricted private transactions are signed with the node keys.
      const keyAccounts = nodes.map(({ enode }) =>
        computeAddress(`0x04${enode.slice(8, 136)}`).toLowerCase(),
      );
      const members = [...funded.map(({ address }) => address), ...keyAccounts];
      expect(holders('MEMBER')).toEqual(expect.arrayContaining(members));
      const listed = (await callRpc(url, 'chainPermission_nodeList', [])) as {
        url: string;
        status: number;
      }[];
      expect(new Set(listed.map((node) => node.url))).toEqual(new Set(nodes.map(({ enode }) => enode)));

      const member = new Wallet(`${funded[0]?.privateKey}`);
      const hash = await transfer(endpoints, member);
      await until(async () => (await callRpc(url, 'eth_getTransactionReceipt', [hash])) !== null);
      await expect(transfer(endpoints, new Wallet(`0x${'77'.repeat(32)}`))).rejects.toThrow(
        'account does not have permission for the transaction',
      );

      expect(await missingMethods(url, 'node')).toEqual([]);
      // The operations port is the next one. Only such nodes have metrics of permissions, and of etcd.
      const opsUrl = `http://127.0.0.1:${Number(new URL(url).port) + 1}`;
      expect(await uncataloguedOf([await scrape('node', opsUrl)])).toEqual([]);
      const config = await readFile(join(folder, 'data', 'permission-config.json'), 'utf8');
      await running?.stop();
      const { code, stderr } = await runTetrad([...words]);
      expect([code, stderr]).toEqual([2, expect.stringContaining('is permissioned; say --permissioned')]);
      const resumed = await up();
      expect(await readFile(join(folder, 'data', 'permission-config.json'), 'utf8')).toBe(config);
      expect(await callRpc(url, 'eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' });
      const next = await transfer(resumed, member);
      await until(async () => (await callRpc(url, 'eth_getTransactionReceipt', [next])) !== null);
      if (consensus === 'raft') await expectRemoval(resumed);
    },
    900_000,
  );
});
