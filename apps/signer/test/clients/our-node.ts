import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressFromPrivateKey } from '@tetrad/crypto';
import { makeGenesis, serviceMain } from '@tetrad/devnet';
import { createTestDatabase, freePort, isServiceReady, startChildService } from '@tetrad/testkit';
import { CLIENT_CHAIN, clientAt, type ClientSetup, type EthereumClient } from './ethereum-client.js';

const NODE_KEY = Buffer.alloc(32, 0x42);

/** Methods that callers may use; those of `ibft` are not among them. */
const HTTP_API = 'eth,net,web3,txpool,rpc';

/** A node of ours that makes blocks by itself, as it is compiled. */
export async function startOurNode({ owner, access }: ClientSetup): Promise<EthereumClient> {
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-signed-for-'));
  const database = await createTestDatabase('node');
  const [port, opsPort] = [await freePort(), await freePort()];
  const genesis = await makeGenesis({
    chainId: CLIENT_CHAIN,
    engine: 'qbft',
    blockPeriodMs: 100,
    requestTimeoutSeconds: 3,
    validators: [addressFromPrivateKey(NODE_KEY)],
    balances: { [owner]: (10n ** 21n).toString() },
  });
  await writeFile(join(folder, 'genesis.json'), genesis);
  await writeFile(join(folder, 'nodekey'), NODE_KEY.toString('hex'));
  const child = await startChildService({
    name: 'node',
    command: process.execPath,
    args: [
      serviceMain('node'),
      '--data-dir',
      folder,
      '--genesis-file',
      join(folder, 'genesis.json'),
      '--node-key-file',
      join(folder, 'nodekey'),
      '--http-api',
      HTTP_API,
      '--log-level',
      'warn',
      '--http-listen-port',
      String(port),
      '--ops-listen-port',
      String(opsPort),
      '--peer-listen-port',
      '0',
      ...(access ? ['--auth-jwt-key-file', access.keyFile] : []),
    ],
    environment: { NODE_OPTIONS: '', TETRAD_NODE_DATABASE_URL: database.url },
    logFile: join(folder, 'node.log'),
    isReady: () => isServiceReady(`http://127.0.0.1:${opsPort}`),
  });
  return {
    ...clientAt(port, access?.token),
    sendingAhead: (work) => work(),
    async stop() {
      await child.stop();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
