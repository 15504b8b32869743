import { addressFromPrivateKey } from '@tetrad/crypto';
import { bftRules } from '@tetrad/node-consensus-bft';
import { defaultGenesis } from '@tetrad/node-execution';
import {
  encodeOperation,
  permissionConfigText,
  type PermissionOperation,
} from '@tetrad/node-permission-contracts';
import { until } from '@tetrad/testkit';
import { hexFromBytes, parseAddress } from '@tetrad/types';
import { BANK_KEY, VALIDATOR_KEY, deploy, foreseenAddresses, guardian } from './permissioned-network.js';
import { SESSION_ACCOUNTS, accountNamed, nodeIdOf } from './recorded-permissions.js';
import { CHAIN_ID, startNode, type RunningNode } from './running-node.js';
import { enodeOf } from './validator-network.js';

const POLICY = { networkAdminOrg: 'ADMINORG', networkAdminRole: 'ADMIN', orgAdminRole: 'ORGADMIN' };
const ADMINS = ['NA1', 'NA2'].map((name) => parseAddress(accountNamed(name)));
const FLAGS = ['--permissioned', '--peer-exchange', 'false'];
const MODULES = 'eth,net,admin,chainPermission';

/** As the contracts have it; the first model looks at the id alone. */
export const urlOf = (index: number) => `enode://${nodeIdOf(index)}@127.0.0.1:${42100 + index}?discport=0`;

/** The validator of the recorded network, whose permissions are set up. */
export async function startValidator(): Promise<RunningNode> {
  // A peer that never comes: the node would set the network up itself, with its own ports.
  const peers = ['--peers', `enode://${nodeIdOf(2)}@127.0.0.1:1`];
  const node = await startNode([...FLAGS, ...peers], {
    genesis: genesis(),
    nodeKey: VALIDATOR_KEY,
    modules: MODULES,
    held: [guardian, ...SESSION_ACCOUNTS],
    files: { 'permission-config.json': configText(), 'permissioned-nodes.json': '[]' },
  });
  await deploy(node, 'v1');
  await setUp(node);
  return node;
}

/** The node of ORGA, which the validator lets in once the organization is approved. */
export async function startFollower(validator: RunningNode): Promise<RunningNode> {
  const enode = await enodeOf(validator);
  const node = await startNode([...FLAGS, '--validator', 'false', '--peers', enode], {
    genesis: genesis(),
    nodeKey: BANK_KEY,
    modules: MODULES,
    held: [...SESSION_ACCOUNTS],
    files: { 'permission-config.json': configText(), 'permissioned-nodes.json': JSON.stringify([enode]) },
  });
  await until(async () => (await node.result<unknown[]>('admin_peers')).length === 1);
  return node;
}

async function setUp(node: RunningNode): Promise<void> {
  const nodeAt = (index: number) => ({
    enodeId: nodeIdOf(index),
    ip: '127.0.0.1',
    port: 42100 + index,
    raftPort: 0,
    url: urlOf(index),
  });
  const steps: readonly PermissionOperation[] = [
    { name: 'setPolicy', ...POLICY },
    { name: 'init', breadth: 3, depth: 3 },
    ...[0, 2].map((index) => ({ name: 'addAdminNode', node: nodeAt(index) }) as const),
    ...ADMINS.map((account) => ({ name: 'addAdminAccount', account }) as const),
    { name: 'updateNetworkBootStatus' },
  ];
  const to = foreseenAddresses().interface;
  for (const step of steps) {
    const data = encodeOperation('v1', step);
    const request = { from: guardian.address, to, data, gas: '0x1000000' };
    const { status } = await node.mined(await node.result<string>('eth_sendTransaction', [request]));
    if (status !== '0x1') throw new Error(`${step.name} was reverted`);
  }
}

function configText(): string {
  const policy = { model: 'v1', ...POLICY, accounts: ADMINS, subOrgDepth: 3, subOrgBreadth: 3 } as const;
  return permissionConfigText(policy, foreseenAddresses());
}

/** With the gas of the recorded chain's fork. */
function genesis(): object {
  const file = defaultGenesis({
    chainId: CHAIN_ID,
    engine: 'qbft',
    blockPeriodMs: 50,
    extraData: hexFromBytes(bftRules('qbft').genesisExtraData([addressFromPrivateKey(VALIDATOR_KEY)])),
    balances: new Map([guardian, ...SESSION_ACCOUNTS].map(({ address }) => [address, 10n ** 24n])),
  });
  const { qbft } = file['config'] as Record<string, object>;
  const forks = ['homestead', 'eip150', 'eip155', 'eip158', 'byzantium', 'constantinople', 'petersburg'];
  const switches = [...forks, 'istanbul', 'berlin'].map((name) => [`${name}Block`, 0]);
  const config = { chainId: CHAIN_ID, rules: 'tetrad', qbft, ...Object.fromEntries(switches) };
  return { ...file, config };
}
