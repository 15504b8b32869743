import { isIPv6 } from 'node:net';
import { Agent, request, type Dispatcher } from 'undici';
import { z } from 'zod';
import { KeyLoadError } from '../key-load-error.js';
import { FileError } from '../read-file.js';
import { vaultConnector, type VaultPlace, type VaultTrust } from './vault-trust.js';

/** Where a secret of HashiCorp Vault's KV version 2 is, and how to get it. */
export interface VaultSecret extends VaultPlace {
  /** Path of the secret as the HTTP API has it, `/v1/<mount>/data/<name>`. */
  readonly path: string;
  readonly token: string;
  readonly namespace?: string | undefined;
  /** Bounds the whole exchange, connecting included. */
  readonly timeoutMs: number;
  /** Undefined: plain HTTP. */
  readonly trust: VaultTrust | undefined;
}

/** Bytes of the largest answer that is read. */
const MAX_ANSWER_BYTES = 1024 * 1024;

const answerSchema = z.object({ data: z.object({ data: z.record(z.string(), z.unknown()) }) });

/**
 * The members of a secret.
 *
 * Fails: KeyLoadError without token and without anything of the answer; transient when the vault did not answer, or
 * said that it cannot at the moment
 */
export async function readVaultSecret(secret: VaultSecret): Promise<Readonly<Record<string, unknown>>> {
  const url = urlOf(secret);
  const where = `Vault ${url.href}`;
  const agent = await agentOf(secret, where);
  try {
    const { status, body } = await exchange(secret, url, agent);
    if (status !== 200) throw refused(where, status);
    return secretOf(body, where);
  } catch (error) {
    throw error instanceof KeyLoadError ? error : unavailable(where, error, secret.timeoutMs);
  } finally {
    await agent.destroy();
  }
}

/** Fails: KeyLoadError when host and path do not make a URL of that host. */
function urlOf({ host, port, path, trust }: VaultSecret): URL {
  const origin = `${trust === undefined ? 'http' : 'https'}://${isIPv6(host) ? `[${host}]` : host}:${port}`;
  // What URL would make of these is another host.
  if (/[\s/?#@\\]/.test(host) || !URL.canParse(origin)) {
    throw new KeyLoadError('the host of the vault is not a valid host name');
  }
  return new URL(`${origin}/${path.replace(/^\/+/, '')}`);
}

async function agentOf(secret: VaultSecret, where: string): Promise<Agent> {
  const { trust, timeoutMs } = secret;
  const limits = { maxResponseSize: MAX_ANSWER_BYTES, headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
  if (trust === undefined) return new Agent({ ...limits, connect: { timeout: timeoutMs } });
  try {
    return new Agent({ ...limits, connect: await vaultConnector(trust, secret, timeoutMs) });
  } catch (error) {
    if (error instanceof FileError) throw new KeyLoadError(`${where}: trust store ${error.message}`);
    throw error;
  }
}

async function exchange(
  secret: VaultSecret,
  url: URL,
  dispatcher: Dispatcher,
): Promise<{ status: number; body: string }> {
  const headers: Record<string, string> = { 'x-vault-token': secret.token, 'x-vault-request': 'true' };
  if (secret.namespace !== undefined) headers['x-vault-namespace'] = secret.namespace;
  const signal = AbortSignal.timeout(secret.timeoutMs);
  const response = await request(url, { method: 'GET', headers, dispatcher, signal });
  return { status: response.statusCode, body: await response.body.text() };
}

function secretOf(body: string, where: string): Readonly<Record<string, unknown>> {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    throw new KeyLoadError(`${where}: its answer is not JSON`);
  }
  const parsed = answerSchema.safeParse(json);
  if (parsed.success) return parsed.data.data.data;
  throw new KeyLoadError(`${where}: its answer is not that of a KV version 2 secret`);
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

function refused(where: string, status: number): KeyLoadError {
  return new KeyLoadError(`${where}: answered ${status}${MEANINGS[status] ?? ''}`, isPassing(status));
}

function unavailable(where: string, error: unknown, timeoutMs: number): KeyLoadError {
  const { name, code } = error as { name?: unknown; code?: unknown };
  if (name === 'TimeoutError' || (typeof code === 'string' && code.endsWith('_TIMEOUT'))) {
    return new KeyLoadError(`${where}: no answer within ${timeoutMs} ms`, true);
  }
  const reason = typeof code === 'string' && /^[A-Z0-9_]+$/.test(code) ? code : 'unknown';
  return new KeyLoadError(`${where}: cannot be reached (${reason})`, true);
}
