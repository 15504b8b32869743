import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { developmentAccounts, runLoad } from '@tetrad/testkit';
import { Interface } from 'ethers';
import { callRpc } from './call-rpc.js';
import type { BenchNode } from './peers.js';

/** How many organizations and accounts there are at least; each organization has an account, its admin. */
export interface ConsortiumSize {
  readonly orgs: number;
  readonly accounts: number;
}

const ADMIN_ORG = 'ADMINORG';
const ROLE = 'STAFF';
const FULL_ACCESS = 3;
const ACTIVE = 2;
const GAS = 1_500_000;
const POLL_MS = 500;
const OPERATIONS = new Interface([
  'function addOrg(string org, string enodeId, string ip, uint16 port, uint16 raftPort, address account)',
  'function approveOrg(string org, string enodeId, string ip, uint16 port, uint16 raftPort, address account)',
  'function addNewRole(string role, string org, uint256 access, bool isVoter, bool isAdmin)',
  'function assignAccountRole(address account, string org, string role)',
]);

interface Entry {
  readonly status?: number;
}

/**
 * Fills the permission contracts of a permissioned network by transactions of its admin: each organization is proposed and
 * voted in, one after the other since one vote may be open, and the other accounts become members of the admin's.
 * @returns when the node has all entries
 */
export async function fillConsortium(node: BenchNode, { orgs, accounts }: ConsortiumSize): Promise<void> {
  const members = developmentAccounts(accounts - orgs, 'bench org member');
  const calls = [
    ...developmentAccounts(orgs, 'bench org admin').flatMap(({ address }, index) => {
      const args = [...orgWithNode(index), address];
      return [
        OPERATIONS.encodeFunctionData('addOrg', args),
        OPERATIONS.encodeFunctionData('approveOrg', args),
      ];
    }),
    OPERATIONS.encodeFunctionData('addNewRole', [ROLE, ADMIN_ORG, FULL_ACCESS, false, false]),
    ...members.map(({ address }) =>
      OPERATIONS.encodeFunctionData('assignAccountRole', [address, ADMIN_ORG, ROLE]),
    ),
  ];
  await submit(node, calls);
  await until(node.url, 'orgList', orgs);
  await until(node.url, 'acctList', accounts);
}

/** The node signs for the admin, and numbers the transactions in the order of one connection. */
async function submit({ url, folder, network }: BenchNode, calls: readonly string[]): Promise<void> {
  const [first] = network.nodes;
  if (first === undefined) throw new Error('the network has no node');
  const text = await readFile(join(folder, 'permission-config.json'), 'utf8');
  const { interfaceAddress: to } = JSON.parse(text) as { readonly interfaceAddress: string };
  const from = first.files.account;
  const params = calls.map((data) => [{ from, to, gas: `0x${GAS.toString(16)}`, data }]);
  const outcomes = await runLoad(params, { url, connections: 1, method: 'eth_sendTransaction' });
  const refused = outcomes.find(({ result }) => result === undefined);
  if (refused !== undefined)
    throw new Error(`eth_sendTransaction: ${refused.error?.message ?? refused.lost}`);
}

/** Waits until the list has so many active entries. */
async function until(url: string, list: string, count: number): Promise<void> {
  for (;;) {
    const entries = (await callRpc(url, `chainPermission_${list}`, [])) as readonly Entry[];
    const there = entries.filter(({ status }) => status === ACTIVE).length;
    process.stderr.write(`\r  ${list}: ${there}/${count}   `);
    if (there >= count) return;
    await new Promise((tick) => setTimeout(tick, POLL_MS));
  }
}

/** A name, and a node that does not exist: the contracts keep what they are given. */
function orgWithNode(index: number): unknown[] {
  const enodeId = (index + 1).toString(16).padStart(128, '0');
  return [`ORG${String(index).padStart(4, '0')}`, enodeId, `10.0.${index >> 8}.${index & 255}`, 21_000, 0];
}
