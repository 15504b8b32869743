import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generatePrivateKey, publicKeyFromPrivateKey, signDigest } from '@tetrad/crypto';
import { noteStandIn } from './stand-in.js';

/** What a request gets in place of its answer. */
export interface GcpFault {
  readonly status: number;
  readonly body?: object;
}

/** Google Cloud KMS, the metadata of a host and the service that gives tokens, on one port, as their REST references describe them. */
export interface GcpKmsServer {
  readonly url: string;
  /** Requests that were answered, such as `POST /v1/…:asymmetricSign`. */
  readonly requests: readonly string[];
  /** Key file of a service account that the server accepts. */
  readonly accountFile: string;
  addKey(keyVersion: string, privateKey: Uint8Array, algorithm?: string): void;
  /** Tokens that were given are not accepted any more. */
  withdrawTokens(): void;
  setFault(fault: ((request: string) => GcpFault | undefined) | undefined): void;
  stop(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly body: object;
}

interface Key {
  readonly privateKey: Uint8Array;
  readonly algorithm: string;
}

const EMAIL = 'signer@bank.iam.gserviceaccount.com';
const METADATA_PATH = '/computeMetadata/v1/instance/service-accounts/default/token';
const SPKI = Buffer.from('3056301006072a8648ce3d020106052b8104000a03420004', 'hex');

/** Starts the server. Source: Cloud KMS API v1; Google Identity, server to server applications; Google Cloud, VM metadata */
export async function startGcpKmsServer(): Promise<GcpKmsServer> {
  noteStandIn('Google Cloud KMS', 'its REST reference v1; there is no emulator');
  const account = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const keys = new Map<string, Key>();
  const pending = new Set<string>();
  const requests: string[] = [];
  let fault: ((request: string) => GcpFault | undefined) | undefined;
  let tokens = new Set<string>();
  let issued = 0;

  const giveToken = (isAccepted: boolean): Answer => {
    if (!isAccepted) return { status: 400, body: { error: 'invalid_grant', error_description: EMAIL } };
    const token = `token-${(issued += 1)}`;
    tokens.add(token);
    return { status: 200, body: { token_type: 'Bearer', expires_in: 3_599, access_token: token } };
  };
  const answer = (request: IncomingMessage, sent: string): Answer => {
    const path = request.url ?? '';
    if (path === METADATA_PATH) return giveToken(request.headers['metadata-flavor'] === 'Google');
    if (path === '/token')
      return giveToken(isSigned(sent, account.publicKey.export({ type: 'spki', format: 'pem' })));
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    if (!tokens.has(token)) return errorAnswer(401, 'UNAUTHENTICATED');
    const [, ring, keyName] = /^\/v1\/(.+)\/cryptoKeys\?cryptoKeyId=([\w-]+)$/.exec(path) ?? [];
    if (ring !== undefined) {
      const version = `${ring}/cryptoKeys/${keyName}/cryptoKeyVersions/1`;
      if (keys.has(version)) return errorAnswer(409, 'ALREADY_EXISTS');
      const { versionTemplate } = JSON.parse(sent) as { versionTemplate: { algorithm: string } };
      keys.set(version, { privateKey: generatePrivateKey(), algorithm: versionTemplate.algorithm });
      // Until it was asked for once, as a key that is being made.
      pending.add(version);
      return { status: 200, body: { name: `${ring}/cryptoKeys/${keyName}` } };
    }
    const [, keyVersion = '', verb] = /^\/v1\/(.+?)(\/publicKey|:asymmetricSign)$/.exec(path) ?? [];
    const key = keys.get(keyVersion);
    if (key === undefined) return errorAnswer(404, 'NOT_FOUND');
    if (pending.delete(keyVersion)) return errorAnswer(400, 'FAILED_PRECONDITION');
    if (verb === '/publicKey') return { status: 200, body: publicKeyBody(keyVersion, key) };
    const { digest } = JSON.parse(sent) as { digest: { sha256: string } };
    const bytes = Buffer.from(digest.sha256, 'base64');
    if (bytes.length !== 32) return errorAnswer(400, 'INVALID_ARGUMENT');
    const { r, s } = signDigest(bytes, key.privateKey);
    return { status: 200, body: { name: keyVersion, signature: derOf(r, s).toString('base64') } };
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const line = `${request.method ?? ''} ${request.url ?? ''}`;
      requests.push(line);
      const { status, body } = fault?.(line) ?? answer(request, Buffer.concat(chunks).toString('utf8'));
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests,
    accountFile: JSON.stringify({
      type: 'service_account',
      client_email: EMAIL,
      private_key_id: 'a1',
      token_uri: `${url}/token`,
      private_key: account.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    }),
    addKey: (keyVersion, privateKey, algorithm = 'EC_SIGN_SECP256K1_SHA256') =>
      void keys.set(keyVersion, { privateKey, algorithm }),
    withdrawTokens: () => void (tokens = new Set()),
    setFault: (next) => void (fault = next),
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function errorAnswer(code: number, status: string): Answer {
  return { status: code, body: { error: { code, status, message: `Caller ${EMAIL}: ${status}` } } };
}

/** Whether the form has an assertion that the account signed. */
function isSigned(sent: string, publicKey: string | Buffer): boolean {
  const form = new URLSearchParams(sent);
  const [header = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.');
  const { iss, scope } = JSON.parse(Buffer.from(claims, 'base64url').toString() || '{}') as Record<
    string,
    string
  >;
  const isClaimed = iss === EMAIL && scope === 'https://www.googleapis.com/auth/cloudkms';
  const signed = Buffer.from(`${header}.${claims}`);
  const isTrue = verify('RSA-SHA256', signed, publicKey, Buffer.from(signature, 'base64url'));
  return isClaimed && isTrue && form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer';
}

function publicKeyBody(name: string, { privateKey, algorithm }: Key): object {
  const der = Buffer.concat([SPKI, publicKeyFromPrivateKey(privateKey)]);
  const pem = createPublicKey({ key: der, type: 'spki', format: 'der' }).export({
    type: 'spki',
    format: 'pem',
  });
  return { name, algorithm, pem, protectionLevel: 'HSM' };
}

/** Numbers of 32 bytes as SEQUENCE { INTEGER … } in DER: r and s of a signature. */
export function derOf(...numbers: readonly Uint8Array[]): Buffer {
  const integers = numbers.map((bytes) => {
    let from = 0;
    while (from < bytes.length - 1 && bytes[from] === 0) from += 1;
    const short = Buffer.from(bytes.subarray(from));
    const content = (short[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), short]) : short;
    return Buffer.concat([Buffer.from([2, content.length]), content]);
  });
  const content = Buffer.concat(integers);
  return Buffer.concat([Buffer.from([0x30, content.length]), content]);
}
