import {
  booleanOption,
  defineOptions,
  durationOption,
  fileOptions,
  option,
  portOption,
  secretFileOption,
  textOption,
  type OptionType,
} from '@tetrad/service';

const DOWNSTREAM = 'Downstream client';

/** Defaults of the reference page (signing-proxy.md, section 11). */
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
    description: 'Path of its JSON-RPC; nothing is the root.',
    default: '/',
  }),
  downstreamHttpRequestTimeout: option(durationOption({ min: 1 }), {
    group: DOWNSTREAM,
    description: 'Longest wait for one answer of the Ethereum client.',
    default: TIMEOUT_MS,
  }),
  downstreamHttpProxyHost: option(textOption('HOST'), {
    group: DOWNSTREAM,
    description: 'HTTP proxy on the way to the client.',
  }),
  downstreamHttpProxyPort: option(portOption(), {
    group: DOWNSTREAM,
    description: 'Its port.',
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
    description: 'Whether the client is asked over TLS.',
    default: false,
  }),
  ...fileOptions('downstreamHttpTls', DOWNSTREAM, {
    KeystoreFile: 'Certificate and key (PKCS#12) to show to the client.',
    KeystorePasswordFile: 'File whose first line is its password.',
    KnownServersFile: 'Clients that are trusted by their fingerprint: host:port and SHA-256, one a line.',
  }),
  downstreamHttpTlsCaAuthEnabled: option(booleanOption(), {
    group: DOWNSTREAM,
    description: 'Whether a certificate of a known authority is enough.',
    default: true,
  }),
});
