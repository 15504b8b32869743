import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { listPrismaFolders, prismaFolder, readMigrations } from '@tetrad/db';
import { contractionsOf } from '../src/expand-only.js';

/** SHA-256 of every committed migration, in the format of `sha256sum`. */
const CHECKSUMS = join(prismaFolder('.'), 'migrations.sha256');

/** Migrations from before the first version, with which no other version shares a database. */
const BEFORE_0_1_0: readonly string[] = ['rollup-operator/20261123064500_opaque'];

const services = await listPrismaFolders();

/** Of all services: path below `prisma` → checksum. */
async function presentChecksums(): Promise<string[]> {
  const lines = services.map(async (service) =>
    (await readMigrations(prismaFolder(service))).map(
      ({ name, checksum }) => `${checksum}  ${service}/migrations/${name}/migration.sql`,
    ),
  );
  return (await Promise.all(lines)).flat();
}

describe('a committed migration', () => {
  it('never changes: databases record its checksum (a new one is added to prisma/migrations.sha256)', async () => {
    const committed = (await readFile(CHECKSUMS, 'utf8')).trimEnd().split('\n');
    expect(await presentChecksums()).toEqual(committed);
  });

  it.each(services)('of the %s leaves what the previous version uses', async (service) => {
    const migrations = await readMigrations(prismaFolder(service));
    const found = migrations.flatMap(({ name, script }, index) => {
      if (BEFORE_0_1_0.includes(`${service}/${name}`)) return [];
      const earlier = migrations.slice(0, index).map((one) => one.script);
      return contractionsOf(script, earlier).map((contraction) => `${name} ${contraction}`);
    });
    expect(found).toEqual([]);
  });
});
