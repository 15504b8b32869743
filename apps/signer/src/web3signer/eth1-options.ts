import { defineOptions } from '@tetrad/service';
import { signerOptions } from '../config.js';

/** Defaults of web3signer where they are others. Source: Web3SignerBaseCommand, Eth1SubCommand */
const PORT = 9000;
const METRICS_PORT = 9001;
const DOWNSTREAM_PORT = 8545;

/** The options of the command `eth1`. */
export const eth1Options = defineOptions({
  ...signerOptions,
  httpListenPort: { ...signerOptions.httpListenPort, default: PORT },
  metricsPort: { ...signerOptions.metricsPort, default: METRICS_PORT },
  downstreamHttpPort: { ...signerOptions.downstreamHttpPort, required: false, default: DOWNSTREAM_PORT },
});
