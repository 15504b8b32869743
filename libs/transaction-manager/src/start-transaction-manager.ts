import type { ServerOptions } from 'node:https';
import type { Database } from '@tetrad/db';
import { silentMetrics, type Tracer } from '@tetrad/types';
import { assemble, restoreHolders, type BehaviourOptions, type Parts } from './assemble.js';
import { Enclave } from './enclave/enclave.js';
import { barePayloadRoutes } from './http/bare-payload-routes.js';
import { groupRoutes } from './http/group-routes.js';
import type { Listen } from './http/http-server.js';
import { peerConnections } from './http/peer-connections.js';
import { peerRoutes } from './http/peer-routes.js';
import { messageRoutes } from './http/message-routes.js';
import { Ports } from './http/ports.js';
import type { HandlerOptions, RequestHandler } from './http/request-handler.js';
import type { Route } from './http/route.js';
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
import { PeerHosts } from './party/peer-hosts.js';
import { peerClientTls, peerServerTls, type PeerTls } from './party/peer-tls.js';
import type { Recovery } from './recovery/recovery.js';
import { stopManager } from './stop-manager.js';
import { openManagerStore } from './store/open-manager-store.js';

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
  /** Most connections to the peer port from one address at which no manager of `peers` is; 64 without it. */
  readonly connectionsPerAddress?: number;
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

type ClientPorts = Pick<RunningTransactionManager, 'clientUrl' | 'clientHandler' | 'thirdPartyUrl'>;

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
  const ports = openPorts(options, configured);
  const opened = { peers: openPeerClient(options), stored: openManagerStore(options.database) };
  let parts: Parts | undefined;
  const stop = () => stopManager({ ...opened, ports }, parts);
  try {
    // The peer port is open before anything is behind it, since what is behind it has to know its URL.
    const peer = await ports.openPeer(options.peer, peerServerTls(options.peerTls));
    const url = parseUrl(options.url ?? peer.url);
    parts = assemble(options, { ...opened, enclave, url, configured });
    const urls = await startParts(options, parts, { ports, url, peerRoutes: peer.routes });
    const { manager, recovery, table, conflicts, completeness } = parts;
    return { manager, recovery, parties: table, conflicts, completeness, peerUrl: peer.url, ...urls, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function openPorts(options: TransactionManagerOptions, configured: readonly string[]): Ports {
  const hosts = new PeerHosts(configured);
  return new Ports({
    ...options,
    admitsPeer: options.useWhitelist === true ? (from) => hosts.admits(from) : undefined,
    admitsConnection: peerConnections(hosts, options.connectionsPerAddress),
  });
}

/** Reads what a process before left, then answers peers and nodes, and begins what runs by itself. */
async function startParts(
  options: TransactionManagerOptions,
  parts: Parts,
  at: { readonly ports: Ports; readonly url: string; readonly peerRoutes: Route[] },
): Promise<ClientPorts> {
  const { completeness, deliveries, exchange, outbox, lossCheck, table } = parts;
  await restoreHolders(parts);
  await completeness.open();
  await deliveries.open();
  const { logger, proveKeys = true } = options;
  at.peerRoutes.push(...peerRoutes({ ...parts, url: at.url, logger, proveKeys }));
  // Peers may know that the database was set back: a node must not read a wrong absence before they have said so.
  if (completeness.isSettled) await exchange.announceToAll();
  const opened = await openClientPorts(options, at.ports, parts);
  exchange.start();
  outbox.start();
  if (options.checksLoss ?? true) lossCheck.start();
  measureParties(table, options.metrics);
  return opened;
}

async function openClientPorts(
  { client, clientTls, clientSocket, thirdParty, logger }: TransactionManagerOptions,
  ports: Ports,
  parts: Parts,
): Promise<ClientPorts> {
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
  const clientUrl = client && (await ports.listen(client, handler, { tls: clientTls }));
  if (clientSocket !== undefined) await ports.listen({ socket: clientSocket }, handler);
  const forApplications = [...keyRoutes(enclave.ring, table), storeRawRoute(parts)];
  const applications = ports.handler('third-party', forApplications);
  const thirdPartyUrl =
    thirdParty && (await ports.listen(thirdParty, applications.handler, { tls: clientTls }));
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

function openPeerClient(options: TransactionManagerOptions): PeerClient {
  const { peerTls, peerTimeoutMs = PEER_TIMEOUT_MS, metrics, tracing } = options;
  const connect = peerClientTls(peerTls);
  return new PeerClient({ timeoutMs: peerTimeoutMs, connect, metrics, tracer: tracing?.tracer });
}

function parseUrl(text: string): string {
  const url = parsePartyUrl(text);
  if (url === undefined) throw new TypeError(`${text} is not an http or https URL of a manager`);
  return url;
}
