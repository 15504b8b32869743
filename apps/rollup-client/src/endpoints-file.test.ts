import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withEndpoints } from './endpoints-file.js';

let path: string;
beforeAll(() => {
  path = join(mkdtempSync(join(tmpdir(), 'tetrad-endpoints-')), 'endpoints.json');
});
afterAll(() => rmSync(join(path, '..'), { recursive: true }));

const write = (rollup: object | null) =>
  writeFileSync(path, JSON.stringify({ nodes: [{ rpc: 'http://node' }, { rpc: 'http://other' }], rollup }));

describe('the endpoints file of a network', () => {
  it('names chain, contract and operator where no variable does', () => {
    write({ rpc: 'http://operator', contract: '0xc0' });
    const places = {
      TETRAD_ROLLUP_CLIENT_CHAIN_URL: 'http://node',
      TETRAD_ROLLUP_CLIENT_CONTRACT: '0xc0',
      TETRAD_ROLLUP_CLIENT_OPERATOR_URL: 'http://operator',
    };
    expect(withEndpoints(['--to', '1', '--endpoints-file', path], {})).toEqual(places);
    expect(withEndpoints([`--endpoints-file=${path}`], {})).toEqual(places);
    const own = { TETRAD_ROLLUP_CLIENT_ENDPOINTS_FILE: path, TETRAD_ROLLUP_CLIENT_CONTRACT: '0x1' };
    expect(withEndpoints([], own)).toEqual({ ...places, ...own });
    expect(withEndpoints([], { HOME: '/' })).toEqual({ HOME: '/' });
  });

  it('is refused with its name when it is another file, absent, or of a network without a rollup', () => {
    const read = () => withEndpoints(['--endpoints-file', path], {});
    write(null);
    expect(read).toThrow('has no rollup operator');
    for (const text of ['', '{}', '{"nodes": []}']) {
      writeFileSync(path, text);
      expect(read).toThrow(`${path} is not a file that ./tetrad up`);
    }
    rmSync(path);
    expect(read).toThrow(`--endpoints-file: cannot read ${path}`);
  });
});
