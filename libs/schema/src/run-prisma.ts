import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { jobDatabaseUrl, listPrismaFolders, prismaFolder } from '@tetrad/db';
import { OperatorError } from '@tetrad/types';

/** Commands of Prisma's command line that a service is named for. */
const COMMANDS = {
  validate: ['validate'],
  format: ['format'],
  status: ['migrate', 'status'],
  studio: ['studio'],
} as const;

/** A command of this library that is one of Prisma's. */
export type PrismaCommand = keyof typeof COMMANDS;

/** Those that ask a database, and so mean one service. */
const ASK_DATABASE: readonly PrismaCommand[] = ['status', 'studio'];

export function isPrismaCommand(word: string): word is PrismaCommand {
  return Object.hasOwn(COMMANDS, word);
}

/**
 * Runs a command of Prisma for one service, or for all of them. Its output goes where ours goes.
 *
 * @param words - the name of the service, and options of Prisma's; all services when none is named
 * @returns the exit code of the first one that failed; 0 when none did
 * @throws OperatorError when there is no such service, none is named for a command that needs one, or it has no database
 */
export async function runPrisma(command: PrismaCommand, words: readonly string[]): Promise<number> {
  const known = await listPrismaFolders();
  const [first = ''] = words;
  const isNamed = first !== '' && !first.startsWith('-');
  if (isNamed && !known.includes(first))
    throw new OperatorError(`no schema for ${first}; there are ${known.join(', ')}`);
  if (!isNamed && ASK_DATABASE.includes(command))
    throw new OperatorError(`${command}: name one of the services ${known.join(', ')}`);
  const options = isNamed ? words.slice(1) : words;
  for (const service of isNamed ? [first] : known) {
    const code = await runFor(service, [...COMMANDS[command], ...options], databaseOf(service, command));
    if (code !== 0) return code;
  }
  return 0;
}

/** The URL by the service's own variables, unless DATABASE_URL names another; none where no database is asked. */
function databaseOf(service: string, command: PrismaCommand): string | undefined {
  if (!ASK_DATABASE.includes(command)) return undefined;
  return process.env['DATABASE_URL'] ?? jobDatabaseUrl(service, process.env);
}

async function runFor(service: string, words: readonly string[], url: string | undefined): Promise<number> {
  const { cli } = await findPrisma();
  const child = spawn(process.execPath, [cli, ...words], {
    // The folder of prisma.config.ts.
    cwd: join(prismaFolder(service), '../..'),
    env: { ...process.env, ...QUIET, TETRAD_SERVICE: service, ...(url && { DATABASE_URL: url }) },
    stdio: 'inherit',
  });
  return new Promise((done, fail) => {
    child.once('error', fail).once('exit', (code) => done(code ?? 1));
  });
}

/** Keeps Prisma from asking for newer versions of itself. */
export const QUIET = { PRISMA_HIDE_UPDATE_MESSAGE: 'true', CHECKPOINT_DISABLE: '1' };

/** Prisma's command line: the file that Node.js runs, and its version. */
export async function findPrisma(): Promise<{ readonly cli: string; readonly version: string }> {
  const manifest = createRequire(import.meta.url).resolve('prisma/package.json');
  const { version, bin } = JSON.parse(await readFile(manifest, 'utf8')) as {
    version: string;
    bin: { prisma: string };
  };
  return { cli: join(dirname(manifest), bin.prisma), version };
}
