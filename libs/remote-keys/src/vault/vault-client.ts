import { isIPv6 } from 'node:net';
import { request, type Dispatcher } from 'undici';
import { z } from 'zod';
import { VaultError } from './vault-error.js';
import { FileError } from '@tetrad/files';
import type { VaultAccess } from './vault-access.js';
import type { VaultConnections } from './vault-connections.js';

/** Where a secret of HashiCorp Vault's KV version 2 is, and how to get it. */
export interface VaultSecret extends VaultAccess {
  /** Path of the secret as the HTTP API has it, `/v1/<mount>/data/<name>`. */
  readonly path: string;
  readonly token: string;
}

export interface VaultCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly token?: string;
  readonly body?: object;
}

/** The vault answered, and not as it was to. */
export class VaultRefusal extends VaultError {
  override readonly name = 'VaultRefusal';

  constructor(
    readonly status: number,
    message: string,
    isTransient: boolean,
  ) {
    super(message, isTransient);
  }
}

const answerSchema = z.object({ data: z.object({ data: z.record(z.string(), z.unknown()) }) });

/**
 * The members of a secret.
 * @throws VaultError without token and without anything of the answer; transient when the vault did not answer, or
 *   said that it cannot at the moment
 */
export async function readVaultSecret(
  { path, token, ...access }: VaultSecret,
  connections: VaultConnections,
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await callVault(access, { method: 'GET', path, token }, connections);
  const parsed = answerSchema.safeParse(answer);
  if (parsed.success) return parsed.data.data.data;
  throw new VaultError(`Vault ${urlOf(access, path).href}: its answer is not that of a KV version 2 secret`);
}

/**
 * Makes a secret with these members, which must not be there yet.
 * @throws as `readVaultSecret`
 */
export async function createVaultSecret(
  { path, token, ...access }: VaultSecret,
  data: Readonly<Record<string, string>>,
  connections: VaultConnections,
): Promise<void> {
  const call = { method: 'POST', path, token, body: { options: { cas: 0 }, data } } as const;
  await callVault(access, call, connections).catch((error: unknown) => {
    const isThere = error instanceof VaultRefusal && error.status === 400;
    throw isThere ? new VaultError(`Vault ${urlOf(access, path).href}: is there already`) : error;
  });
}

/**
 * One call.
 * @returns the JSON of its answer
 * @throws as `readVaultSecret`; VaultRefusal for another status than 200
 */
export async function callVault(
  access: VaultAccess,
  call: VaultCall,
  connections: VaultConnections,
): Promise<unknown> {
  const url = urlOf(access, call.path);
  const where = `Vault ${url.href}`;
  try {
    const { status, body } = await connections.use(access, (dispatcher) =>
      exchange(access, { ...call, url, dispatcher }),
    );
    if (status !== 200) throw refused(where, status);
    return jsonOf(body, where);
  } catch (error) {
    if (error instanceof VaultError) throw error;
    throw error instanceof FileError
      ? unreadable(where, error, access)
      : unavailable(where, error, access.timeoutMs);
  }
}

/** @throws VaultError when host and path do not make a URL of that host */
function urlOf({ host, port, trust }: VaultAccess, path: string): URL {
  const origin = `${trust === undefined ? 'http' : 'https'}://${isIPv6(host) ? `[${host}]` : host}:${port}`;
  // What URL would make of these is another host.
  if (/[\s/?#@\\]/.test(host) || !URL.canParse(origin)) {
    throw new VaultError('the host of the vault is not a valid host name');
  }
  return new URL(`${origin}/${path.replace(/^\/+/, '')}`);
}

function unreadable(where: string, { path, message }: FileError, { trust }: VaultAccess): VaultError {
  const isStore = trust !== undefined && 'file' in trust && path === trust.file;
  return new VaultError(`${where}: ${isStore ? 'trust store ' : ''}${message}`);
}

async function exchange(
  { namespace, timeoutMs }: VaultAccess,
  call: VaultCall & { readonly url: URL; readonly dispatcher: Dispatcher },
): Promise<{ status: number; body: string }> {
  const { url, method, token, dispatcher } = call;
  const headers: Record<string, string> = { 'x-vault-request': 'true' };
  if (token !== undefined) headers['x-vault-token'] = token;
  if (namespace !== undefined) headers['x-vault-namespace'] = namespace;
  const body = call.body === undefined ? null : JSON.stringify(call.body);
  if (body !== null) headers['content-type'] = 'application/json';
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await request(url, { method, headers, body, dispatcher, signal });
  return { status: response.statusCode, body: await response.body.text() };
}

function jsonOf(body: string, where: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new VaultError(`${where}: its answer is not JSON`);
  }
}

/** Statuses that pass: sealed, standby, in recovery, too many requests, a fault of the vault or of a proxy. */
function isPassing(status: number): boolean {
  return status >= 500 || status === 429 || status === 472 || status === 473 || status === 412;
}

const MEANINGS: Readonly<Record<number, string>> = {
  403: ' (the token is not accepted for this path)',
  404: ' (no such secret)',
  503: ' (sealed or in maintenance)',
};

function refused(where: string, status: number): VaultRefusal {
  return new VaultRefusal(status, `${where}: answered ${status}${MEANINGS[status] ?? ''}`, isPassing(status));
}

function unavailable(where: string, error: unknown, timeoutMs: number): VaultError {
  const { name, code } = error as { name?: unknown; code?: unknown };
  if (name === 'TimeoutError' || (typeof code === 'string' && code.endsWith('_TIMEOUT'))) {
    return new VaultError(`${where}: no answer within ${timeoutMs} ms`, true);
  }
  const reason = typeof code === 'string' && /^[A-Z0-9_]+$/.test(code) ? code : 'unknown';
  return new VaultError(`${where}: cannot be reached (${reason})`, true);
}
