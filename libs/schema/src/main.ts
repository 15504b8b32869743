import { OperatorError } from '@tetrad/types';
import { createDatabase, listPrismaFolders, prismaFolder } from '@tetrad/db';
import { startTemporaryPostgres } from '@tetrad/embedded-postgres';
import { generateClients } from './generate-clients.js';
import { migrateNew } from './migrate-new.js';
import { isPrismaCommand, runPrisma } from './run-prisma.js';

const USAGE = `Usage: node libs/schema/dist/main.js COMMAND

  generate                      makes the Prisma clients that are missing or stale
  validate [SERVICE]            checks the schema of a service, or all of them
  format [SERVICE] [--check]    writes the schema of a service, or all of them, in Prisma's format
  status SERVICE                says which committed migrations its database lacks
  studio SERVICE                shows the rows of its database in a browser
  migrate new SERVICE NAME      writes the migration from the committed ones to the schema

validate, format, status and studio are Prisma's and take its options. The database is that of DATABASE_URL or, without it, of
TETRAD_<SERVICE>_DATABASE_URL and TETRAD_<SERVICE>_DATABASE_PASSWORD_FILE.
`;

async function run(words: readonly string[]): Promise<string> {
  const [command = '', action, service, name] = words;
  if (isPrismaCommand(command)) {
    process.exitCode = await runPrisma(command, words.slice(1));
    return '';
  }
  if (command === 'generate' && words.length === 1) {
    const services = await generateClients();
    return services.length === 0 ? 'clients are up to date' : `generated: ${services.join(', ')}`;
  }
  if (command === 'migrate' && action === 'new' && service !== undefined && name !== undefined)
    return author(service, name);
  throw new OperatorError(`unknown command\n\n${USAGE}`);
}

async function author(service: string, name: string): Promise<string> {
  const services = await listPrismaFolders();
  if (!services.includes(service))
    throw new OperatorError(`no schema for ${service}; there are ${services.join(', ')}`);
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
    const outcome = await run(process.argv.slice(2));
    process.stdout.write(outcome === '' ? '' : `${outcome}\n`);
  } catch (error) {
    process.stderr.write(`tetrad schema: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
