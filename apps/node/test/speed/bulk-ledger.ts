import { connectDatabase } from '@tetrad/db';
import { bftChainRules } from '@tetrad/node-consensus-bft-chain';
import { createExecutor, parseGenesis } from '@tetrad/node-execution';
import { openLedger } from '@tetrad/node-ledger';
import { GroupedBlocks, openLedgerStore } from '@tetrad/node-store';
import { silentLogger, silentMetrics, systemClock } from '@tetrad/types';
import type { ChainToGrow } from '../../../../libs/node/chain/consensus-bft-chain/test/seal-block.js';

/** Blocks of one database transaction, as an import has them. */
const GROUP = { blocks: 256, bytes: 16 * 1024 * 1024 };

/**
 * Writes into the ledger of a database that has its tables, and stores all of it.
 * @param genesisFile - its JSON
 */
export async function writeInBulk(
  url: string,
  genesisFile: unknown,
  write: (into: ChainToGrow) => Promise<void>,
): Promise<void> {
  const database = await connectDatabase({ url });
  const base = await openLedgerStore(database);
  const grouped = new GroupedBlocks(base, GROUP);
  const genesis = parseGenesis(genesisFile);
  const rules = bftChainRules(genesis);
  const ledger = await openLedger({
    genesis,
    rules,
    store: grouped.over(base),
    clock: systemClock,
    logger: silentLogger,
    metrics: silentMetrics,
    executor: createExecutor(genesis),
  });
  await write({ ledger, rules });
  await grouped.flush();
  await base.close();
  await database.close();
}
