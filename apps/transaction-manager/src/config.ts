import {
  booleanOption,
  databaseFolderOption,
  defineOptions,
  durationOption,
  fileOptions,
  integerOption,
  listOption,
  listenOptions,
  option,
  ownDatabaseOptions,
  pathOption,
  secretPathOption,
  plainServiceOptions,
  secretFileOption,
  textOption,
  urlOption,
  type ConfigOf,
} from '@tetrad/service';

const KEYS = 'Keys';
const CLIENTS = 'Clients';
const PEERS = 'Peers';
const PRIVACY = 'Privacy';

const MIB = 1_048_576;

const keyOptions = defineOptions({
  dataDir: databaseFolderOption('.tetrad/transaction-manager', KEYS),
  keyFiles: option(listOption(secretPathOption()), {
    group: KEYS,
    description:
      'Key files, as written by existing managers or by key new, or TOML files that name keys in vaults; the first key is the default sender.',
    required: true,
  }),
  keyPasswordFile: option(secretFileOption(), {
    group: KEYS,
    description:
      'File with the passwords of the key files, one per line in their order; a single line applies to all.',
  }),
});

const clientOptions = defineOptions({
  clientSocket: option(pathOption(), {
    group: CLIENTS,
    description: 'Unix socket for a node on this host, in addition to the port; only this user can connect.',
  }),
  ...listenOptions('thirdParty', CLIENTS, {
    host: 'Address of the port for applications.',
    port: 'Port for applications, which may store payloads and query keys; closed by default.',
    defaultPort: undefined,
  }),
  maxBodyBytes: option(integerOption({ min: 10_000, max: 256 * MIB }), {
    group: CLIENTS,
    description: 'Maximum size of a request, on every port.',
    unit: 'bytes',
    default: 10 * MIB,
  }),
  maxHeldBytes: option(integerOption({ min: MIB, max: 65_536 * MIB }), {
    group: CLIENTS,
    description:
      'Maximum total size of requests and responses held in memory; further requests are rejected. Those of peers have ' +
      'at most half of it, those on the port for applications a quarter.',
    unit: 'bytes',
    default: 256 * MIB,
  }),
});

const peerOptions = defineOptions({
  ...listenOptions('peer', PEERS, {
    host: 'Address for other managers.',
    port: 'Port for other managers; 0 chooses a free one.',
    defaultPort: 9_103,
  }),
  peerUrl: option(urlOption('http', 'https'), {
    group: PEERS,
    description: 'URL advertised to other managers; default: that of the peer port.',
  }),
  peers: option(listOption(urlOption('http', 'https')), {
    group: PEERS,
    description: 'URLs of managers to exchange keys with.',
    default: [] as readonly URL[],
  }),
  peerWhitelist: option(booleanOption(), {
    group: PEERS,
    description:
      'Accept requests of other managers only from the hosts of --peers, and announcements only of these.',
    default: false,
  }),
  peerDiscovery: option(booleanOption(), {
    group: PEERS,
    description: 'Discover managers through other managers.',
    default: true,
  }),
  proveKeys: option(booleanOption(), {
    group: PEERS,
    description: 'Require managers to prove that they hold the keys they announce.',
    default: true,
  }),
  peerBoundProofs: option(booleanOption(), {
    group: PEERS,
    description:
      'Believe only proofs of keys that are bound to the URL of the manager that gives them. Other implementations do not bind their proofs, so that a stranger who relays them can take their keys.',
    default: false,
  }),
  peerAnyAddress: option(booleanOption(), {
    group: PEERS,
    description:
      'Contact managers at any address that is announced. Default: those of --peers, those they name, and those at the address of the announcer.',
    default: false,
  }),
  peerHostAllowlist: option(listOption(textOption('HOST')), {
    group: PEERS,
    description:
      'Allowed Host headers of the peer port, besides IP addresses and the host of --peer-url, against DNS rebinding; * allows any.',
    default: ['localhost'],
  }),
  peerConnectionsPerAddress: option(integerOption({ min: 1, max: 750 }), {
    group: PEERS,
    description:
      'Maximum number of connections to the peer port from one address that is not of a host of --peers; further ones are closed. ' +
      'Raise it behind a proxy, which gives all managers its address.',
    default: 64,
  }),
  peerTimeout: option(durationOption({ min: 100 }), {
    group: PEERS,
    description: 'Time limit for the answer of another manager.',
    default: 5_000,
  }),
  peerInterval: option(durationOption({ min: 100 }), {
    group: PEERS,
    description: 'Interval at which keys are announced to other managers.',
    default: 5_000,
  }),
});

const peerTlsOptions = defineOptions({
  ...fileOptions('peerTls', PEERS, {
    CertFile: 'Certificate chain (PEM) of the peer port; turns on TLS.',
    KeyFile: 'Private key of that certificate (PEM).',
  }),
  ...fileOptions('peerTlsClient', PEERS, {
    CertFile: 'Certificate chain (PEM) presented to other managers; default: that of the peer port.',
    KeyFile: 'Private key of that certificate (PEM).',
  }),
  ...fileOptions('peerTls', PEERS, {
    CaFile:
      'Certificate authorities (PEM) of managers; those that connect must present a certificate then (mutual TLS).',
  }),
});

const privacyOptions = defineOptions({
  privacyEnhancements: option(booleanOption(), {
    group: PRIVACY,
    description: 'Accept payloads with privacy flags 1 to 3.',
    default: true,
  }),
  alwaysSendTo: option(listOption(textOption('KEY')), {
    group: PRIVACY,
    description: 'Public keys that receive every payload.',
    default: [] as readonly string[],
  }),
  residentGroupsFile: option(pathOption(), {
    group: PRIVACY,
    description:
      'JSON list of {name, description, members}: keys of this manager that share one private state. Turns on multiple private states.',
  }),
});

export const managerOptions = defineOptions({
  ...plainServiceOptions({ httpListenPort: 9_101, opsListenPort: 9_102 }),
  ...ownDatabaseOptions,
  ...keyOptions,
  ...clientOptions,
  ...peerOptions,
  ...peerTlsOptions,
  ...privacyOptions,
});

export type ManagerConfig = ConfigOf<typeof managerOptions>;
