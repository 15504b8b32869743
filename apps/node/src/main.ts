import { readFileSync } from 'node:fs';
import { runMain } from '@tetrad/service';
import { composeNode, verifyNode } from './compose.js';
import { nodeOptions } from './config.js';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };

await runMain({
  name: 'node',
  version,
  description: 'A permissioned, privacy-enabled ledger node for private Ethereum networks.',
  options: nodeOptions,
  async start(config, environment) {
    if (!config.verify) return composeNode(config, environment);
    await verifyNode(config, environment);
    process.exit(0);
  },
});
