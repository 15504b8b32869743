import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTokenKey, issueToken, tokenPublicKey } from '@tetrad/service';
import { until } from '@tetrad/testkit';
import { createAuthenticator } from '../../../../../libs/service/src/authentication.js';
import {
  startManager,
  type RunningManager,
} from '../../../../../libs/transaction-manager/test/running-managers.js';
import { reasonOf, startNode } from '../../running-node.js';

/** LOG0 of nothing, then STOP as the code. */
const LOGS = '0x60006000a060016000f3';
const PATIENCE = ['--private-state-wait', '60s', '--ptm-timeout', '60s', '--ptm-connect-timeout', '60s'];
const CERTIFICATES = join(import.meta.dirname, '../../../../../libs/service/test/vectors');

const file = (name: string) => join(CERTIFICATES, name);
const text = (name: string) => readFileSync(file(name), 'utf8');
const shown = (name: string) => [
  '--ptm-tls-ca-file',
  file('ca.crt'),
  '--ptm-tls-cert-file',
  file(`${name}.crt`),
  '--ptm-tls-key-file',
  file(`${name}.key`),
];

let folder: string;
let manager: RunningManager;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-node-tm-'));
  const server = { cert: text('server.crt'), key: text('server.key'), ca: text('ca.crt') };
  manager = await startManager(['a1'], {
    clientTls: { ...server, requestCert: true, rejectUnauthorized: true },
    clientSocket: join(folder, 'tm.ipc'),
  });
});
afterAll(async () => {
  await manager?.end();
  await rm(folder, { recursive: true, force: true });
});

/** The client port of the manager for those who show a token; opened as the service opens it. */
async function startGate(publicKey: string): Promise<{ url: string; close(): Promise<void> }> {
  const authJwtKeyFile = join(folder, 'token-key.pub');
  await writeFile(authJwtKeyFile, publicKey);
  const authenticator = await createAuthenticator({
    authJwtKeyFile,
    authJwtJwksUrl: undefined,
    authJwtPermissionsClaim: 'permissions',
    authJwtIssuer: undefined,
    authJwtAudience: undefined,
  });
  const server = createServer((request, response) => {
    authenticator?.authenticate(request).then(
      () => manager.clientHandler(request, response),
      () => response.writeHead(401).end(),
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((done) => server.close(() => done()).closeAllConnections()),
  };
}

const https = () => manager.clientUrl.slice(0, -1);

describe('a node whose manager is reached', () => {
  it.each<[string, () => string[]]>([
    ['over https with a client certificate', () => ['--ptm-url', https(), ...shown('client')]],
    ['by a socket file', () => ['--ptm-url', `unix:${join(folder, 'tm.ipc')}`]],
    ['by a socket file under GoQuorum’s name of the option', () => ['--ptm.socket', join(folder, 'tm.ipc')]],
  ])('%s sends and executes private transactions', async (_, options) => {
    const node = await startNode([...PATIENCE, ...options()]);
    try {
      const request = { from: node.accounts[0], data: LOGS, gas: '0x30d40', privateFor: [] };
      const hash = await node.result<string>('eth_sendTransaction', [request]);
      const receipt = await node.mined(hash);
      expect(receipt).toMatchObject({ status: '0x1', gasUsed: '0x0', logs: [{ transactionHash: hash }] });
      expect(await node.result('eth_getCode', [receipt.contractAddress])).toBe('0x00');
      const { input } = await node.result<{ input: string }>('eth_getTransactionByHash', [hash]);
      expect(await node.result('eth_getChainPayload', [input])).toBe(LOGS);
    } finally {
      await node.stop();
    }
  });

  it('over https with an untrusted certificate gets nothing', async () => {
    const node = await startNode(['--ptm-url', https(), ...shown('stranger')]);
    try {
      const answer = await node.call('eth_getChainPayload', [`0x${'12'.repeat(64)}`]);
      expect(reasonOf(answer)).toBe('TRANSACTION_MANAGER_UNAVAILABLE');
    } finally {
      await node.stop();
    }
  });

  it('shows it the token of a file, also one that came later', async () => {
    const privateKey = createTokenKey();
    const gate = await startGate(tokenPublicKey(privateKey));
    const tokenFile = join(folder, 'token');
    await writeFile(tokenFile, 'not.a.token');
    const node = await startNode(['--ptm-url', gate.url, '--ptm-token-file', tokenFile]);
    try {
      const payload = () => node.call('eth_getChainPayload', [`0x${'12'.repeat(64)}`]);
      expect(reasonOf(await payload())).toBe('TRANSACTION_MANAGER_UNAVAILABLE');
      const claims = { caller: 'node', permissions: ['*'], lifetimeSeconds: 600 };
      await writeFile(tokenFile, await issueToken(privateKey, claims));
      await until(async () => (await payload()).error === undefined);
    } finally {
      await node.stop();
      await gate.close();
    }
  });
});
