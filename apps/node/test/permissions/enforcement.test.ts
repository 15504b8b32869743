import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { signTransaction } from '@tetrad/transactions';
import { developmentAccounts, until } from '@tetrad/testkit';
import { hexFromBytes, silentLogger } from '@tetrad/types';
import { PermissionClient } from '../permission-client.js';
import {
  ADMIN,
  BANKER,
  BANK_KEY,
  GUEST,
  OTHER_ADMIN,
  VALIDATOR_KEY,
  configText,
  deploy,
  genesis,
  heldByFirst,
  startBankNode,
  startPermissioned,
} from '../permissioned-network.js';
import { CHAIN_ID, startNode, type RunningNode } from '../running-node.js';
import { enodeOf, heightOf, useNodes } from '../validator-network.js';

const nodes = useNodes(afterEach);
const added = async (starting: Promise<RunningNode>) => {
  const node = await starting;
  nodes.push(node);
  return node;
};
const peersOf = async (node: RunningNode) => (await node.result<unknown[]>('admin_peers')).length;
const listOf = async (node: RunningNode, name: string) =>
  JSON.parse(await readFile(join(node.folder, name), 'utf8')) as string[];
const NO_PERMISSION = { code: -32000, message: 'account does not have permission for the transaction' };
const transfer = (from: string) => ({ from, to: ADMIN, value: '0x1', gas: '0x5208' });

/** A transfer signed with the banker's key, for any node to submit. */
function signedByBanker(): string {
  const { privateKey } = developmentAccounts(8, 'permissioned')[5] as { privateKey: Uint8Array };
  const fees = { type: 'legacy', gasPrice: 0n } as const;
  const to = ADMIN;
  const unsigned = { chainId: BigInt(CHAIN_ID), nonce: 0n, gasLimit: 21_000n, to, value: 1n, fees };
  return hexFromBytes(signTransaction({ ...unsigned, data: new Uint8Array(0) }, privateKey));
}

describe.each(['v1', 'v2'] as const)('permission contracts in force (%s)', (model) => {
  it('admit accounts and nodes of organizations only, and follow their status', async () => {
    const node = await added(startPermissioned(model));
    await until(async () => (await fetch(`${node.opsUrl}/readyz`)).ok);
    const refused = await node.call('eth_sendTransaction', [transfer(GUEST)]);
    expect(refused.error).toMatchObject({ ...NO_PERMISSION, data: { reason: 'ACCOUNT_NOT_PERMITTED' } });
    await node.mined(await node.result<string>('eth_sendTransaction', [transfer(ADMIN)]));

    const bank = await added(startBankNode(model, await enodeOf(node)));
    const client = new PermissionClient(node);
    const url = await enodeOf(bank);
    for (const [method, from] of [
      ['chainPermission_addOrg', ADMIN],
      ['chainPermission_approveOrg', ADMIN],
    ] as const)
      await client.done(method, ['BANK', url, BANKER], from);
    expect([await peersOf(node), await peersOf(bank)]).toEqual([0, 0]);
    await client.done('chainPermission_approveOrg', ['BANK', url, BANKER], OTHER_ADMIN);
    await until(async () => (await peersOf(node)) === 1 && (await peersOf(bank)) === 1);
    await until(async () => (await listOf(node, 'permissioned-nodes.json')).includes(url));

    const elsewhere = await node.call('eth_sendRawTransaction', [signedByBanker()]);
    expect(elsewhere.error).toMatchObject({ message: 'cannot send transaction from this node' });
    await until(async () => (await heightOf(bank)) >= (await heightOf(node)) - 1);
    await node.mined(await bank.result<string>('eth_sendRawTransaction', [signedByBanker()]));

    // It is cut off by the very block, and does not get it.
    await bank.result('chainPermission_updateNodeStatus', ['BANK', url, 1, { from: BANKER }]);
    await until(async () => (await peersOf(node)) === 0);
    await until(async () => !(await listOf(node, 'permissioned-nodes.json')).includes(url));
  });
});

it('a block with a forbidden transaction, of a node that does not enforce its file and reports it, is refused by nodes that do', async () => {
  const modules = 'eth,net,admin,debug,chainPermission';
  const shared = { genesis: genesis(), modules };
  // Enforces no permissions.
  const files = { 'permission-config.json': configText('v2') };
  const proposer = await added(
    startNode([], { ...shared, nodeKey: VALIDATOR_KEY, held: heldByFirst, files }),
  );
  const readiness = await fetch(`${proposer.opsUrl}/readyz`);
  expect([readiness.status, await readiness.text()]).toEqual([
    503,
    expect.stringContaining('permission-config.json is in the data folder, and is not enforced'),
  ]);
  await deploy(proposer, 'v2');
  const [enode, warnings] = [await enodeOf(proposer), [] as string[]];
  const hear = (message: string, values?: unknown) =>
    void warnings.push(`${message} ${JSON.stringify(values)}`);
  const logger = { ...silentLogger, debug: hear, info: hear, warn: hear, error: hear };
  const follower = await added(
    startNode(['--permissioned', '--validator', 'false', '--peers', enode], {
      ...shared,
      nodeKey: BANK_KEY,
      logger,
      files: {
        'permission-config.json': configText('v2'),
        'permissioned-nodes.json': JSON.stringify([enode]),
      },
    }),
  );
  await until(async () => (await fetch(`${follower.opsUrl}/readyz`)).ok);
  const hash = await proposer.result<string>('eth_sendTransaction', [transfer(GUEST)]);
  const { blockNumber } = await proposer.mined(hash);
  const refusal = `could not apply tx 0 [${hash}]: account does not have permission for the transaction`;
  await until(async () => warnings.some((text) => text.includes(refusal)));
  expect(await heightOf(follower)).toBe(Number(blockNumber) - 1);
  expect(await follower.result('eth_getTransactionByHash', [hash])).toBeNull();
});
