import { join } from 'node:path';
import { freePorts } from '@tetrad/testkit';
import { Wallet, type BaseWallet } from 'ethers';
import type { NetworkNode } from '../network/network-node.js';
import { parseNetworkOptions } from '../network/network-options.js';
import { startNetwork, type Network } from '../network/network.js';
import { PORTS_PER_NODE } from '../network/ports.js';
import { CallRefused, callRpc } from './call-rpc.js';
import { assert, type DemoContext } from './demo-context.js';
import { eventually } from './eventually.js';

/** The admins' two nodes, which are validators, and the bank's. */
const NODES = 3;
const BANK = 'BANK';
const ROLE = 'TELLER';
/** Access of a role that permits transfers alone. */
const TRANSFERS = 1;
const APPROVED = 2;
const SUSPENDED = 4;
/** Action of `updateOrgStatus`. */
const SUSPEND = 1;
const RECIPIENT = `0x${'00'.repeat(19)}b0`;
const NO_CODE = '0x00';

interface Explanation {
  readonly isAllowed: boolean;
  readonly rule: string;
  readonly reason: string;
}

/** On a permissioned network of its own, a bank joins by vote; a deployment of its account is refused; it is suspended by vote. */
export async function usePermissions({ options, tell }: DemoContext): Promise<string> {
  const portBase = await freePorts(NODES * PORTS_PER_NODE);
  const network = await startNetwork(
    parseNetworkOptions([
      '--permissioned',
      '--nodes',
      String(NODES - 1),
      '--services',
      'node',
      '--block-period',
      '200',
      '--port-base',
      String(portBase),
      '--data-dir',
      join(options.dataDir, 'permissioned'),
    ]),
    { onProgress: (what) => tell(`permissioned: ${what}`) },
  );
  try {
    const admins = [...network.nodes];
    tell('permissioned: voting a bank in');
    const bank = await admitBank(network, admins);
    const teller = Wallet.createRandom();
    await enrol(bank, teller.address);
    tell('permissioned: deploying without the right to');
    const reason = await refuseDeployment(bank, teller);
    tell('permissioned: suspending the bank by vote');
    await suspendBank(bank, admins);
    const { rule } = await explain(bank, teller.address, 'transfer');
    assert(rule === 'ORG_NOT_ACTIVE', `a transfer of a suspended organization is decided by ${rule}`);
    return (
      `two network admins voted a bank in, whose node joined and whose admin enrolled an account; ${reason}; ` +
      `after both had voted to suspend the bank, its transfers are refused as well`
    );
  } finally {
    await network.stop();
  }
}

/** Starts the bank's node once the admins have voted for it. */
async function admitBank(network: Network, admins: readonly NetworkNode[]): Promise<NetworkNode> {
  return network.join({
    beforeStart: async (node) => {
      const org = [BANK, node.enode, node.files.account];
      const [first] = admins as [NetworkNode];
      await act(first, 'addOrg', org);
      await vote(admins, 'approveOrg', org);
      await reaches(first, APPROVED);
    },
  });
}

/** The bank's admin gives the account a role for transfers, which it uses. */
async function enrol(bank: NetworkNode, account: string): Promise<void> {
  await act(bank, 'addNewRole', [BANK, ROLE, TRANSFERS, false, false]);
  await act(bank, 'addAccountToOrg', [account, BANK, ROLE]);
  const transaction = { from: account, to: RECIPIENT };
  const isAllowed = () => callRpc(bank.rpc, 'chainPermission_transactionAllowed', [transaction]);
  await eventually('the account may not transfer', async () => (await isAllowed()) === true);
}

/** @returns what the node says about it */
async function refuseDeployment(bank: NetworkNode, teller: BaseWallet): Promise<string> {
  const chainId = Number(await callRpc(bank.rpc, 'eth_chainId', []));
  const raw = await teller.signTransaction({ chainId, gasPrice: 0, gasLimit: 100_000, data: NO_CODE });
  const refusal = await callRpc(bank.rpc, 'eth_sendRawTransaction', [raw]).catch((error: unknown) => error);
  assert(refusal instanceof CallRefused, 'a deployment without the right is accepted');
  const { rule } = refusal.data as { readonly rule?: string };
  const explained = await explain(bank, teller.address, 'deploy');
  assert(rule !== undefined && rule === explained.rule, `refused by ${rule}, explained by ${explained.rule}`);
  assert(!explained.isAllowed, 'the deployment is explained as allowed');
  return `a deployment of that account was refused by the rule ${rule}: ${explained.reason}`;
}

async function suspendBank(bank: NetworkNode, admins: readonly NetworkNode[]): Promise<void> {
  const [first] = admins as [NetworkNode];
  await act(first, 'updateOrgStatus', [BANK, SUSPEND]);
  await vote(admins, 'approveOrgStatus', [BANK, SUSPEND]);
  await reaches(bank, SUSPENDED);
}

/** Each admin at its own node, and one after the other, since a majority decides. */
async function vote(admins: readonly NetworkNode[], method: string, params: readonly unknown[]) {
  for (const admin of admins) await act(admin, method, params);
}

/** Sends a change from the account of the node, and waits until it is mined. */
async function act({ rpc, files }: NetworkNode, method: string, params: readonly unknown[]): Promise<void> {
  const from = files.account;
  await eventually(`${method} is refused`, async () => {
    await callRpc(rpc, `chainPermission_${method}`, [...params, { from }]);
    return true;
  });
  const count = (block: string) => callRpc(rpc, 'eth_getTransactionCount', [from, block]);
  await eventually(
    `${method} is not mined`,
    async () => (await count('latest')) === (await count('pending')),
  );
}

async function reaches({ rpc }: NetworkNode, status: number): Promise<void> {
  await eventually(`the bank does not reach status ${status}`, async () => {
    const orgs = (await callRpc(rpc, 'chainPermission_orgList', [])) as {
      fullOrgId: string;
      status: number;
    }[];
    return orgs.some((org) => org.fullOrgId === BANK && org.status === status);
  });
}

async function explain({ rpc }: NetworkNode, account: string, action: string): Promise<Explanation> {
  return (await callRpc(rpc, 'chainPermission_explain', ['account', account, action])) as Explanation;
}
