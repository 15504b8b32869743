import { describe, expect, it } from '@jest/globals';
import { isLoopback } from './loopback.js';

describe('loopback', () => {
  it.each([
    '127.0.0.1',
    '127.255.255.254',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
    'localhost',
    'LOCALHOST',
  ])('is %s', (host) => {
    expect(isLoopback(host)).toBe(true);
  });

  it.each([
    '0.0.0.0',
    '128.0.0.1',
    '::',
    '::2',
    '::ffff:10.0.0.1',
    '127.0.0.1.example',
    'localhost.example',
    '',
  ])('is not "%s"', (host) => {
    expect(isLoopback(host)).toBe(false);
  });
});
