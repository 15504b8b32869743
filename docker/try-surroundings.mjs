// What docker/build-and-try gives the images besides their own content: a PostgreSQL with a database for each service that has one, free
// ports, and the files and variables that a deployment would provide. Serves until it gets SIGTERM.
//
//   node docker/try-surroundings.mjs FOLDER    writes FOLDER/config/…, FOLDER/SERVICE.env, and FOLDER/ready when all is there
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { addressFromPrivateKey } from '@tetrad/crypto';
import { makeGenesis } from '@tetrad/devnet';
import { startTemporaryPostgres } from '@tetrad/embedded-postgres';
import { freePorts } from '@tetrad/testkit';

const KEY = Buffer.alloc(32, 0x42);
const CHAIN_ID = '1337';
/** The generator of Grumpkin: 1 and the y that barretenberg gives it. */
const OPERATOR_KEY = `0x${'1'.padStart(64, '0')}0000000000000002cf135e7506a45d632d270d45f1181294833fc48d823f272c`;

const folder = process.argv[2];
await mkdir(join(folder, 'config'), { recursive: true });

const ports = await freePorts(14);
const nodePort = ports;
const files = {
  'genesis.json': await makeGenesis({
    chainId: Number(CHAIN_ID),
    engine: 'qbft',
    blockPeriodMs: 1_000,
    requestTimeoutSeconds: 3,
    balances: {},
    validators: [addressFromPrivateKey(KEY)],
  }),
  key: KEY.toString('hex'),
  passphrase: 'a passphrase for a try',
  'endpoints.json': JSON.stringify({
    chainId: Number(CHAIN_ID),
    nodes: [{ name: 'node', rpc: `http://127.0.0.1:${nodePort}`, address: '', ptm: null }],
  }),
  'manager.key': JSON.stringify({ type: 'unlocked', data: { bytes: KEY.toString('base64') } }),
};
for (const [name, content] of Object.entries(files)) await writeFile(join(folder, 'config', name), content);

const settings = {
  node: { GENESIS_FILE: '/config/genesis.json', NODE_KEY_FILE: '/config/key', PEER_LISTEN_PORT: ports + 12 },
  'rollup-operator': {
    CHAIN_ID,
    CONTRACT: `0x${'05'.repeat(20)}`,
    CHECK_WORKERS: '1',
    OPERATOR_KEY,
    ROLES: 'api',
    CHAIN_URL: `http://127.0.0.1:${nodePort}`,
  },
  signer: { CHAIN_ID, DOWNSTREAM_HTTP_PORT: nodePort, RAW_SIGNER_KEY_FILE: '/config/key' },
  'transaction-manager': { KEY_FILES: '/config/manager.key', PEER_LISTEN_PORT: ports + 13 },
  wallet: { PASSPHRASE_FILE: '/config/passphrase' },
  console: { ENDPOINTS_FILE: '/config/endpoints.json' },
};
const hasDatabase = (service) => service !== 'console';

const postgres = await startTemporaryPostgres();
const client = new pg.Client({ connectionString: postgres.url('postgres') });
await client.connect();
for (const [index, [service, own]] of Object.entries(settings).entries()) {
  if (hasDatabase(service)) await client.query(`CREATE DATABASE "${service}"`);
  const variables = {
    ...(hasDatabase(service) ? { DATABASE_URL: postgres.url(service) } : {}),
    HTTP_LISTEN_PORT: ports + 2 * index,
    OPS_LISTEN_PORT: ports + 2 * index + 1,
    ...own,
  };
  const prefix = `TETRAD_${service.toUpperCase().replaceAll('-', '_')}_`;
  const lines = Object.entries(variables).map(([name, value]) => `${prefix}${name}=${value}\n`);
  await writeFile(join(folder, `${service}.env`), lines.join(''));
}
await client.end();
await writeFile(join(folder, 'ready'), '');

// Nothing else keeps this process, which PostgreSQL ends with.
const alive = setInterval(() => undefined, 60_000);
process.once('SIGTERM', () => {
  clearInterval(alive);
  void postgres.stop();
});
