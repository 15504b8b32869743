import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { publicKeyFromPrivateKey } from '@tetrad/crypto';
import { nodeIdFromBytes } from '@tetrad/node-peer';
import { silentLogger, type Clock } from '@tetrad/types';
import { NODE_STATUS } from '../records/entries.js';
import { MAX_LISTED_NODES } from './node-list-file.js';
import { NodeLists } from './node-lists.js';

const idOf = (seed: number) => nodeIdFromBytes(publicKeyFromPrivateKey(Buffer.alloc(32, seed)));
const urlOf = (seed: number, port = 21_000) => `enode://${idOf(seed)}@10.0.0.${seed}:${port}?discport=0`;

let folder: string;
let tasks: (() => void)[];
const opened: NodeLists[] = [];
const clock: Clock = {
  now: () => 0,
  schedule(_, task) {
    tasks.push(task);
    return () => undefined;
  },
};
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-node-lists-'));
  tasks = [];
});
afterEach(async () => {
  for (const lists of opened.splice(0)) await lists.stop();
  await rm(folder, { recursive: true, force: true });
});

async function open(onChange: () => void = () => undefined): Promise<NodeLists> {
  const lists = new NodeLists({ folder, clock, logger: silentLogger, onChange });
  opened.push(lists);
  await lists.start();
  return lists;
}
const path = (name: 'permissioned' | 'disallowed') => join(folder, `${name}-nodes.json`);
const write = (name: 'permissioned' | 'disallowed', urls: unknown) =>
  writeFile(path(name), JSON.stringify(urls));
const read = async (name: 'permissioned' | 'disallowed') => JSON.parse(await readFile(path(name), 'utf8'));

describe('lists of nodes', () => {
  it('may begin with a byte order mark', async () => {
    await writeFile(path('permissioned'), `\uFEFF${JSON.stringify([urlOf(1)])}`);
    const lists = await open();
    expect([1, 2].map((seed) => lists.allows(idOf(seed)))).toEqual([true, false]);
  });

  it('allow nodes that are permitted and not disallowed, regardless of case and ports', async () => {
    await write('permissioned', [urlOf(1).replace(idOf(1), idOf(1).toUpperCase()), urlOf(2), 'no enode']);
    await write('disallowed', [urlOf(2, 5)]);
    const lists = await open();
    expect([1, 2, 3].map((seed) => lists.allows(idOf(seed)))).toEqual([true, false, false]);
  });

  it('allow no node without a file of permitted nodes', async () => {
    const lists = await open();
    expect(lists.allows(idOf(1))).toBe(false);
    await lists.apply([{ url: urlOf(1), status: NODE_STATUS.approved }]);
    await expect(read('permissioned')).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.each([
    ['is not a list', '{}', 'must be a JSON list of enode URLs'],
    ['has an entry that is not a string', '[1]', 'must be a JSON list of enode URLs'],
    ['is not JSON', '[', 'JSON'],
    ['has too many entries', JSON.stringify(Array(MAX_LISTED_NODES + 1).fill('x')), 'more than 10000 nodes'],
    ['is too large', `["${'x'.repeat(4_000_000)}"]`, 'larger than'],
  ])('are refused at the start when one of them %s', async (_, text, message) => {
    await writeFile(path('disallowed'), text);
    await expect(open()).rejects.toThrow(message);
  });

  it('follow changes by an operator; when a list cannot be read, the last one stays in force', async () => {
    await write('permissioned', [urlOf(1)]);
    let changes = 0;
    const lists = await open(() => changes++);
    const look = async () => {
      const waiting = tasks.length;
      tasks[waiting - 1]?.();
      while (tasks.length === waiting) await new Promise((turn) => setImmediate(turn));
    };
    await look();
    expect(changes).toBe(0);
    await write('permissioned', [urlOf(1), urlOf(2)]);
    await look();
    expect(lists.allows(idOf(2))).toBe(true);
    await writeFile(path('permissioned'), '[');
    await look();
    expect([lists.allows(idOf(2)), changes]).toEqual([true, 1]);
    expect(lists.trouble()).toContain('permissioned-nodes.json');
    await write('permissioned', []);
    await look();
    expect([lists.allows(idOf(2)), lists.trouble(), changes]).toEqual([false, undefined, 2]);
  });

  it('follow the status of nodes, keep other entries, and have no duplicates', async () => {
    await write('permissioned', ['no enode', urlOf(1)]);
    const lists = await open();
    const apply = (seed: number, status: number) => lists.apply([{ url: urlOf(seed), status }]);
    const { approved, deactivated, denylisted, recovering, proposed } = NODE_STATUS;
    void apply(2, proposed);
    void apply(2, approved);
    void lists.apply([{ url: urlOf(1, 7), status: approved }]);
    await apply(2, approved);
    expect(await read('permissioned')).toEqual(['no enode', urlOf(1), urlOf(2)]);
    await apply(1, deactivated);
    await apply(2, denylisted);
    await apply(2, denylisted);
    await apply(2, recovering);
    expect(await read('permissioned')).toEqual(['no enode']);
    expect(await read('disallowed')).toEqual([urlOf(2)]);
    await apply(2, approved);
    expect([await read('permissioned'), await read('disallowed')]).toEqual([['no enode', urlOf(2)], []]);
    expect([1, 2].map((seed) => lists.allows(idOf(seed)))).toEqual([false, true]);
  });

  it('take the status of many nodes in one pass, the last one of each node', async () => {
    await write('permissioned', [urlOf(1), urlOf(2)]);
    let changes = 0;
    const lists = await open(() => changes++);
    const { approved, deactivated, denylisted, recovering } = NODE_STATUS;
    await lists.apply([
      { url: urlOf(1), status: denylisted },
      { url: urlOf(3), status: approved },
      { url: urlOf(4), status: approved },
      { url: urlOf(2), status: denylisted },
      { url: urlOf(4), status: deactivated },
      { url: urlOf(2), status: approved },
      { url: urlOf(5), status: recovering },
    ]);
    expect(await read('permissioned')).toEqual([urlOf(2), urlOf(3)]);
    expect(await read('disallowed')).toEqual([urlOf(1)]);
    expect(changes).toBe(1);
  });

  it('remove what must not connect also when there is no room for what may', async () => {
    const others = Array.from({ length: MAX_LISTED_NODES - 1 }, (_, index) => `other ${index}`);
    await write('permissioned', [...others, urlOf(1)]);
    const lists = await open();
    const { approved, deactivated } = NODE_STATUS;
    await lists.apply([
      { url: urlOf(2), status: approved },
      { url: urlOf(3), status: approved },
      { url: urlOf(1), status: deactivated },
    ]);
    expect(await read('permissioned')).toEqual([...others, urlOf(2)]);
    expect([1, 2, 3].map((seed) => lists.allows(idOf(seed)))).toEqual([false, true, false]);
    expect(lists.trouble()).toContain('more than 10000 nodes');
  });

  it.each(['permissioned', 'disallowed'] as const)(
    'keep out what must not connect also when the %s one cannot be read',
    async (damaged) => {
      await write('permissioned', [urlOf(1)]);
      await write('disallowed', []);
      const lists = await open();
      await writeFile(path(damaged), '[');
      await lists.apply([{ url: urlOf(1), status: NODE_STATUS.denylisted }]);
      expect(lists.allows(idOf(1))).toBe(false);
      expect(lists.trouble()).toContain(`${damaged}-nodes.json`);
    },
  );
});
