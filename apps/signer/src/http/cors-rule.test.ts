import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { corsRule } from './cors-rule.js';

describe('origins that may call', () => {
  it.each([
    ['none', 'http://a.example', false],
    ['*', 'moz-extension://802123e4-a916-2d4e-bebf-384b0e2e86dd', true],
    ['all', 'sample.com', true],
    ['sample.com', 'sample.com', true],
    ['sample.com', 'http://sample.com', false],
    ['sample.com', 'sample.com.evil', false],
    ['https://a.example,https://b\\.example', 'https://b.example', true],
    ['https://.*\\.example', 'https://x.y.example', true],
    ['a|b', 'ab', false],
  ])('%s against %s: %p', (text, origin, allowed) => {
    const request = { headers: { origin } } as IncomingMessage;
    expect(corsRule(text).admits(request)).toBe(allowed);
  });

  it.each([
    ['none,a.example', "Value 'none' can't be used with other domains"],
    ['*,a.example', "Values '*' or 'all' can't be used with other domains"],
    ['a.example,', 'Domain cannot be empty string or null string.'],
    ['http://(', 'invalid regex'],
  ])('cannot be %s', (text, problem) => {
    expect(() => corsRule(text)).toThrow(problem);
  });
});
