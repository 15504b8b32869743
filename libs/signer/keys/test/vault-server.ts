import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export const vector = (name: string) => join(import.meta.dirname, 'vectors', name);

/** A server that answers as HashiCorp Vault's KV version 2 does, with faults on demand. */
export interface VaultServer {
  readonly port: number;
  /** Path below `/v1/secret/data/` → members of the secret. */
  readonly secrets: Map<string, Record<string, unknown>>;
  /** What it does instead of its work. */
  fault: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  /** Requests that came so far, as method, path and headers. */
  readonly requests: { method: string; path: string; headers: IncomingMessage['headers'] }[];
  stop(): Promise<void>;
}

export const TOKEN = 'hvs.test-token-0123456789';
const PREFIX = '/v1/secret/data/';

/** Where a secret of such a server is, in the words that signer files and key configurations share. */
export function placeOf({ port }: Pick<VaultServer, 'port'>, secret = 'one') {
  return { keyPath: `${PREFIX}${secret}`, token: TOKEN, serverHost: '127.0.0.1', serverPort: port };
}

export async function startVault({
  tls = false,
  port = 0,
  namespace,
}: { tls?: boolean; port?: number; namespace?: string } = {}): Promise<VaultServer> {
  const state: Pick<VaultServer, 'secrets' | 'fault' | 'requests'> = {
    secrets: new Map(),
    fault: undefined,
    requests: [],
  };
  const listener: RequestListener = (request, response) => {
    state.requests.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers });
    if (state.fault !== undefined) return state.fault(request, response);
    const data = state.secrets.get((request.url ?? '').slice(PREFIX.length));
    const isAllowed =
      request.headers['x-vault-token'] === TOKEN && request.headers['x-vault-namespace'] === namespace;
    if (!isAllowed)
      return answer(response, 403, {
        errors: ['permission denied', String(request.headers['x-vault-token'])],
      });
    if (data === undefined) return answer(response, 404, { errors: [] });
    const metadata = {
      created_time: '2026-01-01T00:00:00Z',
      deletion_time: '',
      destroyed: false,
      version: 1,
    };
    answer(response, 200, { request_id: 'a', lease_id: '', renewable: false, data: { data, metadata } });
  };
  const server = tls
    ? createTlsServer(
        { cert: readFileSync(vector('vault.crt')), key: readFileSync(vector('vault.key')) },
        listener,
      )
    : createServer(listener);
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  return Object.assign(state, {
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  });
}

export function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
