import {
  defineOptions,
  integerOption,
  option,
  ownDatabaseOptions,
  pathOption,
  serviceOptions,
  textOption,
  booleanOption,
  type ConfigOf,
} from '@tetrad/service';
import { downstreamOptions } from './options/downstream-options.js';
import { keyOptions } from './options/key-options.js';
import { LOCAL_HOSTS, listenerOptions } from './options/listener-options.js';

/** Default of the interface document; that of the operations port is ours. */
const DEFAULT_PORT = 8545;
const DEFAULT_OPS_PORT = 8546;

/** These two the signer has under the names and with the meaning of EthSigner. */
const { corsOrigins, hostAllowlist, logLevel, ...common } = serviceOptions({
  httpListenPort: DEFAULT_PORT,
  opsListenPort: DEFAULT_OPS_PORT,
});

export const signerOptions = defineOptions({
  ...common,
  logLevel: { ...logLevel, aliases: ['logging'], short: 'l' },
  httpCorsOrigins: option(textOption('ORIGIN[,…]'), {
    group: corsOrigins.group,
    description:
      'Allowed origins of web pages (CORS): regular expressions that match a whole origin; all or * for any, none for none.',
    default: 'none',
  }),
  httpHostAllowlist: { ...hostAllowlist, default: LOCAL_HOSTS },
  ...listenerOptions,
  ...ownDatabaseOptions,
  dataDir: option(pathOption('DIR'), {
    group: 'Database',
    description: 'Folder of the embedded database: nonces, audit log and idempotency keys.',
    default: '.tetrad/signer',
  }),
  policyFile: option(pathOption(), {
    group: 'Keys',
    description:
      'TOML file of policy rules: the requests that each caller may make with each key. Without it everything is allowed.',
  }),
  chainId: option(integerOption({ min: 1, max: Number.MAX_SAFE_INTEGER }), {
    group: 'Keys',
    description: 'Chain id of signed transactions.',
    required: true,
  }),
  ...keyOptions,
  ...downstreamOptions,
  estimateGas: option(booleanOption(), {
    group: 'Downstream client',
    description:
      'Ask the client for the gas of an eth_sendTransaction without any. Otherwise 90,000 is taken, as in EthSigner, which most contract creations exceed.',
    default: false,
  }),
});

export type SignerConfig = ConfigOf<typeof signerOptions>;
