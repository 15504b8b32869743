import type { DiagnoseMigrationHistoryOutput } from '@prisma/schema-engine-wasm';
import { askEngine } from './ask-engine.js';
import { NO_FILTERS, migrationList } from './engine-request.js';
import { readSchemaFiles } from './schema-files.js';

/**
 * The status of a database against the committed migrations, from Prisma's engine: as `prisma migrate status` reports it.
 * @returns names of edited and failed migrations, and which are not applied or not known (`history`, null when in step)
 */
export async function migrateStatus(
  url: string,
  prismaFolder: string,
): Promise<DiagnoseMigrationHistoryOutput> {
  return (await askEngine({
    url,
    files: await readSchemaFiles(prismaFolder),
    command: 'diagnose',
    params: {
      migrationsList: await migrationList(prismaFolder),
      optInToShadowDatabase: false,
      filters: NO_FILTERS,
    },
  })) as DiagnoseMigrationHistoryOutput;
}
