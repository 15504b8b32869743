import {
  booleanOption,
  choiceOption,
  defineOptions,
  fileOptions,
  listOption,
  option,
  pathOption,
  portOption,
  textOption,
} from '@tetrad/service';
import { METRIC_CATEGORIES, type MetricCategory } from '../http/metrics-listener.js';

const TLS = 'TLS';
const METRICS = 'Metrics';

/** Defaults of EthSigner (docs/spec/signing-proxy.md#origins and #options). */
export const LOCAL_HOSTS: readonly string[] = ['localhost', '127.0.0.1'];
const METRICS_PORT = 9546;

/** Access to the listener, and the address of metrics. */
export const listenerOptions = defineOptions({
  ...fileOptions('tls', TLS, {
    KeystoreFile: 'Certificate and key of the proxy (PKCS#12); turns on TLS.',
    KeystorePasswordFile: 'File whose first line is its password.',
    KnownClientsFile: 'Callers that may connect: common name and SHA-256 of their certificate, one a line.',
  }),
  tlsAllowCaClients: option(booleanOption(), {
    group: TLS,
    description: 'Callers with a certificate of a known authority may connect.',
    default: false,
  }),
  tlsAllowAnyClient: option(booleanOption(), {
    group: TLS,
    description: 'Accept callers without a certificate.',
    default: false,
  }),
  metricsEnabled: option(booleanOption(), {
    group: METRICS,
    description: 'Serve metrics on a separate port, in addition to the operations port.',
    default: false,
  }),
  metricsHost: option(textOption('HOST'), {
    group: METRICS,
    description: 'Address of the metrics port.',
    default: '127.0.0.1',
  }),
  metricsPort: option(portOption(), { group: METRICS, description: 'Metrics port.', default: METRICS_PORT }),
  metricsCategory: option(listOption(choiceOption(...METRIC_CATEGORIES)), {
    group: METRICS,
    description: 'Metric categories to expose.',
    default: METRIC_CATEGORIES as readonly MetricCategory[],
    aliases: ['metrics-categories'],
  }),
  metricsHostAllowlist: option(listOption(textOption('HOST')), {
    group: METRICS,
    description: 'Allowed Host headers of scrapers; * allows any.',
    default: LOCAL_HOSTS,
  }),
  dataPath: option(pathOption('DIR'), {
    group: 'HTTP',
    description:
      'Folder for ethsigner.ports (web3signer.ports with eth1), which contains the ports of the running proxy.',
  }),
});
