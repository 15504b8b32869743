import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { writeApp } from '../new-app/new-app.js';
import { UsageError } from '../usage-error.js';

export const NEW_APP_USAGE = `FOLDER must not exist yet. The application has a private token (Solidity), its test, and the package of the TypeScript
client; its README.md says how it is run against ./tetrad up.`;

/** `new-app FOLDER`: writes an application. */
export async function newApp(args: readonly string[]): Promise<number> {
  const [folder, ...more] = args;
  if (folder === undefined || folder.startsWith('-'))
    throw new UsageError('new-app: FOLDER is required: where the application is written');
  if (more.length > 0) throw new UsageError(`new-app: one folder is written, and ${more[0]} is another`);
  const path = resolve(folder);
  if (existsSync(path))
    throw new UsageError(`new-app: ${folder} exists; an application is written to a new folder`);
  await writeApp(path);
  console.log(`The application is in ${path}. Its README.md says how to run it.`);
  return 0;
}
