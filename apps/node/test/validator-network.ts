import type { afterEach } from '@jest/globals';
import { publicKeyFromPrivateKey } from '@tetrad/crypto';
import { bftRules } from '@tetrad/node-consensus-bft';
import { defaultGenesis } from '@tetrad/node-execution';
import { FaultyNetwork, developmentAccounts, until } from '@tetrad/testkit';
import { hexFromBytes, type Address, type Logger } from '@tetrad/types';
import { CHAIN_ID, startNode, type RunningNode } from './running-node.js';
import { VALIDATORS, addressOf, keyOf, type Name } from './validator-chain.js';

/** A chain of validators, and how it is run. */
export interface ValidatorNetworkSetup {
  readonly engine: 'qbft' | 'ibft';
  /** Validators of block 0; A to D when nothing else is said. */
  readonly validators?: readonly Name[];
  readonly blockPeriodMs?: number;
  readonly requestTimeoutSeconds?: number;
  /** More keys of the consensus section. */
  readonly consensus?: object;
  readonly transitions?: readonly object[];
}

/** A node of the chain in this process, under the key of the name; one that is not a validator follows. */
export function startMember(
  setup: ValidatorNetworkSetup,
  name: Name,
  {
    logger,
    peers = [],
    modules,
  }: { readonly logger?: Logger; readonly peers?: readonly string[]; readonly modules?: string } = {},
): Promise<RunningNode> {
  const flags = ['--peer-exchange', 'false', ...(peers.length === 0 ? [] : ['--peers', peers.join()])];
  const more = { ...(logger === undefined ? {} : { logger }), ...(modules === undefined ? {} : { modules }) };
  return startNode(flags, { genesis: genesisOf(setup), nodeKey: keyOf(name), ...more });
}

/** Connects each node to all others. */
export async function connect(nodes: readonly RunningNode[]): Promise<void> {
  for (const node of nodes) {
    for (const other of nodes.filter((one) => one !== node))
      await node.result('admin_addPeer', [await enodeOf(other)]);
  }
}

/** The nodes of each test of the file (`afterEach`) or of all of them (`afterAll`), stopped when it is over. */
export function useNodes(after: typeof afterEach): RunningNode[] {
  const nodes: RunningNode[] = [];
  after(async () => {
    await Promise.all(nodes.splice(0).map((node) => node.stop()));
  });
  return nodes;
}

/** Adds nodes that talk to each other over real ports. */
export async function startNodes(
  nodes: RunningNode[],
  setup: ValidatorNetworkSetup,
  names: readonly Name[],
): Promise<void> {
  for (const name of names) nodes.push(await startMember(setup, name));
  await connect(nodes);
}

/**
 * Adds nodes that reach each other over links that can be broken, and over nothing else.
 * @returns the links
 */
export async function startLinkedNodes(
  nodes: RunningNode[],
  setup: ValidatorNetworkSetup,
  names: readonly Name[],
): Promise<FaultyNetwork> {
  const ports: number[] = [];
  // Until a node is started, its port is one without a server.
  const links = await FaultyNetwork.open(names.map((_, index) => () => ports[index] ?? 1));
  for (const [from, name] of names.entries()) {
    const peers = names.flatMap((other, to) =>
      to === from ? [] : [`enode://${nodeIdOf(other)}@127.0.0.1:${links.portOf(from, to)}?discport=0`],
    );
    const node = await startMember(setup, name, { peers });
    ports.push(Number(new URL(await enodeOf(node)).port));
    nodes.push(node);
  }
  return links;
}

const nodeIdOf = (name: Name) => Buffer.from(publicKeyFromPrivateKey(keyOf(name))).toString('hex');

export async function enodeOf(node: RunningNode): Promise<string> {
  return (await node.result<{ enode: string }>('admin_nodeInfo')).enode;
}

/** The genesis file of the chain. */
export function genesisOf(setup: ValidatorNetworkSetup): object {
  const { engine, validators, consensus, transitions = [] } = setup;
  const funded = [...developmentAccounts(4, 'owner'), ...developmentAccounts(3, 'held')];
  const genesis = defaultGenesis({
    chainId: CHAIN_ID,
    engine,
    blockPeriodMs: setup.blockPeriodMs ?? 200,
    extraData: hexFromBytes(bftRules(engine).genesisExtraData(validators?.map(addressOf) ?? VALIDATORS)),
    balances: new Map(funded.map(({ address }) => [address, 10n ** 24n])),
    requestTimeoutSeconds: setup.requestTimeoutSeconds ?? 3,
  });
  const config = genesis['config'] as Record<string, object>;
  return { ...genesis, config: { ...config, [engine]: { ...config[engine], ...consensus }, transitions } };
}

export async function heightOf(node: RunningNode): Promise<number> {
  return Number(await node.result('eth_blockNumber'));
}

/**
 * Resolves once the node has so many more blocks.
 * @returns the height it began at
 */
export async function pass(node: RunningNode, blocks: number): Promise<number> {
  const from = await heightOf(node);
  await until(async () => (await heightOf(node)) >= from + blocks);
  return from;
}

export interface BlockView {
  readonly hash: string;
  readonly extraData: string;
  readonly miner: Address;
  readonly parentHash: string;
}

/** What each of them has at the height. */
export async function blockOfAll(nodes: readonly RunningNode[], height: number): Promise<BlockView[]> {
  for (const node of nodes) await until(async () => (await heightOf(node)) >= height);
  const params = [`0x${height.toString(16)}`, false];
  return Promise.all(nodes.map((node) => node.result<BlockView>('eth_getBlockByNumber', params)));
}

/** The round of the height that the node decides on. */
export async function roundOf(node: RunningNode): Promise<number> {
  const metrics = await (await fetch(`${node.opsUrl}/metrics`)).text();
  return Number(/^node_consensus_round_number(?:\{[^}]*\})? (\d+)/m.exec(metrics)?.[1] ?? Number.NaN);
}

/** How often the node has announced a round, to all or to one. */
async function announcementsOf(node: RunningNode): Promise<number> {
  const metrics = await (await fetch(`${node.opsUrl}/metrics`)).text();
  return Number(
    /^node_consensus_messages_sent_total\{[^}]*kind="roundChange"[^}]*\} (\d+)/m.exec(metrics)?.[1] ?? 0,
  );
}

/**
 * Resolves once no block came while all announced rounds twice.
 * @returns the height at which the nodes stand
 */
export async function standstill(nodes: readonly RunningNode[]): Promise<number> {
  const highest = async () => Math.max(...(await Promise.all(nodes.map(heightOf))));
  for (;;) {
    const [height, earlier] = [await highest(), await Promise.all(nodes.map(announcementsOf))];
    await until(async () => {
      const now = await Promise.all(nodes.map(announcementsOf));
      return (await highest()) > height || now.every((times, index) => times >= (earlier[index] ?? 0) + 2);
    });
    if ((await highest()) === height) return height;
  }
}

/** Sends a transaction from an account of the node, and sees it mined on all of them in the same block. */
export async function sendThrough(
  node: RunningNode,
  nodes: readonly RunningNode[],
  transaction: object = {},
): Promise<void> {
  const [held] = node.accounts;
  const hash = await node.result<string>('eth_sendTransaction', [
    { from: held, to: held, value: '0x1', gas: '0x5208', ...transaction },
  ]);
  const receipts = await Promise.all(nodes.map((one) => one.mined(hash)));
  if (receipts.some(({ status }) => status !== '0x1')) throw new Error(`${hash} failed`);
  if (new Set(receipts.map(({ blockHash }) => blockHash)).size > 1) throw new Error(`a fork at ${hash}`);
}
