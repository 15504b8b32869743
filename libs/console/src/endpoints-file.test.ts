import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EndpointsFile } from './endpoints-file.js';

const MEBIBYTE = 1_048_576;
const node = { name: 'node1', rpc: 'http://127.0.0.1:22000', address: '0x1', ptm: null };
const network = { chainId: 1337, nodes: [node] };
const address = (digit: string) => `0x${digit.repeat(40)}`;
const numbered = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`0x${String(at).padStart(40, '0')}`, `label ${at}`]),
  );

let folder: string;
let path: string;
let nowMs = 0;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tetrad-endpoints-'));
  path = join(folder, 'endpoints.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = () => new EndpointsFile(path, { now: () => nowMs });
const put = (labels: unknown) => writeFileSync(path, JSON.stringify({ ...network, labels }));
const labelsOf = (labels: unknown) => {
  put(labels);
  return open().current().labels;
};

describe('labels of the endpoints file', () => {
  it('are as many as it takes, each as long as it may be', () => {
    expect(labelsOf(numbered(5_000))).toHaveLength(5_000);
    const longest = '界'.repeat(60);
    expect(labelsOf({ [address('a')]: ` ${longest} ` })).toEqual([{ address: address('a'), label: longest }]);
    expect(labelsOf(null)).toEqual([]);
    expect(labelsOf(undefined)).toEqual([]);
  });

  it.each<[what: string, labels: unknown, message: string]>([
    ['more than there may be', numbered(5_001), 'labels: more than 5000'],
    ['a long one', { [address('a')]: 'x'.repeat(61) }, 'expected string to have <=60 characters'],
    ['an empty one', { [address('a')]: '  ' }, 'expected string to have >=1 characters'],
    ['one of several lines', { [address('a')]: 'a\nb' }, 'must have no control characters'],
    ['one that is no text', { [address('a')]: 5 }, `labels.${address('a')}`],
    ['one of what is no address', { ['0x12']: 'a' }, 'labels.0x12'],
    ['a list', [address('a')], 'labels: Invalid input: expected record'],
    ['the same for two', { [address('a')]: 'Bank', [address('b')]: 'bank' }, 'have the same label'],
    ['two of an address', { [address('a')]: 'one', [address('A')]: 'two' }, 'an address is there twice'],
  ])('are refused: %s', (_what, labels, message) => {
    put(labels);
    expect(open).toThrow(expect.objectContaining({ name: 'OperatorError' }));
    expect(open).toThrow(message);
  });

  it('stay the last good ones while the file is wrong or too large', () => {
    put({ [address('a')]: 'Treasury' });
    const file = open();
    const shown = [{ address: address('a'), label: 'Treasury' }];
    for (const labels of [numbered(5_001), { [address('a')]: 'x'.repeat(MEBIBYTE) }]) {
      put(labels);
      nowMs += 60_000;
      expect(file.current().labels).toEqual(shown);
    }
    put({ [address('b')]: 'Custody' });
    nowMs += 60_000;
    expect(file.current().labels).toEqual([{ address: address('b'), label: 'Custody' }]);
  });
});

describe('an endpoints file', () => {
  it('is one of at most a mebibyte', () => {
    const text = JSON.stringify(network);
    writeFileSync(path, text.padEnd(MEBIBYTE));
    expect(open().current().chainId).toBe(1337);
    writeFileSync(path, text.padEnd(MEBIBYTE + 1));
    expect(open).toThrow(`is not a file of at most ${MEBIBYTE} bytes`);
  });

  it('is there, is a file, and is JSON, of which no error shows the text', () => {
    expect(open).toThrow('does not exist');
    mkdirSync(path);
    expect(open).toThrow('is not a file');
    rmSync(path, { recursive: true });
    writeFileSync(path, '{ "secret": hidden }');
    expect(open).toThrow(`--endpoints-file: ${path} is not JSON`);
    expect(open).not.toThrow('hidden');
  });

  it.each<[what: string, more: object, message: string]>([
    ['two nodes of a name', { nodes: [node, node] }, 'nodes: two have the same name'],
    ['no node', { nodes: [] }, 'nodes'],
    ['a node that is no URL', { nodes: [{ ...node, rpc: 'file:///a' }] }, 'must be an http or https URL'],
    [
      'a path that names another host',
      { wallet: { rpc: 'http://127.0.0.1', path: '//evil/rpc' } },
      'must be a path',
    ],
  ])('is refused with %s', (_what, more, message) => {
    writeFileSync(path, JSON.stringify({ ...network, ...more }));
    expect(open).toThrow(message);
  });
});
