import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase } from '@tetrad/db';
import { createMetrics, loadConfig, parseCommandLine } from '@tetrad/service';
import { developmentAccounts } from '@tetrad/testkit';
import { silentLogger } from '@tetrad/types';
import { composeNode } from '../src/compose.js';
import { nodeOptions } from '../src/options/config.js';
import { verifyNode } from '../src/commands/verify-node.js';
import { createNodeHome, type NodeHome } from './node-process.js';
import { post } from './running-node.js';

let home: NodeHome;
beforeAll(async () => {
  home = await createNodeHome(developmentAccounts(1, 'owner'));
});
afterAll(() => home.remove());

const environment = {
  name: 'node',
  version: '0.0.0',
  logger: silentLogger,
  metrics: createMetrics({ service: 'node', version: '0.0.0' }),
  tracing: undefined,
};

function config() {
  const flags = [
    '--data-dir',
    home.folder,
    '--genesis-file',
    `${home.folder}/genesis.json`,
    '--node-key-file',
    `${home.folder}/nodekey`,
    '--peer-listen-port',
    '0',
    '--http-listen-port',
    '0',
    '--ops-listen-port',
    '0',
  ];
  return loadConfig({
    service: 'node',
    options: nodeOptions,
    commandLine: parseCommandLine(flags, nodeOptions),
    environment: { TETRAD_NODE_DATABASE_URL: home.databaseUrl },
  });
}

async function changeChain(statement: string): Promise<void> {
  const database = await connectDatabase({ url: home.databaseUrl });
  await database.pool.query(statement);
  await database.close();
}

describe('verification', () => {
  it('names the block and the broken rule of a manipulated chain, and releases the database', async () => {
    const node = await composeNode(config(), environment);
    while (Number((await post(node.url, 'eth_blockNumber', [])).result) < 3)
      await new Promise((tick) => setTimeout(tick, 20));
    await node.stop();
    await changeChain('UPDATE block SET hash = sha256(hash) WHERE number = 2');
    await expect(verifyNode(config(), environment)).rejects.toThrow('block 2: invalid block hash');
    // The database lock is released: it can be taken again.
    await expect(verifyNode(config(), environment)).rejects.toThrow('block 2: invalid block hash');
  });
});
