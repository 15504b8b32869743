import {
  durationOption,
  defineOptions,
  integerOption,
  option,
  pathOption,
  portOption,
  secretFileOption,
  serviceOptions,
  textOption,
  type ConfigOf,
} from '@tetrad/service';

const SIGNING = 'Signing';
const DOWNSTREAM = 'Downstream client';

/** Defaults of the interface document and of the reference page (signing-proxy.md, section 9). */
const DEFAULT_PORT = 8545;
const DEFAULT_OPS_PORT = 8546;

export const signerOptions = defineOptions({
  ...serviceOptions({ httpListenPort: DEFAULT_PORT, opsListenPort: DEFAULT_OPS_PORT }),
  chainId: option(integerOption({ min: 1, max: Number.MAX_SAFE_INTEGER }), {
    group: SIGNING,
    description: 'Chain for which transactions are signed.',
    required: true,
  }),
  keyFile: option(pathOption(), {
    group: SIGNING,
    description: 'V3 key file of the signing account.',
    required: true,
  }),
  passwordFile: option(secretFileOption(), {
    group: SIGNING,
    description: 'File with its password.',
    required: true,
  }),
  downstreamHttpHost: option(textOption('HOST'), {
    group: DOWNSTREAM,
    description: 'Host of the Ethereum client.',
    default: '127.0.0.1',
  }),
  downstreamHttpPort: option(portOption(), {
    group: DOWNSTREAM,
    description: 'Port of the Ethereum client.',
    required: true,
  }),
  downstreamHttpPath: option(textOption('PATH'), {
    group: DOWNSTREAM,
    description: 'Path of its JSON-RPC.',
    default: '/',
  }),
  downstreamHttpRequestTimeout: option(durationOption({ min: 1 }), {
    group: DOWNSTREAM,
    description: 'Longest wait for one answer of the Ethereum client.',
    default: 5_000,
  }),
});

export type SignerConfig = ConfigOf<typeof signerOptions>;
