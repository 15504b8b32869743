import { describe, expect, it } from '@jest/globals';
import { silentLogger, silentMetrics, systemClock } from '@tetrad/types';
import { checkSettings, originOf } from './settings.js';

const settings = {
  endpoints: ['http://localhost:2379'],
  requestTimeoutMs: 5_000,
  logger: silentLogger,
  metrics: silentMetrics,
  clock: systemClock,
};

describe('an endpoint', () => {
  it.each([
    ['http://127.0.0.1:2379', 'http://127.0.0.1:2379'],
    ['https://Etcd-1.example:2379/', 'https://etcd-1.example:2379'],
    ['http://[::1]:2379', 'http://[::1]:2379'],
  ])('%s is %s', (endpoint, origin) => expect(originOf(endpoint)).toBe(origin));

  it.each([
    '',
    'localhost:2379',
    'unix:///run/etcd',
    'http://h:1/v3',
    'http://h:1?a=b',
    'http://h:1#a',
    'http://u:secret@h:1',
  ])('is not %s', (endpoint) => {
    expect(() => originOf(endpoint)).toThrow(/^an endpoint of etcd is not http:\/\/HOST:PORT or https:/);
  });
});

describe('settings', () => {
  it.each([
    [{ endpoints: [] }, '1 to 32 endpoints of etcd are needed, not 0'],
    [{ endpoints: ['http://h:1', 'http://H:1/'] }, 'the endpoint http://h:1 of etcd is given twice'],
    [{ requestTimeoutMs: 0 }, 'requestTimeoutMs is not a whole number from 1'],
    [{ requestTimeoutMs: 1.5 }, 'requestTimeoutMs is not a whole number from 1'],
    [{ tls: { key: 'x' } }, 'a client certificate for etcd needs its key, and a key its certificate'],
  ])('%j are refused', (change, problem) => {
    expect(() => checkSettings({ ...settings, ...change })).toThrow(problem);
  });

  it('that are valid are accepted', () => expect(() => checkSettings(settings)).not.toThrow());
});
