import type { ServerOptions } from 'node:https';
import type { SecureContextOptions } from 'node:tls';
import type { Database } from '@tetrad/db';
import { silentMetrics, type Tracer } from '@tetrad/types';
import { assemble, restoreHolders, type BehaviourOptions, type Parts } from './assemble.js';
import { Enclave } from './enclave/enclave.js';
import { barePayloadRoutes } from './http/bare-payload-routes.js';
import { groupRoutes } from './http/group-routes.js';
import type { Listen } from './http/http-server.js';
import { peerRoutes } from './http/peer-routes.js';
import { messageRoutes } from './http/message-routes.js';
import { Ports } from './http/ports.js';
import type { HandlerOptions, RequestHandler } from './http/request-handler.js';
import { sendGroupRoutes } from './http/send-group-routes.js';
import { sendRoutes, storeRawRoute } from './http/send-routes.js';
import { lookupRoutes } from './http/lookup-routes.js';
import { keyRoutes } from './http/status-routes.js';
import { transactionRoutes } from './http/transaction-routes.js';
import type { KeyPair } from './keys/key-pair.js';
import { KeyRing } from './keys/key-ring.js';
import type { TransactionManager } from './manager/transaction-manager.js';
import type { Completeness } from './completeness/completeness.js';
import type { KeyConflicts } from './party/key-conflicts.js';
import type { PartyTable } from './party/party-table.js';
import { parsePartyUrl } from './party/party-url.js';
import { PeerClient } from './party/peer-client.js';
import { PeerWhitelist } from './party/peer-whitelist.js';
import type { Recovery } from './recovery/recovery.js';
import { openManagerStore } from './store/open-manager-store.js';

/** TLS between managers: what they show each other, and whom they believe. */
export interface PeerTls {
  /** Certificate chain and private key (PEM) of the peer port. */
  readonly cert: string;
  readonly key: string;
  /** Client certificate for other managers; without it that of the peer port. */
  readonly client?: { readonly cert: string; readonly key: string } | undefined;
  /** Authorities (PEM) that sign the certificates of managers; those of the system without it. */
  readonly ca?: string | undefined;
  /** Whether managers that connect have to show a certificate. */
  readonly mutual: boolean;
}

export interface TransactionManagerOptions extends BehaviourOptions {
  readonly database: Database;
  /** Of this program, for `GET /version`. */
  readonly version: string;
  /** At least one; the first one sends what names no sender. */
  readonly keys: readonly KeyPair[];
  /** For nodes; no such port without it. */
  readonly client?: Listen | undefined;
  /** TLS of the ports for nodes and applications. */
  readonly clientTls?: ServerOptions | undefined;
  /** File of a socket for nodes on this host. */
  readonly clientSocket?: string | undefined;
  /** For other managers. */
  readonly peer: Listen;
  /** Whether other managers may call us by such a `Host` header; by any without it. */
  readonly allowsPeerHost?: HandlerOptions['allowsHost'];
  readonly peerTls?: PeerTls | undefined;
  /** For applications; no such port without it. */
  readonly thirdParty?: Listen | undefined;
  /** Our URL as peers reach it; that of the peer port without it. */
  readonly url?: string | undefined;
  /** URLs of managers to tell of us. */
  readonly peers?: readonly string[];
  readonly maxBodyBytes?: number;
  /** Most bytes of requests and answers that are held together, on all ports. */
  readonly maxHeldBytes?: number;
  readonly peerTimeoutMs?: number;
  /** Whether peers are asked what they hold where the database began empty; default true. A recovery asks them itself. */
  readonly checksLoss?: boolean;
  /** Spans of requests on the ports that this function opens, and of those to other managers; absent where tracing is off. */
  readonly tracing?:
    { readonly tracer: Pick<Tracer, 'headers'>; wrap(handle: RequestHandler): RequestHandler } | undefined;
}

export interface RunningTransactionManager {
  readonly manager: TransactionManager;
  readonly recovery: Recovery;
  readonly parties: PartyTable;
  /** Keys that two managers claim. */
  readonly conflicts: Pick<KeyConflicts, 'warning'>;
  /** Whether payloads may have been lost. */
  readonly completeness: Pick<Completeness, 'doubt'>;
  /** Answers requests of nodes, for a port that the caller opened. */
  readonly clientHandler: RequestHandler;
  /** URLs of the ports; each ends with `/`. */
  readonly clientUrl: string | undefined;
  readonly peerUrl: string;
  readonly thirdPartyUrl: string | undefined;
  /** Closes the ports; the database is the caller's. */
  stop(): Promise<void>;
}

const PEER_TIMEOUT_MS = 5_000;

/**
 * Opens the ports of a manager on its database.
 * @throws TypeError without keys, for groups of other keys, or an invalid URL
 */
export async function startTransactionManager(
  options: TransactionManagerOptions,
): Promise<RunningTransactionManager> {
  const enclave = new Enclave(new KeyRing(options.keys));
  const configured = (options.peers ?? []).map(parseUrl);
  if (options.url !== undefined) parseUrl(options.url);
  const peers = peerClient(options);
  const whitelist = options.useWhitelist === true ? new PeerWhitelist(configured) : undefined;
  const ports = new Ports({ ...options, admitsPeer: whitelist && ((from) => whitelist.admits(from)) });
  const stored = openManagerStore(options.database);
  const stopping: (() => Promise<unknown>)[] = [
    () => ports.close(),
    () => peers.close(),
    () => stored.close(),
  ];
  const stop = async () => {
    for (const close of stopping) await close();
  };
  try {
    // The peer port is open before anything is behind it, since what is behind it has to know its URL.
    const peer = await ports.open('peer', options.peer, peerServerTls(options.peerTls));
    const url = parseUrl(options.url ?? peer.url);
    const parts = assemble(options, { stored, enclave, peers, url, configured });
    await restoreHolders(parts);
    await parts.completeness.open();
    await parts.deliveries.open();
    // After the requests that send have ended, and before the rows are closed.
    stopping.splice(-1, 0, () => parts.deliveries.close());
    stopping.unshift(
      async () => parts.newRaws.close(),
      () => parts.lossCheck.stop(),
      () => parts.exchange.stop(),
      () => parts.outbox.stop(),
    );
    peer.routes.push(
      ...peerRoutes({ ...parts, url, logger: options.logger, proveKeys: options.proveKeys ?? true }),
    );
    // Peers may know that the database was set back: a node must not read a wrong absence before they have said so.
    if (parts.completeness.isSettled) await parts.exchange.announceToAll();
    const opened = await openClientPorts(options, ports, parts);
    parts.exchange.start();
    parts.outbox.start();
    if (options.checksLoss ?? true) parts.lossCheck.start();
    measureParties(parts.table, options.metrics);
    const { manager, recovery, table, conflicts, completeness } = parts;
    return { manager, recovery, parties: table, conflicts, completeness, peerUrl: peer.url, ...opened, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openClientPorts(
  { client, clientTls, clientSocket, thirdParty, logger }: TransactionManagerOptions,
  ports: Ports,
  parts: Parts,
): Promise<Pick<RunningTransactionManager, 'clientUrl' | 'clientHandler' | 'thirdPartyUrl'>> {
  const { enclave, table, manager, groups } = parts;
  const routes = [
    ...sendRoutes(parts),
    ...sendGroupRoutes({ ...parts, logger }),
    ...transactionRoutes(manager),
    ...lookupRoutes(parts),
    ...barePayloadRoutes(parts),
    ...groupRoutes(groups),
    ...messageRoutes({ ...parts, logger }),
  ];
  const { handler } = ports.handler('client', routes);
  const clientUrl = client && (await ports.listen(client, handler, clientTls));
  if (clientSocket !== undefined) await ports.listen({ socket: clientSocket }, handler);
  const forApplications = [...keyRoutes(enclave.ring, table), storeRawRoute(parts)];
  const applications = ports.handler('third-party', forApplications);
  const thirdPartyUrl = thirdParty && (await ports.listen(thirdParty, applications.handler, clientTls));
  return { clientUrl, clientHandler: handler, thirdPartyUrl };
}

function measureParties(table: PartyTable, metrics = silentMetrics): void {
  const parties = metrics.gauge('transaction_manager_parties', 'Other managers that are known');
  const keys = metrics.gauge(
    'transaction_manager_recipient_keys',
    'Keys of other managers that payloads can be sent to',
  );
  metrics.onScrape(() => {
    parties.set(table.urlsOfParties.length);
    keys.set(table.entries.filter(({ url }) => !table.isOwn(url)).length);
  });
}

function peerClient({
  peerTls,
  peerTimeoutMs = PEER_TIMEOUT_MS,
  metrics,
  tracing,
}: TransactionManagerOptions): PeerClient {
  const connect: SecureContextOptions =
    peerTls === undefined
      ? {}
      : {
          ...(peerTls.ca === undefined ? {} : { ca: peerTls.ca }),
          ...(peerTls.client ?? { cert: peerTls.cert, key: peerTls.key }),
          minVersion: 'TLSv1.2',
        };
  return new PeerClient({ timeoutMs: peerTimeoutMs, connect, metrics, tracer: tracing?.tracer });
}

function peerServerTls(tls: PeerTls | undefined): ServerOptions | undefined {
  if (tls === undefined) return undefined;
  const { cert, key, ca, mutual } = tls;
  return {
    cert,
    key,
    minVersion: 'TLSv1.2',
    ...(ca === undefined ? {} : { ca }),
    ...(mutual ? { requestCert: true, rejectUnauthorized: true } : {}),
  };
}

function parseUrl(text: string): string {
  const url = parsePartyUrl(text);
  if (url === undefined) throw new TypeError(`${text} is not an http or https URL of a manager`);
  return url;
}
