import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { noteStandIn } from './stand-in.js';

/** A server that answers as HashiCorp Vault's KV version 2 does, with faults on demand. */
export interface VaultServer {
  readonly port: number;
  /** Path below `/v1/secret/data/` → members of the secret. */
  readonly secrets: Map<string, Record<string, unknown>>;
  /** What it does instead of its work. */
  fault: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  /** Path of a login below `/v1/auth/` → whether it takes the members of the request. */
  readonly logins: Map<string, (body: Record<string, unknown>) => boolean>;
  /** Tokens that logins gave, and that are accepted beside the one of all tests. */
  readonly issued: Set<string>;
  /** Seconds that they live, as the answers say. */
  leaseSeconds: number;
  /** Requests that came so far: method, path, headers, and the port of the connection at the client. */
  readonly requests: VaultServerRequest[];
  stop(): Promise<void>;
}

export interface VaultServerRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly port: number | undefined;
}

export const VAULT_TOKEN = 'hvs.test-token-0123456789';
const PREFIX = '/v1/secret/data/';

/** Where a secret of such a server is, in the words that signer files and key configurations share. */
export function vaultPlaceOf({ port }: Pick<VaultServer, 'port'>, secret = 'one') {
  return { keyPath: `${PREFIX}${secret}`, token: VAULT_TOKEN, serverHost: '127.0.0.1', serverPort: port };
}

export async function startVaultServer({
  tls,
  port = 0,
  namespace,
}: { tls?: TlsOptions; port?: number; namespace?: string } = {}): Promise<VaultServer> {
  noteStandIn('HashiCorp Vault', 'its HTTP API: KV version 2, and the logins AppRole, Kubernetes and JWT');
  const state: Omit<VaultServer, 'port' | 'stop'> = {
    secrets: new Map(),
    logins: new Map(),
    issued: new Set(),
    leaseSeconds: 3_600,
    fault: undefined,
    requests: [],
  };
  const listener: RequestListener = (request, response) => {
    const { method = '', url: path = '', headers, socket } = request;
    state.requests.push({ method, path, headers, port: socket.remotePort });
    if (state.fault !== undefined) return state.fault(request, response);
    const isSecret = (request.url ?? '').startsWith(PREFIX);
    if (request.method === 'POST' && !isSecret) return void answerAuth(request, response, state);
    const token = String(request.headers['x-vault-token']);
    const isAllowed =
      (token === VAULT_TOKEN || state.issued.has(token)) &&
      request.headers['x-vault-namespace'] === namespace;
    if (!isAllowed)
      return answerVault(response, 403, {
        errors: ['permission denied', String(request.headers['x-vault-token'])],
      });
    if (request.method === 'POST') return void storeSecret(request, response, state);
    const data = state.secrets.get((request.url ?? '').slice(PREFIX.length));
    if (data === undefined) return answerVault(response, 404, { errors: [] });
    const metadata = {
      created_time: '2026-01-01T00:00:00Z',
      deletion_time: '',
      destroyed: false,
      version: 1,
    };
    answerVault(response, 200, { request_id: 'a', lease_id: '', renewable: false, data: { data, metadata } });
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  return Object.assign(state, {
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  });
}

/** A new secret alone, as the engine permits with `cas: 0`. Source: Vault API, KV version 2, "Create/Update secret" */
async function storeSecret(
  request: IncomingMessage,
  response: ServerResponse,
  { secrets }: Pick<VaultServer, 'secrets'>,
): Promise<void> {
  const name = (request.url ?? '').slice(PREFIX.length);
  const { data, options } = (await jsonOf(request)) as Readonly<Record<string, Record<string, unknown>>>;
  if (options?.['cas'] !== 0 || secrets.has(name))
    return answerVault(response, 400, {
      errors: ['check-and-set parameter did not match the current version'],
    });
  secrets.set(name, { ...data });
  answerVault(response, 200, { request_id: 'a', data: { version: 1 } });
}

async function jsonOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
}

/** Logins, and the renewal of the tokens that they gave. Source: Vault API, AppRole, Kubernetes, JWT, Token */
async function answerAuth(
  request: IncomingMessage,
  response: ServerResponse,
  state: Omit<VaultServer, 'port' | 'stop'>,
): Promise<void> {
  const body = await jsonOf(request);
  const path = (request.url ?? '').replace(/^\/v1\/auth\//, '');
  const given = String(request.headers['x-vault-token']);
  const isRenewal = path === 'token/renew-self';
  if (isRenewal && !state.issued.has(given))
    return answerVault(response, 403, { errors: ['permission denied'] });
  if (!isRenewal && state.logins.get(path.replace(/\/login$/, ''))?.(body) !== true)
    return answerVault(response, 400, { errors: [`invalid role or secret: ${JSON.stringify(body)}`] });
  const token = isRenewal ? given : `hvs.issued-${state.issued.size}`;
  state.issued.add(token);
  const auth = {
    client_token: token,
    accessor: 'a',
    policies: ['default'],
    lease_duration: state.leaseSeconds,
  };
  answerVault(response, 200, { request_id: 'a', auth: { ...auth, renewable: true } });
}

export function answerVault(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
