import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SECP256K1_ORDER, signDigest } from '@tetrad/crypto';
import { scalarFromBytes } from '@tetrad/types';
import { scalarBytes } from '../../../../libs/remote-keys/src/scalar-bytes.js';
import type { SignatureFormat } from './signature-formats.js';

/** What a key service does with the calls for its keys. */
export type ServiceFault =
  | 'is slow'
  | 'throttles twice'
  | 'throttles'
  | 'denies'
  | 'fails'
  | 'closes the connection'
  | 'signs with another key'
  | 'gives a high s'
  | 'gives a signature that does not recover'
  | 'hangs after having signed'
  | 'lets credentials expire'
  | 'is replaced while it signs';

/** A server that passes calls on to a key service, but for its fault. */
export interface FaultyKeyService {
  readonly url: string;
  setFault(fault: ServiceFault | undefined): void;
  stop(): Promise<void>;
}

const OTHER_KEY = new Uint8Array(32).fill(9);
const SLOW_MS = 200;

interface Call {
  readonly request: IncomingMessage;
  readonly body: Buffer;
  readonly response: ServerResponse;
}

/** @param target - URL of the service */
export async function startFaultyKeyService(
  target: string,
  format: SignatureFormat,
): Promise<FaultyKeyService> {
  let fault: ServiceFault | undefined;
  let throttled = 0;
  const seen = new Set<string>();
  let expired: ReadonlySet<string> = new Set();
  const waiting: (() => void)[] = [];

  const pass = async ({ request, body }: Call) => {
    const { method = 'GET', url = '', headers } = request;
    const kept = [
      'authorization',
      'content-type',
      'x-amz-target',
      'x-amz-date',
      'metadata',
      'metadata-flavor',
    ];
    const given = kept.flatMap((name) =>
      headers[name] === undefined ? [] : [[name, String(headers[name])]],
    );
    const sent = { method, headers: Object.fromEntries(given), ...(method === 'GET' ? {} : { body }) };
    const answer = await fetch(`${target}${url}`, sent);
    return { status: answer.status, text: await answer.text() };
  };
  const answerWith = ({ response }: Call, status: number, text: string) =>
    void response.writeHead(status, { 'content-type': format.contentType }).end(text);
  const sign = async (call: Call, change: (compact: Uint8Array, digest: Uint8Array) => Uint8Array) => {
    const { status, text } = await pass(call);
    if (status !== 200) return answerWith(call, status, text);
    const digest = format.digestOf(JSON.parse(call.body.toString()) as never);
    const json = JSON.parse(text) as Record<string, unknown>;
    answerWith(call, 200, JSON.stringify(format.withSignature(json, (compact) => change(compact, digest))));
  };

  const faulty = async (call: Call): Promise<void> => {
    switch (fault) {
      case 'throttles':
        return answerWith(call, format.throttled.status, JSON.stringify(format.throttled.body));
      case 'denies':
        return answerWith(call, format.denied.status, JSON.stringify(format.denied.body));
      case 'fails':
        return answerWith(call, 500, '{}');
      case 'closes the connection':
        return void call.request.socket.destroy();
      case 'hangs after having signed':
        await pass(call);
        await new Promise<void>((done) => waiting.push(done));
        return void call.request.socket.destroy();
      default: {
        const { status, text } = await pass(call);
        return answerWith(call, status, text);
      }
    }
  };
  const faultySign = async (call: Call): Promise<void> => {
    switch (fault) {
      case 'throttles twice':
        throttled += 1;
        if (throttled > 2) return sign(call, (compact) => compact);
        return answerWith(call, format.throttled.status, JSON.stringify(format.throttled.body));
      case 'is slow':
        await new Promise((done) => setTimeout(done, SLOW_MS));
        return sign(call, (compact) => compact);
      case 'signs with another key':
        return sign(call, (_compact, digest) => compactOf(digest, OTHER_KEY));
      case 'is replaced while it signs':
        await new Promise((done) => setTimeout(done, SLOW_MS));
        return sign(call, (_compact, digest) => compactOf(digest, OTHER_KEY));
      case 'gives a high s':
        return sign(call, withHighS);
      case 'gives a signature that does not recover':
        return sign(call, () => new Uint8Array(64).fill(0xff));
      case 'lets credentials expire':
      case undefined:
        return sign(call, (compact) => compact);
      default:
        return faulty(call);
    }
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const call = { request, response, body: Buffer.concat(chunks) };
      const kind = format.kindOf(request);
      const credentials = format.credentialsOf(request.headers.authorization ?? '');
      if (kind !== undefined && expired.has(credentials))
        return answerWith(call, format.expired.status, JSON.stringify(format.expired.body));
      seen.add(credentials);
      const work = kind === 'sign' ? faultySign(call) : kind === 'key' ? faulty(call) : passed(call);
      void work.catch(() => request.socket.destroy());
    });
  });
  const passed = async (call: Call) => {
    const { status, text } = await pass(call);
    answerWith(call, status, text);
  };
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setFault(next) {
      [fault, throttled] = [next, 0];
      if (next === 'lets credentials expire') expired = new Set(seen);
      for (const release of waiting.splice(0)) release();
    },
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function compactOf(digest: Uint8Array, privateKey: Uint8Array): Uint8Array {
  const { r, s } = signDigest(digest, privateKey);
  return Buffer.concat([r, s]);
}

function withHighS(compact: Uint8Array): Uint8Array {
  const s = scalarFromBytes(compact.slice(32));
  const high = s > SECP256K1_ORDER / 2n ? s : SECP256K1_ORDER - s;
  return Buffer.concat([compact.slice(0, 32), scalarBytes(high)]);
}
