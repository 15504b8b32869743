import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { publicKeyFromPrivateKey } from '@tetrad/crypto';
import { bftRules } from '@tetrad/node-consensus-bft';
import { defaultGenesis } from '@tetrad/node-execution';
import { FaultyNetwork, developmentAccounts, until } from '@tetrad/testkit';
import { hexFromBytes, type Address } from '@tetrad/types';
import { PermissionClient } from '../permission-client.js';
import {
  ADMIN,
  BANKER,
  OTHER_ADMIN,
  configText,
  foreseenAddresses,
  guardian,
  heldByFirst,
  sendDeployment,
} from '../permissioned-network.js';
import { CHAIN_ID, startNode, type RunningNode } from '../running-node.js';
import { VALIDATORS, addressOf, keyOf, type Name } from '../validator-chain.js';
import { heightOf, pass, standstill, useNodes, type BlockView } from '../validator-network.js';

/** Of the network's organization, and of BANK, which joins. */
const FOUNDERS = ['A', 'B', 'C'] as const;
const NAMES: readonly Name[] = [...FOUNDERS, 'D'];
const ACCOUNTS = developmentAccounts(8, 'permissioned');

const nodes = useNodes(afterAll);
const ports: number[] = [];
let links: FaultyNetwork;
let network: PermissionClient;

beforeAll(async () => {
  // Until a node is started, its port is one without a server.
  links = await FaultyNetwork.open(NAMES.map((_, index) => () => ports[index] ?? 1));
});
afterAll(() => links?.close());

const urlOf = (from: number, to: number) => {
  const id = Buffer.from(publicKeyFromPrivateKey(keyOf(NAMES[to] as Name))).toString('hex');
  return `enode://${id}@127.0.0.1:${links.portOf(from, to)}?discport=0`;
};
/** As the contracts have it; they compare the host alone. */
const bankNode = () => urlOf(0, 3);

/** A validator that knows the founders. */
async function start(index: number): Promise<RunningNode> {
  const peers = FOUNDERS.map((_, to) => to).filter((to) => to !== index);
  const node = await startNode(
    ['--permissioned', '--peer-exchange', 'false', '--peers', peers.map((to) => urlOf(index, to)).join()],
    {
      genesis: genesis(),
      nodeKey: keyOf(NAMES[index] as Name),
      modules: 'eth,net,admin,chainPermission',
      held: index === 0 ? heldByFirst : index === 3 ? [ACCOUNTS[5], ACCOUNTS[6]].filter(isThere) : [],
      files: {
        'permission-config.json': configText('v2'),
        'permissioned-nodes.json': JSON.stringify(peers.map((to) => urlOf(index, to))),
      },
    },
  );
  const { enode } = await node.result<{ enode: string }>('admin_nodeInfo');
  ports[index] = Number(new URL(enode).port);
  nodes.push(node);
  return node;
}

const isThere = <T>(value: T | undefined): value is T => value !== undefined;
const node = (index: number) => nodes[index] as RunningNode;
const peersOf = async (one: RunningNode) => (await one.result<unknown[]>('admin_peers')).length;
const vote = async (method: string, params: readonly unknown[]) => {
  for (const voter of [ADMIN, OTHER_ADMIN]) await network.done(method, params, voter);
};

/** Resolves once the validator has authored a block above the height that the network has now. */
async function untilProposed(name: Name): Promise<void> {
  let number = (await heightOf(node(0))) + 1;
  await until(async () => {
    const tag = `0x${number.toString(16)}`;
    const block = await node(0).result<BlockView | null>('eth_getBlockByNumber', [tag, false]);
    if (block !== null) number += 1;
    return block?.miner === addressOf(name);
  });
}

/** All lists of a node at the head, which is the same on all. */
async function expectSameLists(): Promise<void> {
  const height = await heightOf(node(0));
  for (const one of nodes) await until(async () => (await heightOf(one)) >= height);
  const lists = (one: RunningNode) =>
    Promise.all(
      ['orgList', 'roleList', 'acctList', 'nodeList'].map((list) => one.result(`chainPermission_${list}`)),
    );
  const [first, ...others] = await Promise.all(nodes.map(lists));
  for (const other of others) expect(other).toEqual(first);
}

describe('validators of two organizations', () => {
  it('that start together set the network up once, and agree', async () => {
    for (const index of FOUNDERS.keys()) await start(index);
    network = new PermissionClient(node(0));
    // In as few blocks as possible, since every fourth waits for D, which is not there yet.
    await sendDeployment('v2', (call) =>
      node(0).result('eth_sendTransaction', [{ from: guardian.address, gas: '0x1000000', ...call }]),
    );
    for (const one of nodes) await until(async () => (await fetch(`${one.opsUrl}/readyz`)).ok);
    await expectSameLists();
    const listed = await node(0).result<{ url: string; status: number }[]>('chainPermission_nodeList');
    expect(listed.map(({ status }) => status)).toEqual([2, 2, 2]);
    const address = foreseenAddresses().implementation;
    const filter = { address, fromBlock: '0x0', toBlock: 'latest' };
    // The implementation logs nothing else.
    expect(await node(0).result('eth_getLogs', [filter])).toHaveLength(1);
  });

  it('let in that of an organization that joins, and it proposes blocks', async () => {
    const params = ['BANK', bankNode(), BANKER];
    await network.done('chainPermission_addOrg', params, ADMIN);
    await vote('chainPermission_approveOrg', params);
    await start(3);
    await untilProposed('D');
    await expectSameLists();
  });

  it('go on with that of an organization that is suspended: its accounts lose their rights, not its node', async () => {
    await network.done('chainPermission_updateOrgStatus', ['BANK', 1], ADMIN);
    await vote('chainPermission_approveOrgStatus', ['BANK', 1]);
    await untilProposed('D');
    await until(async () => (await peersOf(node(3))) === 3);
    const transfer = (from: Address) => ({ from, to: ADMIN, value: '0x1', gas: '0x5208' });
    const { error } = await node(3).call('eth_sendTransaction', [transfer(BANKER)]);
    expect(error?.message).toBe('account does not have permission for the transaction');
    await network.done('chainPermission_updateOrgStatus', ['BANK', 2], ADMIN);
    await vote('chainPermission_approveOrgStatus', ['BANK', 2]);
    await until(async () => (await new PermissionClient(node(3)).orgStatus('BANK')) === 2);
  });

  it('go on without one whose node is denylisted, and with it again once it is recovered', async () => {
    await node(3).result('chainPermission_updateNodeStatus', ['BANK', bankNode(), 3, { from: BANKER }]);
    await until(async () => (await network.nodeStatus(bankNode())) === 4);
    await until(async () => (await peersOf(node(3))) === 0);
    // It may have proposed one more before it was cut off, and one of the five after that would be its turn.
    const from = await pass(node(0), 6);
    const authors = await Promise.all(
      [2, 3, 4, 5, 6].map(async (above) => {
        const tag = `0x${(from + above).toString(16)}`;
        return (await node(0).result<BlockView>('eth_getBlockByNumber', [tag, false])).miner;
      }),
    );
    expect(authors).not.toContain(addressOf('D'));
    expect(await heightOf(node(3))).toBeLessThanOrEqual(from + 1);

    await network.done('chainPermission_recoverBlackListedNode', ['BANK', bankNode()], ADMIN);
    await vote('chainPermission_approveBlackListedNodeRecovery', ['BANK', bankNode()]);
    await until(async () => (await peersOf(node(3))) === 3);
    await untilProposed('D');
    await expectSameLists();
  });

  it('that lose their quorum between the votes for a change apply it once they have it again, all of them', async () => {
    const suspension = ['BANK', 1] as const;
    await network.done('chainPermission_updateOrgStatus', suspension, ADMIN);
    await network.done('chainPermission_approveOrgStatus', suspension, ADMIN);
    const statuses = () => Promise.all(nodes.map((one) => new PermissionClient(one).orgStatus('BANK')));
    const mayTransact = () =>
      Promise.all(nodes.map((one) => new PermissionClient(one).allowed({ from: BANKER, to: ADMIN })));
    await until(async () => (await statuses()).every((status) => status === 3));
    links.partition([
      [0, 1],
      [2, 3],
    ]);
    const height = await standstill(nodes);
    await node(0).result('chainPermission_approveOrgStatus', [...suspension, { from: OTHER_ADMIN }]);
    expect(await standstill(nodes)).toBe(height);
    expect([await statuses(), await mayTransact()]).toEqual([
      [3, 3, 3, 3],
      [true, true, true, true],
    ]);
    links.heal();
    await until(async () => (await statuses()).every((status) => status === 4));
    expect(await mayTransact()).toEqual([false, false, false, false]);
    await expectSameLists();
  });
});

function genesis(): object {
  return defaultGenesis({
    chainId: CHAIN_ID,
    engine: 'qbft',
    blockPeriodMs: 100,
    requestTimeoutSeconds: 1,
    extraData: hexFromBytes(bftRules('qbft').genesisExtraData(VALIDATORS)),
    balances: new Map(ACCOUNTS.map(({ address }) => [address, 10n ** 24n])),
  });
}
