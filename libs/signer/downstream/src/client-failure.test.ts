import { describe, expect, it } from '@jest/globals';
import { clientFailure } from './client-failure.js';

const withCode = (code: string) => Object.assign(new Error(code), { code });

describe('why the client could not be asked', () => {
  it.each([
    [withCode('ECONNREFUSED'), 'FAILED_TO_CONNECT_TO_DOWNSTREAM_NODE', false],
    [new AggregateError([withCode('ECONNREFUSED')]), 'FAILED_TO_CONNECT_TO_DOWNSTREAM_NODE', false],
    [withCode('ENOTFOUND'), 'FAILED_TO_CONNECT_TO_DOWNSTREAM_NODE', false],
    [withCode('ERR_SSL_WRONG_VERSION_NUMBER'), 'DOWNSTREAM_NODE_NOT_TRUSTED', false],
    [withCode('DEPTH_ZERO_SELF_SIGNED_CERT'), 'DOWNSTREAM_NODE_NOT_TRUSTED', false],
    [new DOMException('', 'TimeoutError'), 'CONNECTION_TO_DOWNSTREAM_NODE_TIMED_OUT', undefined],
  ])('%s is %s, and whether something may have arrived is %p', (error, reason, sent) => {
    const failure = clientFailure(error);
    expect(failure).toMatchObject({ name: 'RequestError', code: reason });
    expect(failure.data?.['sent']).toBe(sent);
  });

  it.each([withCode('ECONNRESET'), withCode('UND_ERR_SOCKET'), new Error('?'), undefined])(
    'is a lost connection for %p: the request may have arrived',
    (error) => {
      expect(clientFailure(error)).toMatchObject({
        code: 'INTERNAL_ERROR',
        data: { reason: 'DOWNSTREAM_CONNECTION_LOST' },
      });
    },
  );
});
