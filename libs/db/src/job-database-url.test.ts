import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { jobDatabaseUrl } from './job-database-url.js';

const OWN = 'postgresql://manager@db.example/own';
const OTHER = 'postgresql://db.example/node';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-job-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const urlOf = (environment: NodeJS.ProcessEnv) => jobDatabaseUrl('transaction-manager', environment);

describe('the database of a job', () => {
  it("is the service's, by the service's own variable", () => {
    expect(urlOf({ TETRAD_TRANSACTION_MANAGER_DATABASE_URL: OWN, TETRAD_NODE_DATABASE_URL: OTHER })).toBe(
      OWN,
    );
  });

  it('is opened with the password of the file that the service reads', async () => {
    const file = join(folder, 'password');
    await writeFile(file, 'p@ss/word\n');
    expect(
      urlOf({
        TETRAD_TRANSACTION_MANAGER_DATABASE_URL: OWN,
        TETRAD_TRANSACTION_MANAGER_DATABASE_PASSWORD_FILE: file,
      }),
    ).toBe('postgresql://manager:p%40ss%2Fword@db.example/own');
    const missing = { TETRAD_TRANSACTION_MANAGER_DATABASE_PASSWORD_FILE: join(folder, 'none') };
    expect(() => urlOf({ TETRAD_TRANSACTION_MANAGER_DATABASE_URL: OTHER, ...missing })).toThrow(
      /^TETRAD_TRANSACTION_MANAGER_DATABASE_PASSWORD_FILE: cannot read .*none/,
    );
  });

  it('is asked for by name when nothing is set', () => {
    expect(() => urlOf({ TETRAD_DATABASE_URL: OTHER, TETRAD_NODE_DATABASE_URL: OTHER })).toThrow(
      /^TETRAD_TRANSACTION_MANAGER_DATABASE_URL is not set$/,
    );
  });
});
