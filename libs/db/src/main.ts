import { OperatorError } from '@tetrad/types';
import { jobDatabaseUrl } from './job-database-url.js';
import { migrateDeploy } from './migrate-deploy.js';
import { listPrismaFolders, prismaFolder } from './prisma-folder.js';

const USAGE = `Usage: node bundle/db.js migrate deploy SERVICE

Applies the migrations that the database lacks. The URL of the database is read where the service reads it,
from TETRAD_<SERVICE>_DATABASE_URL and TETRAD_<SERVICE>_DATABASE_PASSWORD_FILE.
`;

async function run([command, action, service, ...rest]: readonly string[]): Promise<string> {
  if (command !== 'migrate' || action !== 'deploy' || service === undefined || rest.length > 0)
    throw new OperatorError(`unknown command\n\n${USAGE}`);
  const services = await listPrismaFolders();
  if (!services.includes(service))
    throw new OperatorError(`no schema for ${service}; there are ${services.join(', ')}`);
  const applied = await migrateDeploy(jobDatabaseUrl(service, process.env), prismaFolder(service));
  return applied.length === 0 ? 'schema is up to date' : `applied: ${applied.join(', ')}`;
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
