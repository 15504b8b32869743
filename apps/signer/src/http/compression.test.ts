import { describe, expect, it } from '@jest/globals';
import { acceptsGzip } from './compression.js';

describe('a caller takes gzip', () => {
  it.each([
    ['gzip', true],
    ['deflate, gzip;q=0.5', true],
    ['GZIP', true],
    ['x-gzip', true],
    ['*', true],
    ['br;q=1.0, *;q=0.1', true],
    ['gzip ; q = 0.001', true],
    [undefined, false],
    ['', false],
    ['identity', false],
    ['br, deflate', false],
    ['gzip;q=0', false],
    ['gzip;q=0, *', false],
    ['*;q=0.000', false],
    ['gzip;q=much', false],
    ['gzippo', false],
  ])('by %j: %p', (accepted, takes) => {
    expect(acceptsGzip(accepted)).toBe(takes);
  });
});
