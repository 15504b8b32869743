import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generatePrivateKey, publicKeyFromPrivateKey, signDigest } from '@tetrad/crypto';
import { noteStandIn } from './stand-in.js';

/** What a request gets in place of its answer. */
export type AzureFault = { readonly status: number; readonly body?: object } | 'hang';

/** A vault and the service that gives tokens for it, on one port, as the REST reference of Azure Key Vault describes them. */
export interface AzureVaultServer {
  readonly url: string;
  /** Requests that were answered, such as `POST /keys/desk/1/sign`. */
  readonly requests: readonly string[];
  readonly clientSecret: string;
  /** The key with the name has this version from now on; older ones go on signing. */
  addVersion(keyName: string, privateKey: Uint8Array): void;
  /** A secret, by its name; by name, slash and version where a version is asked for. */
  readonly secrets: Map<string, string>;
  /** What the list of keys says of it. */
  describe(keyName: string, description: AzureKeyDescription): void;
  /** Tokens that were given are not accepted any more. */
  withdrawTokens(): void;
  setFault(fault: ((request: string) => AzureFault | undefined) | undefined): void;
  stop(): Promise<void>;
}

export interface AzureKeyDescription {
  readonly enabled?: boolean;
  readonly tags?: Readonly<Record<string, string>>;
}

/** Keys of a page of the list; few, so that small lists have several. */
const KEYS_A_PAGE = 2;

interface Answer {
  readonly status: number;
  readonly body: object;
}

/** Starts the server. Source: REST reference of Azure Key Vault 7.4, Get Keys, Create Key, Get Key, Sign, Get Secret and Set Secret; Microsoft identity platform, client credentials flow */
export async function startAzureVaultServer(): Promise<AzureVaultServer> {
  noteStandIn('Azure Key Vault', 'its REST reference 7.4; Lowkey Vault, an emulator, could not be had');
  const clientSecret = 'azure-secret-not-to-be-shown';
  const keys = new Map<string, Uint8Array[]>();
  const descriptions = new Map<string, AzureKeyDescription>();
  const secrets = new Map<string, string>();
  const requests: string[] = [];
  let fault: ((request: string) => AzureFault | undefined) | undefined;
  let tokens = new Set<string>();
  let issued = 0;

  const giveToken = (isAccepted: boolean): Answer => {
    if (!isAccepted)
      return { status: 401, body: { error: 'invalid_client', error_description: clientSecret } };
    const token = `token-${(issued += 1)}`;
    tokens.add(token);
    return { status: 200, body: { token_type: 'Bearer', expires_in: 3_599, access_token: token } };
  };
  const pageOf = (request: IncomingMessage): Answer => {
    const { origin, searchParams } = new URL(request.url ?? '', `http://${request.headers.host}`);
    const from = Number(searchParams.get('$skiptoken') ?? 0);
    const value = [...keys.keys()].slice(from, from + KEYS_A_PAGE).map((name) => {
      const { enabled = true, tags } = descriptions.get(name) ?? {};
      return { kid: `https://bank.vault.azure.net/keys/${name}`, attributes: { enabled }, tags };
    });
    const next = from + KEYS_A_PAGE;
    const nextLink = `${origin}/keys?api-version=7.4&$skiptoken=${next}`;
    return { status: 200, body: { value, nextLink: next < keys.size ? nextLink : null } };
  };
  const answer = (request: IncomingMessage, path: string, sent: string): Answer => {
    const form = new URLSearchParams(sent);
    if (path === '/bank/oauth2/v2.0/token') {
      const secret = form.get('client_secret') ?? form.get('client_assertion');
      return giveToken(form.get('client_id') === 'signer' && secret === clientSecret);
    }
    if (path === '/metadata/identity/oauth2/token') return giveToken(request.headers['metadata'] === 'true');
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    if (!tokens.has(token)) return errorAnswer(401, 'Unauthorized');
    if (path === '/keys') return pageOf(request);
    const [, kind, keyName = '', version, verb] = path.split('/');
    if (kind === 'secrets') {
      if (request.method === 'PUT') {
        const { value } = JSON.parse(sent) as { value: string };
        secrets.set(keyName, value);
        return { status: 200, body: { value } };
      }
      const value = secrets.get(version === undefined ? keyName : `${keyName}/${version}`);
      return value === undefined ? errorAnswer(404, 'SecretNotFound') : { status: 200, body: { value } };
    }
    if (version === 'create') {
      const made = generatePrivateKey();
      keys.set(keyName, [...(keys.get(keyName) ?? []), made]);
      return { status: 200, body: keyBody(`/keys/${keyName}/${keys.get(keyName)?.length}`, made) };
    }
    const versions = keys.get(keyName) ?? [];
    const number = version === undefined ? versions.length : Number(version);
    const privateKey = versions[number - 1];
    if (privateKey === undefined) return errorAnswer(404, 'KeyNotFound');
    if (verb !== 'sign') return { status: 200, body: keyBody(`/keys/${keyName}/${number}`, privateKey) };
    const { alg, value } = JSON.parse(sent) as { alg: string; value: string };
    const digest = Buffer.from(value, 'base64url');
    if (alg !== 'ES256K' || digest.length !== 32) return errorAnswer(400, 'BadParameter');
    const { r, s } = signDigest(digest, privateKey);
    return { status: 200, body: { kid: path, value: Buffer.concat([r, s]).toString('base64url') } };
  };

  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = (request.url ?? '').split('?')[0] ?? '';
      const line = `${request.method ?? ''} ${path}`;
      requests.push(line);
      const own = fault?.(line);
      if (own === 'hang') return;
      const { status, body } = own ?? answer(request, path, Buffer.concat(chunks).toString('utf8'));
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    clientSecret,
    secrets,
    addVersion: (keyName, privateKey) => void keys.set(keyName, [...(keys.get(keyName) ?? []), privateKey]),
    describe: (keyName, description) => void descriptions.set(keyName, description),
    withdrawTokens: () => void (tokens = new Set()),
    setFault: (next) => void (fault = next),
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function errorAnswer(status: number, code: string): Answer {
  return { status, body: { error: { code, message: `Caller: appid=signer ${code}` } } };
}

function keyBody(path: string, privateKey: Uint8Array): object {
  const [x, y] = [0, 32].map((at) =>
    Buffer.from(publicKeyFromPrivateKey(privateKey).slice(at, at + 32)).toString('base64url'),
  );
  const key = { kid: `https://bank.vault.azure.net${path}`, kty: 'EC', crv: 'P-256K', x, y };
  return { key: { ...key, key_ops: ['sign', 'verify'] }, attributes: { enabled: true } };
}
