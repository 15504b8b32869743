import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { UsageError } from '../usage-error.js';
import { HTTP_API } from './network-node.js';
import { readNodeOptions, withNodeOptions } from './node-options.js';

describe('the options of the nodes of a network', () => {
  const own = { '--http-api': 'eth,net', '--data-dir': '/there' };
  const line = (text: string) => withNodeOptions(own, readNodeOptions(text));

  it('follow its own ones, and replace what it would have set', () => {
    expect(line('')).toEqual(['--http-api', 'eth,net', '--data-dir', '/there']);
    expect(line(' --rpc-alias istanbul=ibft\n--http-api=eth --http-api debug --insecure')).toEqual([
      '--data-dir',
      '/there',
      '--rpc-alias',
      'istanbul=ibft',
      '--http-api',
      'eth',
      '--http-api',
      'debug',
      '--insecure',
    ]);
  });

  it.each([
    ['eth', 'eth: unexpected argument'],
    ['--http-api eth net', 'net: unexpected argument'],
    ['--insecure=true more', 'more: unexpected argument'],
    ['--Http 5', '--Http is not an option'],
    ['--data-dir here', '--data-dir is set by the network itself'],
    ['--http-listen-port=1', '--http-listen-port is set by the network itself'],
  ])('are refused by name: %s', (text, message) => {
    expect(() => readNodeOptions(text)).toThrow(new UsageError(`--node-options: ${message}`));
  });
});

it('the nodes of a network expose every method that docs/reference/methods.md calls served', () => {
  const page = readFileSync(new URL('../../../../docs/reference/methods.md', import.meta.url), 'utf8');
  const groups = [...page.matchAll(/^\| \[`(\w+)_\w+`\]\([^)]*\) +\| node +\| served +\|/gm)].map(
    ([, group]) => group,
  );
  expect(groups.length).toBeGreaterThan(50);
  expect(HTTP_API.split(',')).toEqual(expect.arrayContaining([...new Set(groups)]));
});
