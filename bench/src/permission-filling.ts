import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runLoad } from '@tetrad/testkit';
import { Interface } from 'ethers';
import { callRpc } from './call-rpc.js';
import type { BenchNode } from './peers.js';

const INTERFACE = new Interface([
  'function addOrg(string orgId, string enodeId, string ip, uint16 port, uint16 raftPort, address account)',
  'function approveOrg(string orgId, string enodeId, string ip, uint16 port, uint16 raftPort, address account)',
  'function addNewRole(string roleId, string orgId, uint256 access, bool isVoter, bool isAdmin)',
  'function assignAccountRole(address account, string orgId, string roleId)',
]);
/** Organization and role of the accounts that `up` enrols. */
const [ORG, ROLE] = ['ADMINORG', 'MEMBER'];
/** Enough for the most expensive of the operations, and so little that a block has room for hundreds. */
const GAS = '0x16e360';
/** Sent before the next ones wait for a block. */
const AT_ONCE = 1_000;
const POLL_MS = 100;

export interface PermissionCounts {
  readonly orgs: number;
  readonly roles: number;
  readonly accounts: number;
}

/** Adds organizations, each with a node and an admin, roles and accounts to a permissioned network with one admin. */
export async function fillPermissions(
  node: BenchNode,
  { orgs, roles, accounts }: PermissionCounts,
): Promise<void> {
  const encode = (name: string, values: readonly unknown[]) => INTERFACE.encodeFunctionData(name, values);
  const calls: string[] = [];
  for (let index = 0; index < orgs; index++) {
    const values = [`ORG${index}`, nodeIdOf(index), '10.0.0.1', 30_303, 0, accountOf(1, index)];
    // Only one item of the network admins may wait for votes.
    calls.push(encode('addOrg', values), encode('approveOrg', values));
  }
  for (let index = 0; index < roles; index++)
    calls.push(encode('addNewRole', [`ROLE${index}`, ORG, 3, false, false]));
  for (let index = 0; index < accounts; index++)
    calls.push(encode('assignAccountRole', [accountOf(2, index), ORG, ROLE]));
  for (let from = 0; from < calls.length; from += AT_ONCE) {
    process.stderr.write(`\r  ${from}/${calls.length} operations`);
    await operate(node, calls.slice(from, from + AT_ONCE));
  }
}

/** Sends the operations by the network admin, and waits until they are mined. */
async function operate(node: BenchNode, calls: readonly string[]): Promise<void> {
  const { files, rpc } = node.network.nodes[0] as BenchNode['network']['nodes'][number];
  const from = files.account;
  const config = JSON.parse(await readFile(join(files.folder, 'permission-config.json'), 'utf8')) as {
    readonly interfaceAddress: string;
  };
  const nonceNow = async () => Number(await callRpc(rpc, 'eth_getTransactionCount', [from, 'latest']));
  const first = await nonceNow();
  const params = calls.map((data, index) => [
    { from, to: config.interfaceAddress, gas: GAS, gasPrice: '0x0', data, nonce: hexOf(first + index) },
  ]);
  // They run in the order of their nonces.
  const outcomes = await runLoad(params, { url: rpc, connections: 16, method: 'eth_sendTransaction' });
  const refused = outcomes.find(({ result }) => result === undefined);
  if (refused !== undefined) throw new Error(`an operation was refused: ${refused.error?.message}`);
  while ((await nonceNow()) < first + calls.length) await new Promise((tick) => setTimeout(tick, POLL_MS));
  const receipts = await Promise.all(
    [outcomes[0], outcomes.at(-1)].map((outcome) =>
      callRpc(rpc, 'eth_getTransactionReceipt', [outcome?.result]),
    ),
  );
  if (receipts.some((receipt) => (receipt as { readonly status: string }).status !== '0x1'))
    throw new Error('an operation of an admin was reverted');
}

const hexOf = (value: number) => `0x${value.toString(16)}`;

function nodeIdOf(index: number): string {
  return (index + 1).toString(16).padStart(128, '0');
}

/** In: kind — accounts of another one differ */
function accountOf(kind: number, index: number): string {
  return `0x${kind.toString(16).padStart(20, '0')}${(index + 1).toString(16).padStart(20, '0')}`;
}
