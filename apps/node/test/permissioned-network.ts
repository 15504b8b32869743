import { addressFromPrivateKey } from '@tetrad/crypto';
import { bftRules } from '@tetrad/node-consensus-bft';
import { defaultGenesis } from '@tetrad/node-execution';
import {
  PERMISSION_CONTRACTS,
  deployPermissions,
  permissionConfigText,
  type PermissionAddresses,
  type PermissionModel,
} from '@tetrad/node-permission-contracts';
import { developmentAccounts, until, type DevelopmentAccount } from '@tetrad/testkit';
import { hexFromBytes, parseAddress, type Address, type Hex } from '@tetrad/types';
import { getCreateAddress } from 'ethers/address';
import { CHAIN_ID, startNode, type RunningNode } from './running-node.js';

/** Accounts of the network; each node holds some of the keys. */
const ACCOUNTS = developmentAccounts(8, 'permissioned');
const account = (index: number) => ACCOUNTS[index] as DevelopmentAccount;
export const guardian = account(0);
export const heldByFirst = [0, 1, 2, 3, 4].map(account);
const heldByBank = [5, 6].map(account);

/** Network admins, whose keys the first node holds. */
export const [ADMIN, OTHER_ADMIN] = [account(1).address, account(2).address];
/** Accounts of the first node without any role at first. */
export const [GUEST, NEWCOMER] = [account(3).address, account(4).address];
/** Accounts of the bank's node. */
export const [BANKER, TELLER] = [account(5).address, account(6).address];
/** An account whose key no node holds. */
export const UNHELD = account(7).address;

export const NETWORK = 'NETWORK';

export const VALIDATOR_KEY = Buffer.alloc(32, 0x42);
export const BANK_KEY = Buffer.alloc(32, 0x43);
const FLAGS = ['--permissioned', '--peer-exchange', 'false'];
const MODULES = 'eth,net,txpool,admin,debug,chainPermission';

/** Order in which `deployPermissions` creates contracts. */
const CREATED = [
  'upgradable',
  'orgManager',
  'roleManager',
  'accountManager',
  'voterManager',
  'nodeManager',
  'interface',
  'implementation',
] as const;

/** Where the contracts will be: the guardian's first creations. */
export function foreseenAddresses(): PermissionAddresses {
  const addresses = new Map(
    CREATED.map((contract, nonce) => [
      contract,
      parseAddress(getCreateAddress({ from: guardian.address, nonce })),
    ]),
  );
  return Object.fromEntries(
    PERMISSION_CONTRACTS.map((contract) => [contract, addresses.get(contract)]),
  ) as PermissionAddresses;
}

export function configText(model: PermissionModel): string {
  const policy = {
    model,
    networkAdminOrg: NETWORK,
    networkAdminRole: 'NWADMIN',
    orgAdminRole: 'ORGADMIN',
    accounts: [ADMIN, OTHER_ADMIN],
    subOrgDepth: 3,
    subOrgBreadth: 2,
  };
  return permissionConfigText(policy, foreseenAddresses());
}

/** @param emptyBlockPeriodSeconds - between blocks without transactions; the block period without it */
export function genesis(emptyBlockPeriodSeconds?: number): object {
  return defaultGenesis({
    chainId: CHAIN_ID,
    engine: 'qbft',
    blockPeriodMs: 100,
    emptyBlockPeriodSeconds,
    extraData: hexFromBytes(bftRules('qbft').genesisExtraData([addressFromPrivateKey(VALIDATOR_KEY)])),
    balances: new Map(ACCOUNTS.map(({ address }) => [address, 10n ** 24n])),
  });
}

/**
 * The one validator of a network with permission contracts, which are set up and in force.
 * @param setup.emptyBlockPeriodSeconds - between blocks without transactions; the block period without it
 */
export async function startPermissioned(
  model: PermissionModel,
  setup: { readonly emptyBlockPeriodSeconds?: number } = {},
): Promise<RunningNode> {
  const node = await startNode(FLAGS, {
    genesis: genesis(setup.emptyBlockPeriodSeconds),
    nodeKey: VALIDATOR_KEY,
    modules: MODULES,
    held: heldByFirst,
    files: { 'permission-config.json': configText(model), 'permissioned-nodes.json': '[]' },
  });
  await deploy(node, model);
  await until(async () => (await node.result<unknown[]>('chainPermission_acctList')).length === 2);
  // The accounts are there a block before permissions are in force.
  await until(async () => (await ruleFor(node, ADMIN)) !== 'NOT_ENFORCED');
  return node;
}

async function ruleFor(node: RunningNode, address: Address): Promise<string> {
  return (await node.result<{ readonly rule: string }>('chainPermission_explain', ['account', address])).rule;
}

/** A node that follows the first one once that lets it in. */
export function startBankNode(model: PermissionModel, firstEnode: string): Promise<RunningNode> {
  return startNode([...FLAGS, '--validator', 'false', '--peers', firstEnode], {
    genesis: genesis(),
    nodeKey: BANK_KEY,
    modules: MODULES,
    held: heldByBank,
    files: {
      'permission-config.json': configText(model),
      'permissioned-nodes.json': JSON.stringify([firstEnode]),
    },
  });
}

/** The address of the implementation in a new deployment. */
const NOT_CONNECTED: Hex = `0x${'00'.repeat(32)}`;

/**
 * Sends the creations and the call that connects the contracts, without waiting for blocks.
 * @param send - a transaction of the guardian with its next nonce, from 0 on
 */
export async function sendDeployment(
  model: PermissionModel,
  send: (call: { readonly to?: Address; readonly data: Hex }) => unknown,
): Promise<void> {
  let created = 0;
  await deployPermissions({
    model,
    guardian: guardian.address,
    create: async (data) => {
      await send({ data });
      return parseAddress(getCreateAddress({ from: guardian.address, nonce: created++ }));
    },
    send: async (to, data) => void (await send({ to, data })),
    ask: () => Promise.resolve(NOT_CONNECTED),
  });
}

export async function deploy(node: RunningNode, model: PermissionModel): Promise<void> {
  const gas = '0x1000000';
  const mined = async (transaction: object) =>
    node.mined(
      await node.result<string>('eth_sendTransaction', [{ from: guardian.address, gas, ...transaction }]),
    );
  const addresses = await deployPermissions({
    model,
    guardian: guardian.address,
    create: async (code) => parseAddress((await mined({ data: code })).contractAddress),
    async send(to, data) {
      const { status } = await mined({ to, data });
      if (status !== '0x1') throw new Error('the contracts cannot be connected');
    },
    ask: (to, data) => node.result<Hex>('eth_call', [{ to, data }, 'latest']),
  });
  const foreseen = foreseenAddresses();
  for (const contract of PERMISSION_CONTRACTS) {
    if (addresses[contract] !== foreseen[contract])
      throw new Error(`${contract} is not where it was foreseen`);
  }
}
