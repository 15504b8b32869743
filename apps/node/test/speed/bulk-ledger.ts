import { connectDatabase } from '@tetrad/db';
import { bftChainRules } from '@tetrad/node-consensus-bft-chain';
import { createExecutor, parseGenesis } from '@tetrad/node-execution';
import { openLedger } from '@tetrad/node-ledger';
import { GroupedBlocks, openLedgerStore, type LedgerStore } from '@tetrad/node-store';
import { silentLogger, silentMetrics, systemClock } from '@tetrad/types';
import type { ChainToGrow } from '../../../../libs/node/chain/consensus-bft-chain/test/seal-block.js';

/** Blocks of one database transaction, as an import has them. */
const GROUP = { blocks: 256, bytes: 16 * 1024 * 1024 };

/** The ledger and, below it, the store in which blocks are gathered. */
export interface BulkLedger extends ChainToGrow {
  readonly store: LedgerStore;
}

/**
 * Writes into the ledger of a database that has its tables, and stores all of it.
 * @param genesisFile - its JSON
 */
export async function writeInBulk(
  url: string,
  genesisFile: unknown,
  write: (into: BulkLedger) => Promise<void>,
): Promise<void> {
  const database = await connectDatabase({ url });
  const base = await openLedgerStore(database);
  const grouped = new GroupedBlocks(base, GROUP);
  const genesis = parseGenesis(genesisFile);
  const rules = bftChainRules(genesis);
  const store = grouped.over(base);
  const ledger = await openLedger({
    genesis,
    rules,
    store,
    clock: systemClock,
    logger: silentLogger,
    metrics: silentMetrics,
    executor: createExecutor(genesis),
  });
  await write({ ledger, rules, store });
  await grouped.flush();
  await base.close();
  await database.close();
}
