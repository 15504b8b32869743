import {
  booleanOption,
  defineOptions,
  durationOption,
  fileOptions,
  option,
  secretPathOption,
  portOption,
  secretFileOption,
  textOption,
  type OptionType,
} from '@tetrad/service';

const DOWNSTREAM = 'Downstream client';

/** Defaults of EthSigner (docs/spec/signing-proxy.md#options). */
const TIMEOUT_MS = 5_000;
const PROXY_PORT = 80;

/** EthSigner takes a path without a character for the root. */
const pathOnServer: OptionType<string> = {
  ...textOption('PATH'),
  parse: (text) => (text === '' ? '/' : text),
};

/** The Ethereum client behind the proxy, and the way to it. */
export const downstreamOptions = defineOptions({
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
  downstreamHttpPath: option(pathOnServer, {
    group: DOWNSTREAM,
    description: 'Path of its JSON-RPC; empty for the root.',
    default: '/',
  }),
  downstreamHttpRequestTimeout: option(durationOption({ min: 1 }), {
    group: DOWNSTREAM,
    description: 'Time limit for one answer of the Ethereum client.',
    default: TIMEOUT_MS,
  }),
  downstreamHttpTokenFile: option(secretPathOption(), {
    group: DOWNSTREAM,
    description:
      "File with a bearer token for the client, sent with every request instead of the caller's Authorization; read again when it changes.",
  }),
  downstreamHttpProxyHost: option(textOption('HOST'), {
    group: DOWNSTREAM,
    description: 'HTTP proxy for connections to the client.',
  }),
  downstreamHttpProxyPort: option(portOption(), {
    group: DOWNSTREAM,
    description: 'Port of the proxy.',
    default: PROXY_PORT,
  }),
  downstreamHttpProxyUsername: option(textOption('NAME'), {
    group: DOWNSTREAM,
    description: 'User name for the HTTP proxy.',
  }),
  downstreamHttpProxyPasswordFile: option(secretFileOption(), {
    group: DOWNSTREAM,
    description: 'File with the password for it.',
  }),
  downstreamHttpTlsEnabled: option(booleanOption(), {
    group: DOWNSTREAM,
    description: 'Use TLS for connections to the client.',
    default: false,
  }),
  ...fileOptions('downstreamHttpTls', DOWNSTREAM, {
    KeystoreFile: 'Certificate and key (PKCS#12) to show to the client.',
    KeystorePasswordFile: 'File whose first line is its password.',
    KnownServersFile: 'Clients that are trusted by their fingerprint: host:port and SHA-256, one a line.',
  }),
  downstreamHttpTlsCaAuthEnabled: option(booleanOption(), {
    group: DOWNSTREAM,
    description: 'Accept certificates of known certificate authorities.',
    default: true,
  }),
});
