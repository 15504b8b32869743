import type { DiagnoseMigrationHistoryOutput } from '@prisma/schema-engine-wasm';
import { askEngine } from './ask-engine.js';
import { NO_FILTERS, migrationList } from './engine-request.js';
import { readSchemaFiles } from './schema-files.js';

/**
 * What Prisma's engine says of a database and the committed migrations: the answer behind `prisma migrate status`.
 *
 * Out: names of edited and failed migrations, and what is not applied or not known (`history`, null when in step)
 */
export async function migrateStatus(
  url: string,
  prismaFolder: string,
): Promise<DiagnoseMigrationHistoryOutput> {
  return (await askEngine({
    ...{ url, files: await readSchemaFiles(prismaFolder), command: 'diagnose' },
    params: {
      migrationsList: await migrationList(prismaFolder),
      ...{ optInToShadowDatabase: false, filters: NO_FILTERS },
    },
  })) as DiagnoseMigrationHistoryOutput;
}
