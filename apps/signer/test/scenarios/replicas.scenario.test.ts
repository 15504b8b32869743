import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  freePorts,
  openSigner,
  parseNetworkOptions,
  startNetwork,
  type Network,
  type ServiceProcess,
} from '@tetrad/devnet';
import { connectDatabase, withDatabaseName } from '@tetrad/db';
import { runLoad } from '@tetrad/testkit';

const SENDS = 1_000;
const CONNECTIONS = 32;
const MAIN = join(import.meta.dirname, '../../bundle/main.js');

let folder: string;
let network: Network;
let account: string;
const urls: string[] = [];
const replicas: ServiceProcess[] = [];

// Processes run what is compiled.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-replicas-'));
  const base = await freePorts(9);
  const shape = ['--nodes', '1', '--services', 'node,signer', '--block-period', '500'];
  network = await startNetwork(
    parseNetworkOptions(['--data-dir', folder, '--port-base', String(base), ...shape]),
  );
  const { signer, chainId, database } = network.endpoints;
  if (signer === null) throw new Error('the network has no signer');
  account = signer.address;
  urls.push(signer.rpc);
  const files = JSON.parse(await readFile(join(folder, 'network.json'), 'utf8')) as Record<string, string>;
  for (const port of [base + 5, base + 7]) {
    const databaseUrl = withDatabaseName(database.url, 'tetrad_signer');
    const launch = { dataDir: folder, chainId, databaseUrl, downstreamPort: base };
    const { signerKeyFile = '', passwordFile = '' } = files;
    const keyFlags = ['--key-file', signerKeyFile, '--password-file', passwordFile];
    const replica = await openSigner({ ...launch, keyFlags, port, opsPort: port + 1 });
    await replica.start();
    replicas.push(replica);
    urls.push(`http://127.0.0.1:${port}`);
  }
});
afterAll(async () => {
  for (const replica of replicas) await replica.stop();
  await network.stop();
  await rm(folder, { recursive: true, force: true });
});

const node = () => (network.endpoints.nodes[0] as { rpc: string }).rpc;

async function call(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const [outcome] = await runLoad([params], { url, connections: 1, method });
  if (outcome?.result === undefined) throw new Error(`${method}: ${JSON.stringify(outcome)}`);
  return outcome.result;
}

const count = async () => Number(await call(node(), 'eth_getTransactionCount', [account, 'pending']));

async function sendMany(through: readonly string[]): Promise<number[]> {
  const transfer = { from: account, to: account, gas: '0x5208', gasPrice: '0x0' };
  const outcomes = await Promise.all(
    through.map((url) =>
      runLoad(
        Array.from({ length: Math.floor(SENDS / through.length) }, () => [transfer]),
        { url, connections: Math.floor(CONNECTIONS / through.length), method: 'eth_sendTransaction' },
      ),
    ),
  );
  const hashes = outcomes.flat().map(({ result, error, lost }) => {
    if (typeof result !== 'string') throw new Error(`a send failed: ${JSON.stringify(error ?? lost)}`);
    return [result];
  });
  const found = await runLoad(hashes, { url: node(), connections: 8, method: 'eth_getTransactionByHash' });
  return found.map(({ result }) => Number((result as { nonce: string }).nonce)).sort((a, b) => a - b);
}

describe('a thousand concurrent sends from one account', () => {
  it.each([
    ['one signer', 1],
    ['three signers on one database', 3],
  ])(
    'through %s take consecutive nonces, none lost and none twice',
    async (_what, replicaCount) => {
      const before = await count();
      const nonces = await sendMany(urls.slice(0, replicaCount));
      expect(nonces).toEqual(Array.from({ length: nonces.length }, (_, index) => before + index));
      expect(await count()).toBe(before + nonces.length);
    },
    240_000,
  );
});

describe('the audit log', () => {
  const verify = (...flags: string[]) =>
    promisify(execFile)(process.execPath, [MAIN, 'audit', 'verify', ...flags], {
      env: {
        PATH: process.env['PATH'],
        TETRAD_SIGNER_DATABASE_URL: withDatabaseName(network.endpoints.database.url, 'tetrad_signer'),
        // An option of the running service, which the command ignores.
        TETRAD_SIGNER_CHAIN_ID: '1337',
      },
    });

  it('of all of them is one chain, until an entry is changed', async () => {
    const { stdout } = await verify();
    const [, entries, head] = /intact: (\d+) entries, head (\S+)/.exec(stdout) ?? [];
    expect(Number(entries)).toBeGreaterThanOrEqual(2 * Math.floor(SENDS / 3) * 3 - 1);
    expect((await verify('--expected-head', head ?? '')).stdout).toContain('is intact');
    const url = withDatabaseName(network.endpoints.database.url, 'tetrad_signer');
    const database = await connectDatabase({ url });
    await database.transaction(async (client) => {
      await client.query('SET LOCAL session_replication_role = replica');
      await client.query("UPDATE audit_entry SET caller = 'someone else' WHERE sequence = 7");
    });
    await database.close();
    await expect(verify()).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the audit log is not intact: entry 7 is changed'),
    });
  });
});
