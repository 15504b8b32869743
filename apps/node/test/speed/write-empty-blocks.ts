import { readFile } from 'node:fs/promises';
import { connectDatabase, migrateDeploy, prismaFolder } from '@tetrad/db';
import { bftChainRules } from '@tetrad/node-consensus-bft-chain';
import { createExecutor, parseGenesis } from '@tetrad/node-execution';
import { openLedger } from '@tetrad/node-ledger';
import { GroupedBlocks, openLedgerStore } from '@tetrad/node-store';
import { bytesFromHex, silentLogger, silentMetrics, systemClock } from '@tetrad/types';
import { nextBlock } from '../../../../libs/node/chain/consensus-bft-chain/test/seal-block.js';

/** Blocks of one transaction, as an import has them. */
const GROUP = { blocks: 256, bytes: 16 * 1024 * 1024 };

/**
 * Writes a chain of empty blocks of one validator into a new database, each checked, executed and stored as an import
 * does: `write-empty-blocks.js DATABASE_URL GENESIS_FILE NODE_KEY_FILE BLOCKS`.
 */
async function writeEmptyBlocks([url = '', genesisFile = '', keyFile = '', blocks]: readonly string[]) {
  await migrateDeploy(url, prismaFolder('node'));
  const database = await connectDatabase({ url });
  const base = await openLedgerStore(database);
  const grouped = new GroupedBlocks(base, GROUP);
  const genesis = parseGenesis(JSON.parse(await readFile(genesisFile, 'utf8')));
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
  const key = bytesFromHex(`0x${(await readFile(keyFile, 'utf8')).trim().replace(/^0x/, '')}`);
  for (let written = 0; written < Number(blocks); written += 1)
    await ledger.importBlock(await nextBlock({ ledger, rules }, { proposerKey: key, keys: [key] }));
  await grouped.flush();
  await base.close();
  await database.close();
}

await writeEmptyBlocks(process.argv.slice(2));
