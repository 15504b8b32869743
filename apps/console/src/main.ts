import { packageVersion, runMain } from '@tetrad/service';
import { consoleOptions } from './config.js';

await runMain({
  name: 'console',
  version: packageVersion(import.meta.url),
  description:
    'A web page beside a network: its nodes, blocks, transactions, accounts, rollup and keys. It reads, and writes what callers confirm whose tokens name it.',
  options: consoleOptions,
  async start(config, environment) {
    const { composeConsole } = await import('./compose.js');
    return composeConsole(config, environment);
  },
});
