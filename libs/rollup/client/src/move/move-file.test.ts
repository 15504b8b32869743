import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FolderInUseError } from '@tetrad/files';
import { parseAddress } from '@tetrad/types';
import { MoveFile, type MoveStart } from './move-file.js';

const addressOf = (digits: string) => parseAddress(`0x${digits.repeat(20)}`);
const start: MoveStart = {
  chainId: 2n ** 80n,
  contract: addressOf('01'),
  successors: [{ address: addressOf('02'), firstDeposit: 7 }],
  tokens: [addressOf('00'), addressOf('03')],
  block: 12,
  height: 3,
};

describe('the file of a move', () => {
  let folder: string;
  let path: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tetrad-move-file-'));
    path = join(folder, 'alice.move');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const withFile = async <Result>(work: (file: MoveFile) => Promise<Result>) => {
    const file = await MoveFile.open(path);
    try {
      return await work(file);
    } finally {
      await file.close();
    }
  };
  const started = () => withFile(async (file) => file.start);

  it('is not there before a move begins, and gives back what was written, to its owner only', async () => {
    expect(await started()).toBeUndefined();
    await withFile((file) => file.write(start));
    expect(await started()).toEqual(start);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await withFile((file) => file.write({ ...start, tokens: undefined }));
    expect(await started()).toEqual({ ...start, tokens: undefined });
  });

  it('is open in one process at a time', async () => {
    await withFile(() => expect(MoveFile.open(path)).rejects.toThrow(FolderInUseError));
  });

  it('takes sixteen successors, and says what to do beyond', async () => {
    const successors = Array.from({ length: 17 }, () => start.successors[0]!);
    const before = await readFile(path, 'utf8');
    await withFile((file) =>
      expect(file.write({ ...start, successors })).rejects.toThrow('16 successors were frozen'),
    );
    expect(await readFile(path, 'utf8')).toBe(before);
  });

  it.each([
    ['no JSON', 'x', 'it: '],
    ['another version', '{"version":2}', 'version'],
    ['a negative block number', JSON.stringify({ version: 1, chainId: '1', block: -1 }), 'contract'],
    ['more than a file of a move has', ' '.repeat(70_000), 'it: '],
  ])('is refused with %s, and stays as it is', async (_, text, field) => {
    await writeFile(path, text);
    await expect(MoveFile.open(path)).rejects.toThrow(`${path}: is not the file of a move: ${field}`);
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it('is gone when the move is over', async () => {
    await rm(path);
    await withFile(async (file) => {
      await file.write(start);
      await file.remove();
      expect(file.start).toBeUndefined();
    });
    expect(await started()).toBeUndefined();
  });
});
