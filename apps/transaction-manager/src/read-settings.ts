import { isLoopback } from '@tetrad/rpc';
import {
  OptionError,
  StartupError,
  createHostRule,
  readAuthorities,
  readCertificatePair,
  readTextFile,
  reasonOf,
} from '@tetrad/service';
import type { PeerTls, TransactionManagerOptions } from '@tetrad/transaction-manager';
import { parsePtmKey, withoutByteOrderMark, type PtmKey } from '@tetrad/types';
import { z } from 'zod';
import type { ManagerConfig } from './config.js';

/**
 * What the options say of other managers and of privacy.
 * @throws OptionError
 */
export function behaviourOf(config: ManagerConfig) {
  const url = peerUrlOf(config);
  return {
    ...(url === undefined ? {} : { url }),
    peers: config.peers.map(({ href }) => href),
    useWhitelist: config.peerWhitelist,
    discover: config.peerDiscovery,
    proveKeys: config.proveKeys,
    unboundProofs: !config.peerBoundProofs,
    anyAddress: config.peerAnyAddress,
    allowsPeerHost: createHostRule([
      ...config.peerHostAllowlist,
      ...(url === undefined ? [] : [new URL(url).hostname]),
    ]),
    connectionsPerAddress: config.peerConnectionsPerAddress,
    enhanced: config.privacyEnhancements,
    alwaysSendTo: config.alwaysSendTo.map((text) => keyOf(text, '--always-send-to')),
    residentGroups: residentGroupsOf(config.residentGroupsFile),
    peerTimeoutMs: config.peerTimeout,
    partyIntervalMs: config.peerInterval,
  } satisfies Partial<TransactionManagerOptions>;
}

function peerUrlOf({ peerUrl, peerListenHost }: ManagerConfig): string | undefined {
  if (peerUrl !== undefined) return peerUrl.href;
  if (['0.0.0.0', '::'].includes(peerListenHost))
    throw new OptionError('--peer-url', `is required: no manager can reach this one at ${peerListenHost}`);
  return undefined;
}

/**
 * TLS of the peer port; undefined when it is off.
 * @throws OptionError, StartupError
 */
export function peerTlsOf(config: ManagerConfig): PeerTls | undefined {
  const own = readCertificatePair(config, 'peerTls');
  const client = readCertificatePair(config, 'peerTlsClient');
  const ca = readAuthorities(config, 'peerTls', 'CaFile');
  if (own !== undefined) return { ...own, client, ca, mutual: ca !== undefined };
  if (client !== undefined || ca !== undefined)
    throw new OptionError('--peer-tls-cert-file', 'is required with the other --peer-tls options');
  return undefined;
}

/**
 * Listener for applications.
 * @throws StartupError when unauthenticated hosts could store payloads
 */
export function thirdPartyOf(config: ManagerConfig): { host: string; port: number } | undefined {
  const { thirdPartyListenHost: host, thirdPartyListenPort: port } = config;
  if (port === undefined) return undefined;
  if (!isLoopback(host) && config.tlsClientCaFile === undefined && !config.insecure)
    throw new StartupError(
      `--third-party-listen-host: ${host} is not loopback and applications are not authenticated; ` +
        'give --tls-client-ca-file, or accept the risk with --insecure',
    );
  return { host, port };
}

const groupsSchema = z.array(
  z.strictObject({
    name: z.string().min(1).max(1_000),
    description: z.string().max(4_096).default(''),
    members: z.array(z.string()).min(1).max(1_000),
  }),
);

function residentGroupsOf(path: string | undefined) {
  if (path === undefined) return undefined;
  const flag = '--resident-groups-file';
  const parsed = groupsSchema.safeParse(parseJson(readTextFile(path, flag), flag));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new OptionError(flag, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
  }
  return parsed.data.map((group) => ({ ...group, members: group.members.map((key) => keyOf(key, flag)) }));
}

function parseJson(text: string, flag: string): unknown {
  try {
    return JSON.parse(withoutByteOrderMark(text));
  } catch (error) {
    throw new OptionError(flag, reasonOf(error));
  }
}

function keyOf(text: string, flag: string): PtmKey {
  try {
    return parsePtmKey(text);
  } catch (error) {
    throw new OptionError(flag, reasonOf(error));
  }
}
