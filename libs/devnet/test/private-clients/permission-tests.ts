import { expect, it } from '@jest/globals';
import { callRpc } from '@tetrad/devnet';
import { until } from '@tetrad/testkit';
import { Wallet, computeAddress } from 'ethers';
import { uncataloguedOf } from '../monitoring/catalogue.js';
import { scrape } from '../monitoring/exposition.js';
import { missingMethods } from '../served-methods.js';
import { runTetrad } from '../tetrad-process.js';
import type { Engine, PermittedNetwork } from './permitted-network.js';

/**
 * A transfer that the account signs itself.
 * @returns its hash
 * @throws with the node's message
 */
async function transfer(network: PermittedNetwork, wallet: Wallet): Promise<string> {
  const nonce = Number(await network.ask(0, 'eth_getTransactionCount', wallet.address, 'pending'));
  const { chainId } = network.endpoints;
  const request = { chainId, nonce, to: `0x${'0e'.repeat(20)}`, gasLimit: 21_000, gasPrice: 0, type: 0 };
  return String(await network.ask(0, 'eth_sendRawTransaction', await wallet.signTransaction(request)));
}

const memberOf = (network: PermittedNetwork) => new Wallet(`${network.endpoints.funded[0]?.privateKey}`);

/** The test of permissions on a network that has just been started for the first time. */
export function testFirstStart(networkOf: () => PermittedNetwork): void {
  it('deploys and boots the permissions, enforces them, and serves every method', async () => {
    const network = networkOf();
    const { nodes, funded } = network.endpoints;
    const accounts = (await network.ask(0, 'chainPermission_acctList')) as {
      acctId: string;
      roleId: string;
    }[];
    const holders = (role: string) =>
      accounts.filter(({ roleId }) => roleId === role).map(({ acctId }) => acctId);
    expect(new Set(holders('ADMIN'))).toEqual(new Set(nodes.flatMap((node) => node.accounts)));
    // Markers of restricted private transactions are signed with the node keys.
    const keyAccounts = nodes.map(({ enode }) => computeAddress(`0x04${enode.slice(8, 136)}`).toLowerCase());
    const members = [...funded.map(({ address }) => address), ...keyAccounts];
    expect(holders('MEMBER')).toEqual(expect.arrayContaining(members));
    const listed = (await network.ask(0, 'chainPermission_nodeList')) as { url: string; status: number }[];
    expect(new Set(listed.map((node) => node.url))).toEqual(new Set(nodes.map(({ enode }) => enode)));

    await network.mined(await transfer(network, memberOf(network)));
    await expect(transfer(network, new Wallet(`0x${'77'.repeat(32)}`))).rejects.toThrow(
      'account does not have permission for the transaction',
    );
    const { rpc } = network.node(0);
    expect(await missingMethods(rpc, 'node')).toEqual([]);
    // The operations port is the next one. Only such nodes have metrics of permissions, and of etcd.
    const opsUrl = `http://127.0.0.1:${Number(new URL(rpc).port) + 1}`;
    expect(await uncataloguedOf([await scrape('node', opsUrl)])).toEqual([]);
  });
}

/** The test of another start; the last one, after which a raft network has a node less. */
export function testResumption(engine: Engine, networkOf: () => PermittedNetwork): void {
  it('resumes with its permissions, and not without --permissioned', async () => {
    const network = networkOf();
    const hash = await transfer(network, memberOf(network));
    await network.mined(hash);
    const configuration = await network.configuration();
    await network.down();
    const { code, stderr } = await runTetrad(network.words);
    expect([code, stderr]).toEqual([1, expect.stringContaining('is permissioned; say --permissioned')]);
    await network.up();
    expect(await network.configuration()).toBe(configuration);
    expect(await network.ask(0, 'eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
    await network.mined(await transfer(network, memberOf(network)));
    if (engine === 'raft') await expectRemoval(network);
  });
}

/** Deactivates the second node, which so loses its vote on blocks; the others continue. */
async function expectRemoval(network: PermittedNetwork): Promise<void> {
  const { enode } = network.node(1);
  const from = network.admin(0);
  const entries = (await network.ask(0, 'chainPermission_nodeList')) as { url: string; orgId: string }[];
  const org = entries.find((entry) => entry.url === enode)?.orgId;
  const members = async () =>
    ((await network.ask(0, 'raft_cluster')) as { nodeId: string }[]).map(({ nodeId }) => nodeId).sort();
  const before = await members();
  expect(before).toEqual(network.endpoints.nodes.map((node) => node.enode.slice(8, 136)).sort());
  await network.ask(0, 'chainPermission_updateNodeStatus', org, enode, 1, { from });
  await until(async () => (await members()).length < before.length);
  expect(await members()).toEqual(before.filter((nodeId) => nodeId !== enode.slice(8, 136)));
  const height = async () => Number(await callRpc(network.node(0).rpc, 'eth_blockNumber', []));
  const last = await height();
  await network.ask(0, 'eth_sendTransaction', { from, to: `0x${'0e'.repeat(20)}`, gas: '0x5208' });
  await until(async () => (await height()) > last);
}
