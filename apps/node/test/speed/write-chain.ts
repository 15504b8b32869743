import { writeFile } from 'node:fs/promises';
import { migrateDeploy, prismaFolder } from '@tetrad/db';
import { chainGenesis, writeChain, type ChainSize } from './large-chain.js';

/** A chain in a new database, and its genesis file: `write-chain.js DATABASE_URL GENESIS_FILE SIZE`, SIZE as JSON. */
const [url = '', genesisFile = '', size = ''] = process.argv.slice(2);
await writeFile(genesisFile, JSON.stringify(chainGenesis()));
await migrateDeploy(url, prismaFolder('node'));
await writeChain(url, JSON.parse(size) as ChainSize);
