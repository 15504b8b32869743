import { readFileSync } from 'node:fs';
import { runMain } from '@tetrad/service';
import { translateArguments, translateEnvironment } from './command-line.js';
import { composeSigner } from './compose.js';
import { signerOptions } from './config.js';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

await runMain({
  name: 'signer',
  version,
  description:
    'A signing proxy: signs transactions with its keys and submits them to an Ethereum client. Command lines, variables and configuration files of EthSigner are understood.',
  options: signerOptions,
  translateArguments,
  translateEnvironment,
  start: composeSigner,
});
