import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase } from '@tetrad/db';
import { openLedgerStore } from '@tetrad/node-store';
import { ImportFolder, recordedFiles } from './import-folder.js';

const { genesisFile, file, blocks } = recordedFiles('qbft');
const other = recordedFiles('istanbul');

/** The first block that is not stored. */
const NEXT = 6;
const at = (...numbers: readonly number[]) => numbers.map((number) => blocks[number] as Uint8Array);

let folder: ImportFolder;
beforeAll(async () => {
  folder = await ImportFolder.create();
  const outcome = await folder.import(genesisFile, [await folder.write('first', ...blocks.slice(0, NEXT))]);
  expect(outcome).toMatchObject({ block: NEXT - 1, imported: NEXT - 1 });
});
afterAll(() => folder?.remove());

/** The message with which the import ends; only the blocks before the fault are stored. */
async function refused(paths: readonly string[], genesis = genesisFile, stored = NEXT - 1): Promise<string> {
  const error = await folder.import(genesis, paths).then(
    (outcome) => new Error(`imported: ${JSON.stringify(outcome)}`),
    (error: unknown) => error as Error,
  );
  expect(await folder.storedBlocks()).toHaveLength(stored + 1);
  return error.message;
}

const HOW = `. The blocks up to ${NEXT - 1} are stored and stay. To go on, run the command again with files that hold block ${NEXT} as the network made it; stored blocks are skipped.`;

describe('an import refuses, by block and field,', () => {
  it.each([
    ['a gap', at(8), 'block 8: number: block 6 is missing, and the file begins after it'],
    ['a gap after stored blocks', at(3, 4, 7), 'block 7: number: block 5 is missing before it'],
    ['a block that comes twice', at(4, 5, 5), 'block 5: number: the block comes twice'],
    ['blocks in another order', at(4, 3), 'block 3: number: the block comes after block 4'],
    [
      'bytes that are not a block',
      [Buffer.from('text')],
      'block 6 cannot be read: FILE: no block begins at byte 0 of the content',
    ],
    [
      'bytes after a block',
      [...at(5), Buffer.from([0x80])],
      /block 6 cannot be read: FILE: no block begins at byte \d+/,
    ],
    [
      'a list that is not a block',
      [Buffer.from([0xc1, 0x80])],
      'block 6: encoding: invalid block encoding (FILE, at byte 0',
    ],
    [
      'a block that is cut off',
      [(blocks[NEXT] as Uint8Array).subarray(0, -1)],
      /block 6 cannot be read: FILE: ends within a block, after \d+ of its bytes/,
    ],
  ])('%s', async (_, parts, text) => {
    const path = await folder.write('bad', ...parts);
    const message = (await refused([path])).replaceAll(path, 'FILE');
    if (typeof text === 'string') expect(message).toContain(text);
    else expect(message).toMatch(text);
    expect(message.endsWith(HOW)).toBe(true);
  });

  it('compressed data that is cut off or damaged', async () => {
    const compressed = gzipSync(Buffer.concat(at(3, 4)));
    const path = await folder.write('cut', compressed.subarray(0, -20));
    expect(await refused([path])).toMatch(
      /^block \d cannot be read: .*cut: is damaged: gzip: unexpected end of file/,
    );
  });

  it('a file of another network, by its first field that differs', async () => {
    expect(await refused([other.file])).toMatch(
      /^block 0: extraData: differs from that of the genesis file: the file is of another network, or the genesis file is/,
    );
    const path = await folder.write('foreign', other.blocks[NEXT] as Uint8Array);
    expect(await refused([path])).toContain(`block ${NEXT}: parentHash: is 0x`);
    const stored = await folder.write('foreign-stored', other.blocks[2] as Uint8Array);
    expect(await refused([stored])).toMatch(
      /^block 2: \w+: differs from that of the stored block, which has the hash 0x/,
    );
  });

  it('a file with two faults at the first of them', async () => {
    const path = await folder.write('two', ...at(5, 8), Buffer.from('text'));
    expect(await refused([path])).toContain('block 8: number: block 6 is missing before it');
  });
});

describe('an import refuses before it reads a block', () => {
  it('a genesis file of another network than the database is of', async () => {
    expect(await refused([file], other.genesisFile)).toMatch(
      /^the database holds the chain with genesis 0x\w+ \(chain id \d+\), the genesis file describes 0x/,
    );
  });

  it('a database that a running node has', async () => {
    const database = await connectDatabase({ url: folder.databaseUrl });
    const store = await openLedgerStore(database);
    try {
      expect(await refused([file])).toBe('the database is in use by another node');
    } finally {
      await store.close();
      await database.close();
    }
  });

  it('files that are missing or empty, and a command line without any', async () => {
    expect(await refused([`${folder.folder}/missing`])).toMatch(/missing: .*ENOENT/);
    expect(await refused([await folder.write('empty')])).toMatch(/empty: is empty$/);
    expect(await refused([])).toBe('FILE: name at least one file that geth export wrote');
  });
});

describe('an import', () => {
  it('continues with files that were split, and that overlap', async () => {
    const first = await folder.write('split-1', ...blocks.slice(3, 12));
    const second = await folder.write('split-2.gz', gzipSync(Buffer.concat(blocks.slice(10, 20))));
    expect(await folder.import(genesisFile, [first, second])).toMatchObject({
      block: 19,
      imported: 14,
      known: 5,
    });
  });

  it('that is stopped keeps what it has executed', async () => {
    const stopping = new AbortController();
    stopping.abort();
    const outcome = await folder.import(genesisFile, [file], [], stopping.signal);
    expect(outcome).toMatchObject({ complete: false, block: 19, imported: 0 });
    expect(await folder.import(genesisFile, [file])).toMatchObject({
      complete: true,
      block: blocks.length - 1,
    });
  });
});
