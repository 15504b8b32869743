import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { OperatorError } from '@tetrad/types';
import { listPrismaFolders, prismaFolder } from '@tetrad/db';
import { QUIET, findPrisma } from './run-prisma.js';
import { readSchemaFiles } from './schema-files.js';
import { tablesText } from './tables/tables-text.js';

const STAMP = '.schema-hash';

/** What the names of its table are written as tells one version of their generator from another. */
const SAMPLE = { name: 'Sample', dbName: 'sample', fields: [{ name: 'id', kind: 'scalar' }] };

/**
 * Generates what the generators of every schema make, Prisma's client and the names of tables, where it is missing or made from
 * another text or version.
 *
 * @returns the services whose client was generated now; two seconds for each of them
 * @throws OperatorError with Prisma's message when a schema is not valid
 */
export async function generateClients(): Promise<string[]> {
  const generated: string[] = [];
  for (const service of await listPrismaFolders()) {
    if (await generateClient(prismaFolder(service))) generated.push(service);
  }
  return generated;
}

/**
 * Generates the client of one schema.
 *
 * @param folder - of the schema
 * @returns whether it was generated now; not so when the schema names no generator or the client is up to date
 */
export async function generateClient(folder: string): Promise<boolean> {
  const schema = (await readSchemaFiles(folder)).map(({ content }) => content).join('\n');
  if (!/^generator\b/m.test(schema)) return false;
  const output = outputFolder(folder, schema);
  const { cli, version } = await findPrisma();
  const hash = createHash('sha256')
    .update(`${version}\n${tablesText([SAMPLE])}\n${schema}`)
    .digest('hex');
  if ((await readFile(join(output, STAMP), 'utf8').catch(() => '')) === hash) return false;
  await rm(output, { recursive: true, force: true });
  await runGenerate(cli, folder);
  await writeFile(join(output, STAMP), hash);
  return true;
}

function outputFolder(folder: string, schema: string): string {
  const [, output] = /^[ \t]*output[ \t]*=[ \t]*"([^"]+)"/m.exec(schema) ?? [];
  if (output === undefined) throw new OperatorError(`${folder}: its generator names no output`);
  return resolve(folder, output);
}

/** An existing executable as the engine keeps Prisma from downloading one; generating does not run it (docs/adr/0121). */
async function runGenerate(cli: string, folder: string): Promise<void> {
  try {
    await promisify(execFile)(process.execPath, [cli, 'generate', '--schema', folder], {
      cwd: folder,
      env: {
        ...process.env,
        ...QUIET,
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      },
    });
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    throw new OperatorError(`prisma generate failed for ${folder}: ${stderr?.trim() ?? String(error)}`);
  }
}
