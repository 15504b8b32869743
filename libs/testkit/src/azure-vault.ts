import type { IncomingMessage } from 'node:http';
import { generatePrivateKey, publicKeyFromPrivateKey, signDigest } from '@tetrad/crypto';

/** What the list of keys says of one. */
export interface AzureKeyDescription {
  readonly enabled?: boolean;
  readonly tags?: Readonly<Record<string, string>>;
}

/** Keys of a page of the list; few, so that small lists have several. */
const KEYS_A_PAGE = 2;

/** Status and body of an answer. */
export interface AzureAnswer {
  readonly status: number;
  readonly body: object;
}

/** Keys and secrets of a vault, and what it answers to a caller with a token. */
export class AzureVault {
  readonly secrets = new Map<string, string>();
  private readonly keys = new Map<string, Uint8Array[]>();
  private readonly descriptions = new Map<string, AzureKeyDescription>();

  /** @returns the number of the version */
  addVersion(keyName: string, privateKey: Uint8Array): number {
    const versions = [...(this.keys.get(keyName) ?? []), privateKey];
    this.keys.set(keyName, versions);
    return versions.length;
  }

  describe(keyName: string, description: AzureKeyDescription): void {
    this.descriptions.set(keyName, description);
  }

  answer(request: IncomingMessage, path: string, sent: string): AzureAnswer {
    if (path === '/keys') return this.page(request);
    const [, kind, name = '', version, verb] = path.split('/');
    if (kind === 'secrets')
      return request.method === 'PUT' ? this.setSecret(name, sent) : this.secret(name, version);
    if (version === 'create') return this.create(name);
    const versions = this.keys.get(name) ?? [];
    const number = version === undefined ? versions.length : Number(version);
    const privateKey = versions[number - 1];
    if (privateKey === undefined) return errorAnswer(404, 'KeyNotFound');
    if (verb === 'sign') return sign(path, sent, privateKey);
    return { status: 200, body: keyBody(`/keys/${name}/${number}`, privateKey) };
  }

  private page(request: IncomingMessage): AzureAnswer {
    const { origin, searchParams } = new URL(request.url ?? '', `http://${request.headers.host}`);
    const from = Number(searchParams.get('$skiptoken') ?? 0);
    const value = [...this.keys.keys()].slice(from, from + KEYS_A_PAGE).map((name) => {
      const { enabled = true, tags } = this.descriptions.get(name) ?? {};
      return { kid: `https://bank.vault.azure.net/keys/${name}`, attributes: { enabled }, tags };
    });
    const next = from + KEYS_A_PAGE;
    const nextLink = `${origin}/keys?api-version=7.4&$skiptoken=${next}`;
    return { status: 200, body: { value, nextLink: next < this.keys.size ? nextLink : null } };
  }

  private setSecret(name: string, sent: string): AzureAnswer {
    const { value } = JSON.parse(sent) as { value: string };
    this.secrets.set(name, value);
    return { status: 200, body: { value } };
  }

  private secret(name: string, version: string | undefined): AzureAnswer {
    const value = this.secrets.get(version === undefined ? name : `${name}/${version}`);
    return value === undefined ? errorAnswer(404, 'SecretNotFound') : { status: 200, body: { value } };
  }

  private create(name: string): AzureAnswer {
    const made = generatePrivateKey();
    const number = this.addVersion(name, made);
    return { status: 200, body: keyBody(`/keys/${name}/${number}`, made) };
  }
}

function sign(path: string, sent: string, privateKey: Uint8Array): AzureAnswer {
  const { alg, value } = JSON.parse(sent) as { alg: string; value: string };
  const digest = Buffer.from(value, 'base64url');
  if (alg !== 'ES256K' || digest.length !== 32) return errorAnswer(400, 'BadParameter');
  const { r, s } = signDigest(digest, privateKey);
  return { status: 200, body: { kid: path, value: Buffer.concat([r, s]).toString('base64url') } };
}

/** An error in the form of the service. */
export function errorAnswer(status: number, code: string): AzureAnswer {
  return { status, body: { error: { code, message: `Caller: appid=signer ${code}` } } };
}

function keyBody(path: string, privateKey: Uint8Array): object {
  const [x, y] = [0, 32].map((at) =>
    Buffer.from(publicKeyFromPrivateKey(privateKey).slice(at, at + 32)).toString('base64url'),
  );
  const key = { kid: `https://bank.vault.azure.net${path}`, kty: 'EC', crv: 'P-256K', x, y };
  return { key: { ...key, key_ops: ['sign', 'verify'] }, attributes: { enabled: true } };
}
