import { OperatorError } from '@tetrad/types';
import { createDatabase } from './database.js';
import { generateClients } from './generate-clients.js';
import { migrateDeploy, migrateNew } from './migrations.js';
import { listPrismaFolders, prismaFolder } from './prisma-folder.js';
import { startTemporaryPostgres } from './temporary-postgres.js';

const USAGE = `Usage: node libs/db/dist/main.js COMMAND

  generate                      makes the Prisma clients that are missing or stale
  migrate deploy SERVICE        applies the migrations that the database lacks;
                                the URL of the database is read from TETRAD_DATABASE_URL
  migrate new SERVICE NAME      writes the migration from the committed ones to the schema
`;

async function run(words: readonly string[]): Promise<string> {
  const [command, action, service, name] = words;
  if (command === 'generate' && words.length === 1) {
    const services = await generateClients();
    return services.length === 0 ? 'clients are up to date' : `generated: ${services.join(', ')}`;
  }
  if (command === 'migrate' && service !== undefined) {
    if (!(await listPrismaFolders()).includes(service)) {
      throw new OperatorError(
        `no schema for ${service}; there are ${(await listPrismaFolders()).join(', ')}`,
      );
    }
    if (action === 'deploy' && words.length === 3) return deploy(service);
    if (action === 'new' && name !== undefined && words.length === 4) return author(service, name);
  }
  throw new OperatorError(`unknown command\n\n${USAGE}`);
}

async function deploy(service: string): Promise<string> {
  const url = process.env['TETRAD_DATABASE_URL'];
  if (url === undefined) throw new OperatorError('TETRAD_DATABASE_URL is not set');
  const applied = await migrateDeploy(url, prismaFolder(service));
  return applied.length === 0 ? 'schema is up to date' : `applied: ${applied.join(', ')}`;
}

async function author(service: string, name: string): Promise<string> {
  if (!/^[a-z][a-z0-9_]*$/.test(name))
    throw new OperatorError(`${name}: use lower-case letters, digits and _`);
  const server = await startTemporaryPostgres();
  try {
    const url = await createDatabase(server.url('postgres'), 'replay');
    return (await migrateNew(url, prismaFolder(service), name)) ?? 'the schema has not changed';
  } finally {
    await server.stop();
  }
}

if (process.argv.length < 3 || process.argv.includes('--help')) {
  process.stdout.write(USAGE);
} else {
  try {
    process.stdout.write(`${await run(process.argv.slice(2))}\n`);
  } catch (error) {
    process.stderr.write(`tetrad db: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
