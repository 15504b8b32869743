import { OperatorError } from '@tetrad/types';
import { createDatabase, listPrismaFolders, prismaFolder } from '@tetrad/db';
import { startTemporaryPostgres } from '@tetrad/embedded-postgres';
import { generateClients } from './generate-clients.js';
import { migrateNew } from './migrate-new.js';

const USAGE = `Usage: node libs/schema/dist/main.js COMMAND

  generate                      makes the Prisma clients that are missing or stale
  migrate new SERVICE NAME      writes the migration from the committed ones to the schema
`;

async function run(words: readonly string[]): Promise<string> {
  const [command, action, service, name] = words;
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
    process.stdout.write(`${await run(process.argv.slice(2))}\n`);
  } catch (error) {
    process.stderr.write(`tetrad schema: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
