import { randomBytes } from 'node:crypto';
import { startTemporaryPostgres, type EmbeddedPostgres } from '@tetrad/embedded-postgres';
import { createDatabase } from '../src/index.js';

// The testkit imports this library, so its tests start a server themselves.
let server: Promise<EmbeddedPostgres> | undefined;

/** URL of a new, empty database. */
export async function newDatabase(): Promise<string> {
  server ??= startTemporaryPostgres();
  return createDatabase((await server).url('postgres'), `test_${randomBytes(8).toString('hex')}`);
}

/** For `afterAll`. */
export async function stopServer(): Promise<void> {
  await (await server)?.stop();
}
