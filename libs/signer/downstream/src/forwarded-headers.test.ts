import { describe, expect, it } from '@jest/globals';
import { headersForCaller, headersForClient, headersForOwnBody } from './forwarded-headers.js';

describe('the headers of a caller', () => {
  it('reach the client with the host as x-forwarded-host, without the origin and the connection’s own', () => {
    const headers = {
      host: 'localhost',
      'x-forwarded-host': 'nowhere',
      origin: 'https://sample.com',
      connection: 'keep-alive, X-Private',
      'x-private': '1',
      'content-length': '17',
      'transfer-encoding': 'chunked',
      expect: '100-continue',
      authorization: 'Bearer abc',
      random: ['firstValue', 'secondValue'],
    };
    expect(headersForClient(headers)).toEqual({
      'x-forwarded-host': 'localhost',
      authorization: 'Bearer abc',
      random: ['firstValue', 'secondValue'],
    });
    expect(headersForClient(headers, ['authorization'])).not.toHaveProperty('authorization');
  });

  it('do not describe a body that the proxy writes itself', () => {
    const headers = { 'content-type': 'text/plain', 'accept-encoding': 'gzip', 'x-trace': 'a' };
    expect(headersForClient(headers)).toEqual(headers);
    expect(headersForOwnBody(headers)).toEqual({ 'content-type': 'application/json', 'x-trace': 'a' });
  });
});

describe('the headers of the client', () => {
  it('reach the caller, repeated ones too, except those that restrict the receivers of the answer', () => {
    expect(
      headersForCaller({
        'content-type': 'text/html',
        'content-encoding': 'gzip',
        'content-length': '3',
        'access-control-allow-origin': '*',
        connection: 'close',
        'set-cookie': ['a=1', 'b=2'],
      }),
    ).toEqual({ 'content-type': 'text/html', 'content-encoding': 'gzip', 'set-cookie': ['a=1', 'b=2'] });
  });
});
