import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findRunningPostgres, startEmbeddedPostgres } from '@tetrad/embedded-postgres';
import { OperatorError, silentLogger } from '@tetrad/types';
import { openServiceDatabase, prismaFolder } from '../src/index.js';

let base: string;
let dataDir: string;
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'tetrad-service-database-'));
  dataDir = join(base, 'data');
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe('the database of a service, for a command that creates nothing', () => {
  const open = (name: string, share = true) =>
    openServiceDatabase({
      name,
      dataDir,
      share,
      existing: true,
      migrate: false,
      poolSize: 1,
      url: undefined,
      prismaFolder: prismaFolder('wallet'),
      logger: silentLogger,
    });
  const nothing = () => `no database in ${dataDir}; name the folder of the service with --data-dir`;

  it('is not found in an empty folder, nor in that of another service, running or not', async () => {
    await expect(open('tetrad_wallet')).rejects.toThrow(nothing());
    expect(existsSync(dataDir)).toBe(false);
    const server = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres') });
    await expect(open('tetrad_wallet')).rejects.toThrow(nothing());
    await expect(open('tetrad_wallet', false)).rejects.toThrow(`${join(dataDir, 'postgres')} is in use by`);
    await expect(open('tetrad_wallet', false)).rejects.toBeInstanceOf(OperatorError);
    await server.stop();
    await expect(open('tetrad_wallet')).rejects.toThrow(nothing());
    expect(await findRunningPostgres(join(dataDir, 'postgres'))).toBeUndefined();
  });
});
