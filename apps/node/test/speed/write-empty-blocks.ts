import { readFile } from 'node:fs/promises';
import { migrateDeploy, prismaFolder } from '@tetrad/db';
import { bytesFromHex } from '@tetrad/types';
import { nextBlock } from '../../../../libs/node/chain/consensus-bft-chain/test/seal-block.js';
import { writeInBulk } from './bulk-ledger.js';

/**
 * Writes a chain of empty blocks of one validator into a new database, each checked, executed and stored as an import
 * does: `write-empty-blocks.js DATABASE_URL GENESIS_FILE NODE_KEY_FILE BLOCKS`.
 */
async function writeEmptyBlocks([url = '', genesisFile = '', keyFile = '', blocks]: readonly string[]) {
  await migrateDeploy(url, prismaFolder('node'));
  const key = bytesFromHex(`0x${(await readFile(keyFile, 'utf8')).trim().replace(/^0x/, '')}`);
  await writeInBulk(url, JSON.parse(await readFile(genesisFile, 'utf8')), async (into) => {
    for (let written = 0; written < Number(blocks); written += 1)
      await into.ledger.importBlock(await nextBlock(into, { proposerKey: key, keys: [key] }));
  });
}

await writeEmptyBlocks(process.argv.slice(2));
