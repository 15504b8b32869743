import type { Clock } from '@tetrad/types';
import { z } from 'zod';
import type { ServiceKey } from '../key-service.js';
import { RemoteKeyError, type RemoteKeyFault } from '../remote-key-error.js';
import { requestJson, type JsonAnswer } from '../json-request.js';
import { listSigningKeys } from './list-signing-keys.js';
import type { AzureVaultSettings } from './azure-settings.js';
import { AzureToken } from './azure-token.js';

/** Source: REST reference of Azure Key Vault, Get Key, Sign and Get Secret, version 7.4 */
const API_VERSION = '7.4';

const base64 = z.string().regex(/^[\w-]{1,128}$/);
const keyAnswer = z.object({
  key: z.object({ kid: z.string(), kty: z.string(), crv: z.string(), x: base64, y: base64 }),
});
const signAnswer = z.object({ value: base64 });
const secretAnswer = z.object({ value: z.string() });
const errorAnswer = z.object({ error: z.object({ code: z.string().regex(/^\w{1,60}$/) }) });

const FAULTS: Readonly<Record<number, RemoteKeyFault>> = {
  400: 'UNSUPPORTED',
  401: 'DENIED',
  403: 'DENIED',
  404: 'MISSING',
  429: 'THROTTLED',
};

interface VaultCall {
  /** Below the vault's URL. */
  readonly path: string;
  readonly query?: string;
  readonly name: string;
  readonly permission: string;
  readonly signal: AbortSignal;
  /** `POST` by default, where there is a body. */
  readonly method?: 'PUT';
  readonly body?: object;
}

/** A vault of Azure Key Vault, or a managed HSM, by their REST interface. */
export class AzureVault {
  readonly name: string;
  private readonly token: AzureToken;

  constructor(
    private readonly settings: AzureVaultSettings,
    clock: Pick<Clock, 'now'>,
  ) {
    this.name = `Azure Key Vault ${settings.vaultUrl}`;
    this.token = new AzureToken(settings, clock);
  }

  /**
   * One version of a key: the one that is current when its public key is read first, if none is given. A key that is rotated
   * goes on signing with the version of its address.
   */
  key(keyName: string, version?: string): ServiceKey {
    const name = `${this.name}, key ${keyName}`;
    let pinned = version;
    return {
      name,
      readPublicKey: async (signal) => {
        const { publicKey, kid } = await this.readKey(pathOf(keyName, pinned), name, signal);
        pinned ??= kid.split('/').at(-1);
        return publicKey;
      },
      sign: (digest, signal) => this.sign(pathOf(keyName, pinned), { name, digest }, signal),
    };
  }

  /**
   * Makes a key of the curve P-256K, which cannot leave the vault. The vault would give one that is there a new version, so it is asked for
   * first.
   *
   * @returns the version
   * @throws RemoteKeyError UNSUPPORTED when there is a key of that name
   */
  async generate(keyName: string, signal: AbortSignal): Promise<string> {
    const name = `${this.name}, key ${keyName}`;
    if (await isThere(this.readKey(pathOf(keyName, undefined), name, signal)))
      throw new RemoteKeyError('UNSUPPORTED', `${name}: is there already`);
    const path = `${pathOf(keyName, undefined)}/create`;
    const body = { kty: 'EC', crv: 'P-256K', key_ops: ['sign', 'verify'] };
    const answer = await this.call({ path, name, permission: 'keys/create', signal, body });
    const version = keyAnswer.safeParse(answer.body).data?.key.kid.split('/').at(-1);
    if (version !== undefined) return version;
    throw new RemoteKeyError('FAILED', `${name}: the answer names no key`);
  }

  /**
   * Lists the enabled keys that have all of these tags. Their kind is known when they are opened.
   *
   * @returns their names
   * @throws RemoteKeyError
   */
  list(tags: Readonly<Record<string, string>>, signal: AbortSignal): Promise<readonly string[]> {
    const { vaultUrl } = this.settings;
    const call = { path: 'keys', name: this.name, permission: 'keys/list', signal };
    return listSigningKeys({ vaultUrl, tags, where: this.name }, async (query) => {
      const { body } = await this.call({ ...call, query });
      return body;
    });
  }

  /**
   * Reads a secret.
   *
   * @param version - undefined: the current one
   * @throws RemoteKeyError, which does not repeat it
   */
  async readSecret(secretName: string, signal: AbortSignal, version?: string): Promise<string> {
    const name = `${this.name}, secret ${secretName}`;
    const path = secretPathOf(secretName, version);
    const { body } = await this.call({ path, name, permission: 'secrets/get', signal });
    const parsed = secretAnswer.safeParse(body);
    if (parsed.success) return parsed.data.value;
    throw new RemoteKeyError('FAILED', `${name}: the answer has no secret`);
  }

  /**
   * Makes a secret. The vault would give one that is there a new version, so it is asked for first.
   *
   * @throws RemoteKeyError UNSUPPORTED when there is one of that name
   */
  async createSecret(secretName: string, value: string, signal: AbortSignal): Promise<void> {
    const name = `${this.name}, secret ${secretName}`;
    if (await isThere(this.readSecret(secretName, signal)))
      throw new RemoteKeyError('UNSUPPORTED', `${name}: is there already`);
    const call = { path: secretPathOf(secretName), name, permission: 'secrets/set', signal };
    await this.call({ ...call, method: 'PUT', body: { value } });
  }

  private async readKey(path: string, name: string, signal: AbortSignal) {
    const { body } = await this.call({ path, name, permission: 'keys/get', signal });
    const parsed = keyAnswer.safeParse(body);
    const { kid, kty, crv, x, y } = parsed.data?.key ?? { kid: '', kty: '', crv: '', x: '', y: '' };
    const point = [x, y].map((text) => Buffer.from(text, 'base64url'));
    const isOurs = /^EC(?:-HSM)?$/.test(kty) && (crv === 'P-256K' || crv === 'SECP256K1');
    if (!isOurs || point.some(({ length }) => length > 32))
      throw new RemoteKeyError('UNSUPPORTED', `${name}: is not a key of the curve P-256K`);
    const publicKey = new Uint8Array(64);
    point.forEach((bytes, index) => publicKey.set(bytes, 32 * (index + 1) - bytes.length));
    return { publicKey, kid };
  }

  private async sign(
    path: string,
    { name, digest }: { readonly name: string; readonly digest: Uint8Array },
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const value = Buffer.from(digest).toString('base64url');
    const { body } = await this.call({
      path: `${path}/sign`,
      name,
      permission: 'keys/sign',
      signal,
      body: { alg: 'ES256K', value },
    });
    const parsed = signAnswer.safeParse(body);
    if (parsed.success) return new Uint8Array(Buffer.from(parsed.data.value, 'base64url'));
    throw new RemoteKeyError('WRONG_KEY', `${name}: the answer is no signature`);
  }

  private async call(call: VaultCall): Promise<JsonAnswer> {
    for (let tries = 1; ; tries += 1) {
      const token = await this.token.current();
      const answer = await this.send(call, token);
      if (answer.status === 200) return answer;
      // Nothing was signed, and a token may be withdrawn before it expires.
      if (answer.status === 401) this.token.discard(token);
      if (answer.status !== 401 || tries > 1) throw faultOf(answer, call);
    }
  }

  private send(call: VaultCall, token: string): Promise<JsonAnswer> {
    const { path, query, name, signal, body, method = 'POST' as const } = call;
    const url = `${this.settings.vaultUrl}/${path}?${query ?? `api-version=${API_VERSION}`}`;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = body === undefined ? { headers } : { method, headers, body: JSON.stringify(body) };
    return requestJson(url, sent, { signal, where: name });
  }
}

/** @throws as the reading, but for what is missing */
async function isThere(reading: Promise<unknown>): Promise<boolean> {
  try {
    await reading;
    return true;
  } catch (error) {
    if (error instanceof RemoteKeyError && error.code === 'MISSING') return false;
    throw error;
  }
}

function pathOf(keyName: string, version: string | undefined): string {
  const path = `keys/${encodeURIComponent(keyName)}`;
  return version === undefined ? path : `${path}/${encodeURIComponent(version)}`;
}

function secretPathOf(secretName: string, version?: string): string {
  const path = `secrets/${encodeURIComponent(secretName)}`;
  return version === undefined ? path : `${path}/${encodeURIComponent(version)}`;
}

/** The words of the answer may name callers and tenants; its code is one word. */
function faultOf({ status, body }: JsonAnswer, { name, permission }: VaultCall): RemoteKeyError {
  const parsed = errorAnswer.safeParse(body);
  const word = parsed.success ? ` ${parsed.data.error.code}` : '';
  const code = FAULTS[status] ?? 'FAILED';
  const needed = code === 'DENIED' ? `; ${permission} is needed` : '';
  return new RemoteKeyError(code, `${name}: HTTP ${status}${word}${needed}`);
}
