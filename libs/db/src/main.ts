import { OperatorError } from '@tetrad/types';
import { jobDatabaseUrl } from './job-database-url.js';
import { migrateDeploy } from './migrate-deploy.js';
import { grantRights } from './rights.js';
import { listPrismaFolders, prismaFolder } from './prisma-folder.js';

const USAGE = `Usage: node bundle/db.js migrate deploy SERVICE [--grant-to ROLE]

Applies the migrations that the database lacks, as the owner of the tables. With --grant-to, a role that owns none of them gets
the rights that the service needs: connecting, and reading and writing rows. The URL of the database is read where the service reads it,
from TETRAD_<SERVICE>_DATABASE_URL and TETRAD_<SERVICE>_DATABASE_PASSWORD_FILE, and otherwise from TETRAD_DATABASE_URL.
`;

/** Services whose queue library creates a schema of its own when the service starts first. */
const OWN_SCHEMAS = ['rollup-operator'];

async function run([command, action, service, flag, role, ...rest]: readonly string[]): Promise<string> {
  const isGrant = flag === '--grant-to' && role !== undefined;
  if (command !== 'migrate' || action !== 'deploy' || service === undefined)
    throw new OperatorError(`unknown command\n\n${USAGE}`);
  if (rest.length > 0 || (flag !== undefined && !isGrant))
    throw new OperatorError(`unknown command\n\n${USAGE}`);
  const services = await listPrismaFolders();
  if (!services.includes(service))
    throw new OperatorError(`no schema for ${service}; there are ${services.join(', ')}`);
  const url = jobDatabaseUrl(service, process.env);
  const applied = await migrateDeploy(url, prismaFolder(service));
  const outcome = applied.length === 0 ? 'schema is up to date' : `applied: ${applied.join(', ')}`;
  if (!isGrant) return outcome;
  await grantRights(url, role, { createSchemas: OWN_SCHEMAS.includes(service) });
  return `${outcome}\ngranted to ${role}`;
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
