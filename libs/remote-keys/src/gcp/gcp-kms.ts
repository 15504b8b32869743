import type { Clock } from '@tetrad/types';
import { z } from 'zod';
import type { AccessToken } from '../access-token.js';
import { compactFromDer, publicKeyFromSpki } from '../aws-kms/der-signature.js';
import { requestJson, type JsonAnswer } from '../json-request.js';
import type { ServiceKey } from '../key-service.js';
import { RemoteKeyError, type RemoteKeyFault } from '../remote-key-error.js';
import type { GcpKmsSettings } from './gcp-settings.js';
import { gcpToken } from './gcp-token.js';

/** Source: Cloud KMS API v1, cryptoKeyVersions.getPublicKey and asymmetricSign */
const PUBLIC_SERVICE = 'https://cloudkms.googleapis.com';
const ALGORITHM = 'EC_SIGN_SECP256K1_SHA256';
/** Source: RFC 7468, section 13 */
const [BEGIN, END] = ['-----BEGIN PUBLIC KEY-----', '-----END PUBLIC KEY-----'];

const keyAnswer = z.object({ pem: z.string().max(4_096), algorithm: z.string() });
const signAnswer = z.object({ signature: z.string().max(1_024) });
const errorAnswer = z.object({ error: z.object({ status: z.string().regex(/^[A-Z_]{1,60}$/) }) });

const FAULTS: Readonly<Record<number, RemoteKeyFault>> = {
  400: 'UNSUPPORTED',
  401: 'DENIED',
  403: 'DENIED',
  404: 'MISSING',
  409: 'UNSUPPORTED',
  429: 'THROTTLED',
};

interface KmsCall {
  readonly path: string;
  readonly name: string;
  readonly permission: string;
  readonly signal: AbortSignal;
  readonly body?: object;
}

/** Google Cloud KMS by its REST interface. */
export class GcpKms {
  readonly name: string;
  private readonly url: string;
  private readonly token: AccessToken;

  constructor(settings: GcpKmsSettings, clock: Pick<Clock, 'now'>) {
    this.url = settings.endpoint ?? PUBLIC_SERVICE;
    this.name = `Google Cloud KMS ${this.url}`;
    this.token = gcpToken(settings, clock);
  }

  /** @param keyVersion - `projects/…/cryptoKeyVersions/…`; a version is one key for ever */
  key(keyVersion: string): ServiceKey {
    const name = `${this.name}, key ${keyVersion}`;
    return {
      name,
      readPublicKey: (signal) => this.readPublicKey(keyVersion, name, signal),
      sign: (digest, signal) => this.sign(keyVersion, { name, digest }, signal),
    };
  }

  /**
   * Makes a key in the HSM of the service, which it cannot leave. It is there a moment later.
   *
   * @param keyRing - `projects/…/locations/…/keyRings/…`
   * @returns its first version
   * @throws RemoteKeyError UNSUPPORTED when there is a key of that name
   */
  async generate(keyRing: string, keyName: string, signal: AbortSignal): Promise<string> {
    const name = `${this.name}, key ${keyRing}/cryptoKeys/${keyName}`;
    const path = `${keyRing}/cryptoKeys?cryptoKeyId=${encodeURIComponent(keyName)}`;
    const versionTemplate = { algorithm: ALGORITHM, protectionLevel: 'HSM' };
    const body = { purpose: 'ASYMMETRIC_SIGN', versionTemplate };
    await this.call({ path, name, permission: 'cloudkms.cryptoKeys.create', signal, body });
    return `${keyRing}/cryptoKeys/${keyName}/cryptoKeyVersions/1`;
  }

  private async readPublicKey(keyVersion: string, name: string, signal: AbortSignal): Promise<Uint8Array> {
    const permission = 'cloudkms.cryptoKeyVersions.viewPublicKey';
    const body = await this.call({ path: `${keyVersion}/publicKey`, name, permission, signal });
    const parsed = keyAnswer.safeParse(body);
    const publicKey = parsed.data?.algorithm === ALGORITHM ? pointOf(parsed.data.pem) : undefined;
    if (publicKey !== undefined) return publicKey;
    throw new RemoteKeyError('UNSUPPORTED', `${name}: is not a key of the kind ${ALGORITHM}`);
  }

  private async sign(
    keyVersion: string,
    { name, digest }: { readonly name: string; readonly digest: Uint8Array },
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const body = await this.call({
      path: `${keyVersion}:asymmetricSign`,
      name,
      signal,
      permission: 'cloudkms.cryptoKeyVersions.useToSign',
      // Its field names the hash by which the service expects the digest to be made; it hashes nothing.
      body: { digest: { sha256: Buffer.from(digest).toString('base64') } },
    });
    const parsed = signAnswer.safeParse(body);
    const compact = compactFromDer(Buffer.from(parsed.data?.signature ?? '', 'base64'));
    if (compact !== undefined) return compact;
    throw new RemoteKeyError('WRONG_KEY', `${name}: the answer is no ECDSA signature`);
  }

  private async call(call: KmsCall): Promise<unknown> {
    for (let tries = 1; ; tries += 1) {
      const token = await this.token.current();
      const answer = await this.send(call, token);
      if (answer.status === 200) return answer.body;
      // Nothing was signed, and a token may be withdrawn before it expires.
      if (answer.status === 401) this.token.discard(token);
      if (answer.status !== 401 || tries > 1) throw faultOf(answer, call);
    }
  }

  private send({ path, name, signal, body }: KmsCall, token: string): Promise<JsonAnswer> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent =
      body === undefined ? { headers } : { method: 'POST' as const, headers, body: JSON.stringify(body) };
    return requestJson(`${this.url}/v1/${path}`, sent, { signal, where: name });
  }
}

/** Decoded here: OpenSSL, which takes any key, needs half a millisecond for one. */
function pointOf(pem: string): Uint8Array | undefined {
  const text = pem.trim();
  if (!text.startsWith(BEGIN) || !text.endsWith(END)) return undefined;
  return publicKeyFromSpki(Buffer.from(text.slice(BEGIN.length, -END.length), 'base64'));
}

/** The words of the answer may name accounts and projects; its status is one word. */
function faultOf({ status, body }: JsonAnswer, { name, permission }: KmsCall): RemoteKeyError {
  const parsed = errorAnswer.safeParse(body);
  const word = parsed.success ? ` ${parsed.data.error.status}` : '';
  const code = FAULTS[status] ?? 'FAILED';
  const needed = code === 'DENIED' ? `; ${permission} is needed` : '';
  return new RemoteKeyError(code, `${name}: HTTP ${status}${word}${needed}`);
}
