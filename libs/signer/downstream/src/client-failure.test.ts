import { describe, expect, it } from '@jest/globals';
import { clientFailure } from './client-failure.js';

const withCode = (code: string) => Object.assign(new Error(code), { code });
const withName = (name: string) => Object.assign(new Error(name), { name });

const UNREACHABLE = 'FAILED_TO_CONNECT_TO_DOWNSTREAM_NODE';
const NOT_TRUSTED = 'DOWNSTREAM_NODE_NOT_TRUSTED';
const TIMED_OUT = 'CONNECTION_TO_DOWNSTREAM_NODE_TIMED_OUT';

describe('why the client could not be asked', () => {
  it.each([
    [withCode('ECONNREFUSED'), UNREACHABLE],
    [new AggregateError([withCode('ECONNREFUSED')]), UNREACHABLE],
    [withCode('ENOTFOUND'), UNREACHABLE],
    [withCode('EHOSTUNREACH'), UNREACHABLE],
    [withName('ProxyRefusedError'), UNREACHABLE],
    [withCode('ERR_SSL_WRONG_VERSION_NUMBER'), NOT_TRUSTED],
    [withCode('EPROTO'), NOT_TRUSTED],
    [withCode('DEPTH_ZERO_SELF_SIGNED_CERT'), NOT_TRUSTED],
    [withName('UntrustedServerError'), NOT_TRUSTED],
    [withName('ConnectTimeoutError'), TIMED_OUT],
  ])('%s is %s; nothing was sent only when the exchange had not begun', (error, code) => {
    const name = 'RequestError';
    expect(clientFailure(error, false)).toMatchObject({ name, code, data: { sent: false } });
    expect(clientFailure(error, true)).toMatchObject({ name, code });
    for (const failure of [clientFailure(error, true), clientFailure(error)])
      expect(failure.data).toEqual({});
  });

  it.each([true, false])('is a time-out after which something may have arrived, begun: %p', (hasBegun) => {
    const failure = clientFailure(new DOMException('', 'TimeoutError'), hasBegun);
    expect(failure).toMatchObject({ name: 'RequestError', code: TIMED_OUT });
    expect(failure.data).toEqual({});
  });

  it.each([withCode('ECONNRESET'), withCode('UND_ERR_SOCKET'), new Error('?'), undefined])(
    'is a lost connection for %p: the request may have arrived',
    (error) => {
      for (const hasBegun of [true, false])
        expect(clientFailure(error, hasBegun)).toMatchObject({
          code: 'INTERNAL_ERROR',
          data: { reason: 'DOWNSTREAM_CONNECTION_LOST' },
        });
    },
  );
});
