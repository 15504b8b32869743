import { setFlagsFromString } from 'node:v8';
import { packageVersion, runMain } from '@tetrad/service';
import { nodeOptions } from './config.js';

const version = packageVersion(import.meta.url);

// Transactions live for about a block, long enough to reach the old generation. By default it may grow to several
// times what is alive before it is collected; in a container with a memory limit that is the wrong trade.
setFlagsFromString('--heap-growing-percent=30');

await runMain({
  name: 'node',
  version,
  description: 'A permissioned, privacy-enabled ledger node for private Ethereum networks.',
  options: nodeOptions,
  async start(config, environment) {
    // Loaded once the options are known to be good: the node is a thousand files.
    const { composeNode, verifyNode } = await import('./compose.js');
    if (!config.verify) return composeNode(config, environment);
    await verifyNode(config, environment);
    process.exit(0);
  },
});
