import { bftRules } from '@tetrad/node-consensus-bft';
import { defaultGenesis } from '@tetrad/node-execution';
import { developmentAccounts } from '@tetrad/testkit';
import { hexFromBytes } from '@tetrad/types';
import { CHAIN_ID, startNode, type RunningNode } from './running-node.js';
import { VALIDATORS, keyOf, type Name } from './validator-chain.js';

/** A chain of the validators A to D. */
export interface ValidatorNetworkSetup {
  readonly engine: 'qbft' | 'ibft';
  /** More keys of the consensus section. */
  readonly consensus?: object;
  readonly transitions?: readonly object[];
}

/** Nodes in this process that talk to each other over real ports; names beyond D are followers. */
export async function startNodes(
  setup: ValidatorNetworkSetup,
  names: readonly Name[],
): Promise<readonly RunningNode[]> {
  const genesis = genesisOf(setup);
  const nodes: RunningNode[] = [];
  for (const name of names)
    nodes.push(await startNode(['--peer-exchange', 'false'], { genesis, nodeKey: keyOf(name) }));
  for (const node of nodes) {
    for (const other of nodes.filter((one) => one !== node))
      await node.result('admin_addPeer', [(await other.result<{ enode: string }>('admin_nodeInfo')).enode]);
  }
  return nodes;
}

function genesisOf({ engine, consensus, transitions = [] }: ValidatorNetworkSetup): object {
  const funded = [...developmentAccounts(4, 'owner'), ...developmentAccounts(3, 'held')];
  const genesis = defaultGenesis({
    chainId: CHAIN_ID,
    engine,
    blockPeriodMs: 200,
    extraData: hexFromBytes(bftRules(engine).genesisExtraData(VALIDATORS)),
    balances: new Map(funded.map(({ address }) => [address, 10n ** 24n])),
    requestTimeoutSeconds: 3,
  });
  const config = genesis['config'] as Record<string, object>;
  return { ...genesis, config: { ...config, [engine]: { ...config[engine], ...consensus }, transitions } };
}

export async function heightOf(node: RunningNode): Promise<number> {
  return Number(await node.result('eth_blockNumber'));
}

/** Resolves once the condition holds. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((tick) => setTimeout(tick, 50));
}

export interface BlockView {
  readonly hash: string;
  readonly extraData: string;
  readonly parentHash: string;
}

/** What each of them has at the height. */
export async function blockOfAll(nodes: readonly RunningNode[], height: number): Promise<BlockView[]> {
  for (const node of nodes) await until(async () => (await heightOf(node)) >= height);
  const params = [`0x${height.toString(16)}`, false];
  return Promise.all(nodes.map((node) => node.result<BlockView>('eth_getBlockByNumber', params)));
}
