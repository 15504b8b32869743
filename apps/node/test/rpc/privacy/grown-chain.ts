import { connectDatabase, createDatabase, dropDatabase, withDatabaseName } from '@tetrad/db';
import { decodeBlock } from '@tetrad/node-block';
import { hashHeader } from '@tetrad/node-consensus-bft';
import { bftChainRules } from '@tetrad/node-consensus-bft-chain';
import { createExecutor, decodeTransaction, parseGenesis } from '@tetrad/node-execution';
import { openLedger } from '@tetrad/node-ledger';
import { openLedgerStore } from '@tetrad/node-store';
import { bytesFromHex, silentLogger, silentMetrics, systemClock, type Block } from '@tetrad/types';
import { nextBlock } from '../../../../../libs/node/chain/consensus-bft-chain/test/seal-block.js';
import { VALIDATOR } from '../../privacy-network.js';
import { CHAIN_ID, type RunningNode } from '../../running-node.js';
import { heightOf } from '../../validator-network.js';

/** The chain of the node as it is now, without block 0. */
export async function blocksOf(node: RunningNode): Promise<Block[]> {
  const blocks: Block[] = [];
  const decode = (raw: Uint8Array) => decodeTransaction(raw, BigInt(CHAIN_ID));
  const head = await heightOf(node);
  for (let number = 1; number <= head; number++) {
    const raw = await node.result<string>('debug_getRawBlock', [`0x${number.toString(16)}`]);
    blocks.push(await decodeBlock(bytesFromHex(raw), { hashHeader, decode }));
  }
  return blocks;
}

/** Fills a database of a node with the blocks, and with empty ones of the validator up to the height. */
export async function growChain(
  databaseUrl: string,
  chain: { readonly genesis: object; readonly blocks: readonly Block[]; readonly height: number },
): Promise<void> {
  const database = await connectDatabase({ url: databaseUrl });
  const store = await openLedgerStore(database);
  const genesis = parseGenesis(chain.genesis);
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
  const empty = () => nextBlock({ ledger, rules }, { proposerKey: VALIDATOR, keys: [VALIDATOR] });
  for (let index = 0; index < chain.height; index++)
    await ledger.importBlock(chain.blocks[index] ?? (await empty()));
  await store.close();
  await database.close();
}

/** Replaces the first database by a copy of the other one, which must have no connections. */
export async function replaceDatabase(url: string, otherUrl: string): Promise<void> {
  const [name, template] = [url, otherUrl].map((one) => new URL(one).pathname.slice(1)) as [string, string];
  const server = withDatabaseName(url, 'postgres');
  await dropDatabase(server, name);
  await createDatabase(server, name, template);
}
