import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, buildConnector } from 'undici';
import { clientFailure } from './client-failure.js';
import { ReceivedBytes } from './received-bytes.js';
import { FailedExchange, receiveWhole } from './whole-response.js';

/** Longer than any test takes. */
const TIMEOUT_MS = 600_000;

let server: Server;
let origin: string;
/** What the server does with a connection on which it was asked. */
let answer: (asked: Socket) => void;
/** Of the client, to the server. */
let socket: Socket | undefined;
const accepted: Socket[] = [];
beforeEach(async () => {
  server = createServer((asked) => {
    accepted.push(asked);
    asked.on('error', () => undefined).once('data', () => answer(asked));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.close();
  for (const one of accepted.splice(0)) one.destroy();
});

/** Makes one request, and gives the error in which it ends. */
async function failureOf(connect?: buildConnector.connector): Promise<unknown> {
  const plain = buildConnector({ timeout: TIMEOUT_MS });
  const client = new Client(origin, {
    connect:
      connect ??
      ((target, callback) =>
        plain(target, (...[error, opened]) => {
          socket = opened ?? undefined;
          if (error === null) callback(null, opened);
          else callback(error, null);
        })),
  });
  const request = { method: 'POST', path: '/', body: '{}' } as const;
  const limits = { timeoutMs: TIMEOUT_MS, received: new ReceivedBytes() };
  try {
    return await receiveWhole(client, request, limits).catch((error: unknown) => error);
  } finally {
    await client.destroy();
  }
}

function failureFor(error: unknown) {
  if (!(error instanceof FailedExchange)) throw error;
  return clientFailure(error.cause, error.hasBegun);
}

const CODES = ['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'EPROTO', 'EHOSTUNREACH', 'ENETUNREACH'];
const withCode = (code: string) => Object.assign(new Error(code), { code });

describe('an exchange that fails', () => {
  it.each(CODES)('with %s once the request was written may have arrived', async (code) => {
    answer = () => socket?.destroy(withCode(code));
    const error = await failureOf();
    expect(error).toMatchObject({ hasBegun: true, cause: { code } });
    expect(failureFor(error).data).toEqual({});
  });

  it('in the middle of its answer may have arrived', async () => {
    answer = (asked) => {
      asked.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{', () =>
        socket?.destroy(withCode('EPROTO')),
      );
    };
    expect(failureFor(await failureOf()).data).toEqual({});
  });

  it.each(CODES)('with %s before there is a connection has not begun', async (code) => {
    const error = await failureOf((_target, callback) => callback(withCode(code), null));
    expect(error).toMatchObject({ hasBegun: false, cause: { code } });
    expect(failureFor(error).data).toEqual({ sent: false });
  });
});
