import { chmod, mkdtemp, open, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  assertEndpointsWritable,
  readEndpointsFile,
  writeEndpointsFile,
  type Endpoints,
} from './endpoints.js';

const endpoints: Endpoints = {
  chainId: 1337,
  nodes: [],
  signer: null,
  rollup: null,
  wallet: null,
  funded: [],
  database: { url: 'postgres://somewhere/db' },
};

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-endpoints-'));
  path = join(folder, 'endpoints.json');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const modeOf = async (file: string) => (await stat(file)).mode & 0o777;

describe('the endpoints file', () => {
  it('can be read by its owner only, whatever it was before', async () => {
    for (const name of [path, `${path}.tmp`]) {
      await writeFile(name, 'older');
      await chmod(name, 0o666);
    }
    await writeEndpointsFile(path, endpoints);
    expect(await modeOf(path)).toBe(0o600);
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(endpoints);
  });

  it('replaces an older one atomically: a reader of that one reads it to its end', async () => {
    await writeEndpointsFile(path, endpoints);
    const older = await open(path);
    await writeEndpointsFile(path, { ...endpoints, chainId: 7 });
    expect(JSON.parse(await older.readFile('utf8'))).toEqual(endpoints);
    await older.close();
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ chainId: 7 });
    expect(await readdir(folder)).toEqual(['endpoints.json']);
  });

  it('is read by commands, which say what is wrong with another file', async () => {
    await expect(readEndpointsFile(path)).rejects.toThrow(
      `--endpoints-file: ${path} cannot be opened: it does not exist (ENOENT); a running ./tetrad up`,
    );
    await expect(readEndpointsFile(folder)).rejects.toThrow(`${folder} cannot be read: it is a folder`);
    for (const text of ['none', 'null', '{"nodes": []}', '{"database": {"url": ""}}']) {
      await writeFile(path, text);
      await expect(readEndpointsFile(path)).rejects.toThrow(`${path} is not a file that ./tetrad up`);
    }
    await writeEndpointsFile(path, endpoints);
    expect(await readEndpointsFile(path)).toEqual(endpoints);
  });

  it('is refused before a start where it cannot be written', async () => {
    await assertEndpointsWritable(path);
    await assertEndpointsWritable(undefined);
    await expect(assertEndpointsWritable(join(folder, 'nowhere/file'))).rejects.toThrow(
      `--endpoints-file: the folder ${join(folder, 'nowhere')} does not exist`,
    );
    await expect(assertEndpointsWritable(folder)).rejects.toThrow('is a folder, not a file');
  });

  it('does not exist when it cannot be written', async () => {
    await expect(writeEndpointsFile(join(folder, 'nowhere', 'endpoints.json'), endpoints)).rejects.toThrow(
      'ENOENT',
    );
    expect(await readdir(folder)).toEqual([]);
  });
});
