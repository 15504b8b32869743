// Holds an embedded PostgreSQL until it is killed; run as a process by embedded-postgres.pg.test.ts.
import { startEmbeddedPostgres } from '@tetrad/embedded-postgres';

const server = await startEmbeddedPostgres({ dataDir: process.argv[2] });
process.stdout.write(`${server.url('postgres')}\n`);
setInterval(() => undefined, 60_000);
