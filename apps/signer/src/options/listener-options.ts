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

/** Defaults of the reference page (signing-proxy.md, sections 10 and 11). */
export const LOCAL_HOSTS: readonly string[] = ['localhost', '127.0.0.1'];
const METRICS_PORT = 9546;

/** Who may connect, and where metrics are. */
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
    description: 'Callers need no certificate.',
    default: false,
  }),
  metricsEnabled: option(booleanOption(), {
    group: METRICS,
    description: 'Whether metrics have a port of their own, beside the operations port.',
    default: false,
  }),
  metricsHost: option(textOption('HOST'), {
    group: METRICS,
    description: 'Address of that port.',
    default: '127.0.0.1',
  }),
  metricsPort: option(portOption(), { group: METRICS, description: 'The port.', default: METRICS_PORT }),
  metricsCategory: option(listOption(choiceOption(...METRIC_CATEGORIES)), {
    group: METRICS,
    description: 'What is shown there.',
    default: METRIC_CATEGORIES as readonly MetricCategory[],
    aliases: ['metrics-categories'],
  }),
  metricsHostAllowlist: option(listOption(textOption('HOST')), {
    group: METRICS,
    description: 'Host names that scrapers may use; * allows any.',
    default: LOCAL_HOSTS,
  }),
  dataPath: option(pathOption('DIR'), {
    group: 'HTTP',
    description:
      'Folder for ethsigner.ports (web3signer.ports with eth1), which says on which ports the proxy listens while it runs.',
  }),
});
