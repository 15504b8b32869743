import type { ServerOptions } from 'node:https';
import { silentMetrics, type Logger, type Metrics } from '@tetrad/types';
import { ByteBudget, SharedBudget, type RequestBudget } from './byte-budget.js';
import {
  listenHttp,
  type AdmitsConnection,
  type HttpPort,
  type Listen,
  type PortRules,
} from './http-server.js';
import {
  GROUPED_MESSAGES_HEADER,
  MESSAGES_HEADER,
  MESSAGE_GROUPS_VERSION,
} from '../message/peer-abilities.js';
import { LOOKUPS_HEADER, LOOKUPS_VERSION } from './lookup-routes.js';
import { requestHandler, type HandlerOptions, type RequestHandler } from './request-handler.js';
import { MAX_BODY_FACTOR, type Route } from './route.js';
import { SENDS_HEADER } from './send-group-routes.js';
import { statusRoutes } from './status-routes.js';

export interface PortsOptions {
  /** Of this program, for `GET /version`. */
  readonly version: string;
  readonly maxBodyBytes?: number;
  readonly maxHeldBytes?: number;
  readonly allowsPeerHost?: HandlerOptions['allowsHost'];
  /** Which requests of other managers are served, and which connections to their port stay. */
  readonly admitsPeer?: HandlerOptions['admits'];
  readonly admitsConnection?: AdmitsConnection | undefined;
  readonly logger: Logger;
  readonly metrics?: Metrics;
  readonly tracing?: { wrap(handle: RequestHandler): RequestHandler } | undefined;
}

const MAX_BODY_BYTES = 10 * 1_048_576;
const MAX_HELD_BYTES = 256 * 1_048_576;
/** Parts of that which requests of other ports than the node's have at most. */
const PARTS = { peer: 1 / 2, 'third-party': 1 / 4 };

/** The ports of one manager. */
export class Ports {
  private readonly opened: HttpPort[] = [];
  private readonly budget: ByteBudget;

  constructor(private readonly options: PortsOptions) {
    this.budget = new ByteBudget(options.maxHeldBytes ?? MAX_HELD_BYTES);
  }

  /** @returns the handler, and its routes, which may be added to */
  handler(name: HandlerOptions['name'], own: readonly Route[]): { handler: RequestHandler; routes: Route[] } {
    const { maxBodyBytes = MAX_BODY_BYTES, metrics = silentMetrics, logger, version } = this.options;
    const ofMessages = { [MESSAGES_HEADER]: '1', [GROUPED_MESSAGES_HEADER]: MESSAGE_GROUPS_VERSION };
    const ofClients = { [LOOKUPS_HEADER]: LOOKUPS_VERSION, [SENDS_HEADER]: '1', ...ofMessages };
    const abilities = name === 'client' ? ofClients : {};
    const routes = [...statusRoutes(version, abilities), ...own];
    const budget = this.budgetOf(name, maxBodyBytes);
    const { allowsPeerHost: allowsHost, admitsPeer: admits } = this.options;
    const ofPeers = name === 'peer' ? { allowsHost, admits } : {};
    const handler = requestHandler({ name, routes, ...ofPeers, maxBodyBytes, budget, logger, metrics });
    return { handler, routes };
  }

  /**
   * Peers and applications leave room to the node, and each peer to the others; one request has room on each port.
   */
  private budgetOf(name: HandlerOptions['name'], maxBodyBytes: number): RequestBudget {
    if (name === 'client') return this.budget;
    const request = MAX_BODY_FACTOR * maxBodyBytes;
    const held = this.options.maxHeldBytes ?? MAX_HELD_BYTES;
    const part = this.budget.part(Math.min(held, Math.max(request, held * PARTS[name])));
    return name === 'peer' ? new SharedBudget(part, request) : part;
  }

  /** @returns the URL */
  async listen(
    at: Listen | { readonly socket: string },
    handler: RequestHandler,
    rules: PortRules = {},
  ): Promise<string> {
    const port = await listenHttp(at, this.options.tracing?.wrap(handler) ?? handler, rules);
    this.opened.push(port);
    return port.url;
  }

  /** Opens the port for other managers, whose routes are added later. */
  async openPeer(
    at: Listen,
    tls: ServerOptions | undefined,
  ): Promise<{ readonly url: string; readonly routes: Route[] }> {
    const { handler, routes } = this.handler('peer', []);
    return { url: await this.listen(at, handler, { tls, admits: this.options.admitsConnection }), routes };
  }

  async close(): Promise<void> {
    await Promise.all(this.opened.map((port) => port.close()));
  }
}
