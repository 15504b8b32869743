import { EtcdClient } from '@tetrad/node-etcd';
import {
  OptionError,
  booleanOption,
  codecOption,
  defineOptions,
  fileOptions,
  listOption,
  option,
  readClientTls,
  secretFileOption,
  textOption,
  type ConfigOf,
  type ServiceEnvironment,
} from '@tetrad/service';
import { systemClock } from '@tetrad/types';
import { z } from 'zod';
import { isWebOrigin } from './web-origin.js';

const RAFT = 'Raft ordering';

const endpoint = z.codec(z.string().refine(isWebOrigin), z.string(), {
  decode: (text) => new URL(text).origin,
  encode: (url) => url,
});

/** Options of a raft chain. */
export const etcdOptions = defineOptions({
  etcdEndpoints: option(
    listOption(
      codecOption(endpoint, { placeholder: 'URL', rule: 'must be http://HOST:PORT or https://HOST:PORT' }),
    ),
    {
      group: RAFT,
      description: 'Client URLs of members of the etcd cluster that keeps the order of blocks.',
      default: [] as readonly string[],
    },
  ),
  ...fileOptions('etcdTls', RAFT, {
    CaFile: {
      description: 'Authorities (PEM) that sign the certificates of etcd; those of the system without it.',
      aliases: [],
    },
    CertFile: { description: 'Client certificate (PEM) for etcd.', aliases: [] },
    KeyFile: { description: 'Private key of that certificate (PEM).', aliases: [] },
  }),
  raftRestoreLog: option(booleanOption(), {
    group: RAFT,
    description:
      'Put blocks of this chain that an etcd restored from an older snapshot has lost back into its log. For one start, of the node with the longest chain.',
    default: false,
  }),
  raftDnsEnable: option(booleanOption(), {
    group: RAFT,
    description: 'Let raft_addPeer and raft_addLearner add nodes by host name.',
    aliases: ['raftdnsenable'],
    default: false,
  }),
  etcdUser: option(textOption('NAME'), { group: RAFT, description: 'User name at etcd.' }),
  etcdPasswordFile: option(secretFileOption(), {
    group: RAFT,
    description: 'File with the password of that user.',
  }),
});

type EtcdConfig = ConfigOf<typeof etcdOptions>;

/** Calls time out well before a lease ends, so that a lost lease can be replaced. */
export const LEASE_SECONDS = 3;
const CALL_TIMEOUT_MS = 1_000;

/**
 * The settings of the options for a raft chain; nothing is opened.
 * @throws OptionError, StartupError
 */
export function readEtcdSettings(config: EtcdConfig) {
  const { etcdEndpoints: endpoints, etcdUser: user, etcdPasswordFile: password } = config;
  if (endpoints.length === 0)
    throw new OptionError(
      '--etcd-endpoints',
      'is required by the raft chain of the genesis file, which names neither qbft nor ibft',
    );
  if ((user === undefined) !== (password === undefined))
    throw new OptionError('--etcd-user', 'goes with --etcd-password-file');
  const credentials =
    user === undefined || password === undefined ? undefined : { user, password: password.reveal() };
  return { endpoints, credentials, tls: readTls(config) };
}

/**
 * A client of the cluster of the options.
 * @throws as `readEtcdSettings`
 */
export function openEtcd(
  config: EtcdConfig,
  { logger, metrics }: Pick<ServiceEnvironment, 'logger' | 'metrics'>,
): EtcdClient {
  const settings = { ...readEtcdSettings(config), requestTimeoutMs: CALL_TIMEOUT_MS };
  return new EtcdClient({ ...settings, clock: systemClock, logger, metrics });
}

function readTls(config: EtcdConfig) {
  const { ca, cert: certificate, key } = readClientTls(config, 'etcdTls');
  const hasTls = certificate !== undefined || ca !== undefined;
  if (hasTls && config.etcdEndpoints.some((url) => !url.startsWith('https:')))
    throw new OptionError('--etcd-endpoints', 'must start with https:// with the options --etcd-tls-…');
  return { ca, certificate, key };
}
