import { connectDatabase } from '@tetrad/db';
import { bftChainRules } from '@tetrad/node-consensus-bft-chain';
import { createExecutor, parseGenesis } from '@tetrad/node-execution';
import { openLedger } from '@tetrad/node-ledger';
import { openLedgerStore } from '@tetrad/node-store';
import { silentLogger, silentMetrics, systemClock, type Block } from '@tetrad/types';
import { genesisFile } from '../../../../../libs/node/privacy/private-state/test/recorded-chain.js';
import { startNode, type RunningNode } from '../../running-node.js';

/**
 * A node on a recorded chain, which does not grow.
 * @param flags - such as --ptm-url
 */
export function startOnRecordedChain(
  name: string,
  blocks: readonly Block[],
  flags: readonly string[] = [],
): Promise<RunningNode> {
  const genesis = genesisFile(name) as object;
  return startNode(['--validator', 'false', '--genesis-rules', 'goquorum', ...flags], {
    genesis,
    prepare: (url) => importBlocks(url, genesis, blocks),
  });
}

async function importBlocks(databaseUrl: string, file: object, blocks: readonly Block[]): Promise<void> {
  const database = await connectDatabase({ url: databaseUrl });
  const store = await openLedgerStore(database);
  const genesis = parseGenesis(file, 'goquorum');
  const rules = bftChainRules(genesis);
  const ledger = await openLedger({
    genesis,
    rules,
    store,
    clock: systemClock,
    logger: silentLogger,
    metrics: silentMetrics,
    executor: createExecutor(genesis),
  });
  for (const block of blocks.slice(1)) await ledger.importBlock(block);
  await store.close();
  await database.close();
}

/** What the metrics say of the follower, in the order of their names. */
export async function followerMetrics({ opsUrl }: RunningNode): Promise<string[]> {
  const text = await (await fetch(`${opsUrl}/metrics`)).text();
  return text
    .split('\n')
    .filter((line) => line.startsWith('node_follower_'))
    .sort();
}

/** The results of calls that are sent together. */
export async function batch(
  { url }: RunningNode,
  calls: readonly (readonly [method: string, params: readonly unknown[]])[],
): Promise<unknown[]> {
  const body = calls.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }));
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const answers = (await response.json()) as { id: number; result?: unknown }[];
  return answers.sort((one, other) => one.id - other.id).map(({ result }) => result);
}
