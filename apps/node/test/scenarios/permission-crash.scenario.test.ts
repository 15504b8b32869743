import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  encodeOperation,
  permissionConfigText,
  type PermissionOperation,
} from '@tetrad/node-permission-contracts';
import { developmentAccounts, seededRandom, testSeed, until, type DevelopmentAccount } from '@tetrad/testkit';
import { signTransaction } from '@tetrad/transactions';
import { bytesFromHex, hexFromBytes, type Address, type Hex } from '@tetrad/types';
import {
  accountOf,
  nodeOf,
} from '../../../../libs/node/permissions/permission-contracts/test/permission-chain.js';
import { heldEntries, listedEntries } from '../contract-lists.js';
import { createNodeHome, type NodeHome, type NodeProcess } from '../node-process.js';
import { NETWORK, foreseenAddresses, guardian, sendDeployment } from '../permissioned-network.js';
import { CHAIN_ID, post } from '../running-node.js';

const ADMIN = developmentAccounts(8, 'permissioned')[1] as DevelopmentAccount;
const FLAGS = ['--permissioned', '--http-api', 'eth,chainPermission'];
const CONTRACTS = { model: 'v2', addresses: foreseenAddresses() } as const;
/** An id that is not UTF-8. */
const NO_TEXT = '\udcff';
const BANK = { orgId: 'BANK', node: nodeOf(2), account: accountOf(2) } as const;
const CLERK = { orgId: NETWORK, account: accountOf(3) } as const;
const OTHER_NODE = { orgId: NETWORK, node: nodeOf(4) } as const;
const CHANGES: readonly PermissionOperation[] = [
  { name: 'addOrg', ...BANK },
  { name: 'approveOrg', ...BANK },
  { name: 'addNewRole', orgId: NETWORK, roleId: NO_TEXT, access: 1, isVoter: false, isAdmin: false },
  { name: 'assignAccountRole', ...CLERK, roleId: NO_TEXT },
  { name: 'updateAccountStatus', ...CLERK, action: 1 },
  { name: 'addNode', ...OTHER_NODE },
  { name: 'updateNodeStatus', ...OTHER_NODE, action: 3 },
  { name: 'updateOrgStatus', orgId: 'BANK', action: 1 },
  { name: 'approveOrgStatus', orgId: 'BANK', action: 1 },
];
const random = seededRandom(testSeed());

let home: NodeHome;
let running: NodeProcess | undefined;
const nonces = new Map<Address, bigint>();

beforeAll(async () => {
  home = await createNodeHome([]);
  running = await home.start();
  await deploy();
  const policy = { networkAdminOrg: NETWORK, networkAdminRole: 'NWADMIN', orgAdminRole: 'ORGADMIN' };
  const limits = { accounts: [ADMIN.address], subOrgDepth: 3, subOrgBreadth: 3 };
  const config = permissionConfigText({ model: 'v2', ...policy, ...limits }, foreseenAddresses());
  await writeFile(join(home.folder, 'permission-config.json'), config);
  await writeFile(join(home.folder, 'permissioned-nodes.json'), '[]');
});
afterAll(async () => {
  await running?.kill();
  await home?.remove();
});

it('a node that is killed while it reads the contracts, and while it sets them up, does so at the next start', async () => {
  await running?.kill();
  for (const step of [
    '"message"',
    'permission records read from the contracts',
    'setting up the permissions of the network',
  ])
    await home.killAt(step, [...FLAGS, '--log-level', 'info']);
  // It sets the network up by itself before it is ready.
  await restart();
  const lists = await listedEntries(ask);
  expect(lists).toEqual(await heldEntries(ask, CONTRACTS));
  expect([lists.orgs, lists.nodes, lists.accounts].map(({ length }) => length)).toEqual([1, 1, 1]);
  await restart();
  expect(await listedEntries(ask)).toEqual(lists);
});

it('a node that is killed in the middle of a change lists what the contracts hold', async () => {
  let last: Hex | undefined;
  for (const operation of CHANGES) last = await operate(operation);
  await new Promise((done) => setTimeout(done, random() * 250));
  // At the block in which it was killed, since nothing more is mined.
  await restart('--validator', 'false');
  expect(await listedEntries(ask)).toEqual(await heldEntries(ask, CONTRACTS));
  await restart();
  await until(async () => (await ask('eth_getTransactionReceipt', last)) !== null);
  const lists = await listedEntries(ask);
  expect(lists).toEqual(await heldEntries(ask, CONTRACTS));
  expect(lists.orgs).toContainEqual(expect.objectContaining({ orgId: 'BANK', status: 4 }));
  expect(lists.roles).toContainEqual(expect.objectContaining({ roleId: NO_TEXT }));
});

async function restart(...flags: readonly string[]): Promise<void> {
  await running?.kill();
  running = undefined;
  running = await home.start([...FLAGS, ...flags]);
}

async function ask<T>(method: string, ...params: unknown[]): Promise<T> {
  const { result, error } = await post(home.url, method, params);
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result as T;
}

function send(
  { address, privateKey }: DevelopmentAccount,
  { to, data }: { readonly to?: Address; readonly data: Hex },
): Promise<Hex> {
  const nonce = nonces.get(address) ?? 0n;
  nonces.set(address, nonce + 1n);
  const fees = { type: 'legacy', gasPrice: 0n } as const;
  const unsigned = { chainId: BigInt(CHAIN_ID), nonce, gasLimit: 1n << 24n, to, value: 0n, fees };
  const raw = signTransaction({ ...unsigned, data: bytesFromHex(data) }, privateKey);
  return ask('eth_sendRawTransaction', hexFromBytes(raw));
}

const operate = (operation: PermissionOperation) =>
  send(ADMIN, { to: foreseenAddresses().interface, data: encodeOperation('v2', operation) });

async function deploy(): Promise<void> {
  let last: Hex | undefined;
  await sendDeployment('v2', async (call) => {
    last = await send(guardian, call);
  });
  await until(async () => (await ask('eth_getTransactionReceipt', last)) !== null);
}
