import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OptionError } from '@tetrad/service';
import { operatorHeaders } from './open-account.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-token-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const operatorUrl = new URL('http://127.0.0.1:6010');
const headersOf = async (text: string) => {
  const operatorTokenFile = join(folder, 'token');
  await writeFile(operatorTokenFile, text);
  return operatorHeaders({ operatorUrl, operatorTokenFile })?.();
};

describe('the headers for an operator', () => {
  it('show the token of the file, where there is one', async () => {
    expect(operatorHeaders({ operatorUrl, operatorTokenFile: undefined })).toBeUndefined();
    expect(await headersOf('aaa.bbb.ccc\n')).toEqual({ authorization: 'Bearer aaa.bbb.ccc' });
  });

  it('are refused of a file with something else, which is not shown', async () => {
    await expect(headersOf('aaa bbb')).rejects.toThrow(OptionError);
    await expect(headersOf('aaa bbb')).rejects.toThrow(
      /^--operator-token-file: \S+ does not hold a token alone$/,
    );
  });
});
