import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, migrateDeploy, prismaFolder } from '@tetrad/db';
import { startTemporaryPostgres, type EmbeddedPostgres } from '@tetrad/embedded-postgres';
import {
  PORTS_PER_NODE,
  callRpc,
  eventually,
  freePorts,
  minedOnce,
  openWallet,
  parseNetworkOptions,
  startNetwork,
  type Network,
} from '@tetrad/devnet';
import { SHORT_BLOCK_PERIODS, findPgBouncer, startPgBouncer, type PgBouncer } from '@tetrad/testkit';
import { signerLoad } from './acknowledged-load.js';

const program = findPgBouncer();

let folder: string;
let server: EmbeddedPostgres;
let pooler: PgBouncer;

beforeAll(async () => {
  if (program === undefined) return;
  folder = await mkdtemp(join(tmpdir(), 'tetrad-pgbouncer-'));
  server = await startTemporaryPostgres();
});
afterAll(async () => {
  if (program === undefined) return;
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const start = async (poolMode: 'session' | 'transaction') => {
  pooler = await startPgBouncer(program ?? '', { serverUrl: server.url('postgres'), poolMode });
};

(program === undefined ? describe.skip : describe)('services behind PgBouncer', () => {
  let network: Network | undefined;
  afterAll(async () => {
    await network?.stop();
  });

  it('run under pool_mode=session; a killed node frees the lock on its database', async () => {
    await start('session');
    const base = await freePorts(2 * PORTS_PER_NODE);
    const words = ['--nodes', '1', '--services', 'node,signer,wallet', ...SHORT_BLOCK_PERIODS];
    const places = ['--data-dir', join(folder, 'network'), '--port-base', String(base)];
    const url = pooler.through(server.url('postgres'));
    network = await startNetwork(parseNetworkOptions([...words, ...places, '--database-url', url]));
    const load = signerLoad(network);
    load.start();
    await eventually('the signer does not send', async () => load.hashes.length > 5);
    await network.nodes[0]?.kill();
    await network.nodes[0]?.start();
    const before = load.hashes.length;
    await eventually('the signer does not go on', async () => load.hashes.length > before + 5);
    await load.stop();
    await minedOnce(network.endpoints.nodes[0]?.rpc ?? '', load.hashes);
    const { wallet } = network.endpoints;
    expect(await callRpc(`${wallet?.rpc}${wallet?.path}`, 'Coin.WalletList', [])).toEqual([]);
    await network.stop();
    network = undefined;
    await pooler.stop();
  });

  it('refuse to start under pool_mode=transaction, with the reason', async () => {
    await start('transaction');
    const name = 'tetrad_wallet_transaction';
    await migrateDeploy(await createDatabase(server.url('postgres'), name), prismaFolder('wallet'));
    const port = await freePorts(2);
    const wallet = await openWallet({
      dataDir: join(folder, 'refused'),
      databaseUrl: pooler.through(server.url(name)),
      port,
      opsPort: port + 1,
    });
    await expect(wallet.start()).rejects.toThrow(
      /wallet ended with code 1: .*pool_mode=transaction or statement.*use pool_mode=session/s,
    );
    await pooler.stop();
  });
});
