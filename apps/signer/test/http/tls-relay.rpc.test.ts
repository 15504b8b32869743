import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connectDatabase } from '@tetrad/db';
import { until } from '@tetrad/testkit';
import { HAS_OPENSSL, makeCertificate, type Certificate } from '../certificates.js';
import { FakeChain } from '../fake-chain.js';
import { startFakeNode, type FakeNode } from '../fake-node.js';
import { REFERENCE } from '../fake-setup.js';
import { BASE, without } from '../reference-keys.js';
import { startSigner, type RpcAnswer } from '../running-signer.js';

let folder: string;
let certificate: Certificate;
let node: FakeNode;
let chain: FakeChain;
let relay: Relay;
let signer: Awaited<ReturnType<typeof startSigner>>;
/** Raw transactions that the client got, in order. */
let submitted: unknown[];

/** Ends TLS for the fake client, behind a relay that can change what the client says on its way. */
interface Relay {
  readonly port: number;
  changesAnswers: boolean;
  close(): void;
}

async function openRelay(nodePort: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  const link = (near: Socket, far: Socket, change: (bytes: Buffer) => void = () => undefined) => {
    for (const [from, to, toNear] of [
      [near, far, false],
      [far, near, true],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes: Buffer) => {
        if (toNear) change(bytes);
        to.write(bytes);
      });
      from.on('error', () => undefined).on('close', () => to.destroy());
    }
  };
  const tls = await listen(
    createTlsServer({ cert: certificate.cert, key: certificate.key }, (near) =>
      link(near, connect(nodePort, '127.0.0.1')),
    ),
  );
  const change = (bytes: Buffer) => {
    const last = bytes.length - 1;
    if (opened.changesAnswers) bytes.writeUInt8(bytes.readUInt8(last) ^ 1, last);
  };
  const tcp = await listen(createServer((near) => link(near, connect(portOf(tls), '127.0.0.1'), change)));
  const close = () => {
    for (const server of [tcp, tls]) server.close();
    for (const socket of sockets) socket.destroy();
  };
  const opened: Relay = { port: portOf(tcp), changesAnswers: false, close };
  return opened;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

async function listen(server: Server): Promise<Server> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}

const send = async (key?: string) => {
  const request = { jsonrpc: '2.0', id: 1, method: 'eth_sendTransaction', params: [without(BASE, 'nonce')] };
  const headers = key === undefined ? {} : { 'Idempotency-Key': key };
  const { status, text } = await signer.post(JSON.stringify(request), headers);
  return { ...(JSON.parse(text) as RpcAnswer), status };
};

async function states(): Promise<readonly unknown[]> {
  const database = await connectDatabase({ url: signer.databaseUrl, poolSize: 1 });
  const { rows } = await database.pool.query('SELECT nonce, state FROM nonce_entry ORDER BY nonce');
  await database.close();
  return rows;
}

(HAS_OPENSSL ? describe : describe.skip)('an answer over TLS that is changed on its way', () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tetrad-tls-relay-'));
    certificate = makeCertificate(folder, 'client');
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  beforeEach(async () => {
    chain = new FakeChain();
    submitted = [];
    node = await startFakeNode((request, response) => {
      if (request.rpc.method === 'eth_sendRawTransaction') {
        submitted.push(request.rpc.params?.[0]);
        // The request has arrived, and its answer is the next that passes.
        if (submitted.length === 1) relay.changesAnswers = true;
      }
      return chain.behaviour(request, response);
    });
    relay = await openRelay(node.port);
    const knownServers = join(folder, 'known');
    writeFileSync(knownServers, `localhost:${relay.port} ${certificate.fingerprint}\n`);
    const flags = ['--downstream-http-tls-enabled', '--downstream-http-host', 'localhost'];
    flags.push('--downstream-http-request-timeout', '60000');
    flags.push('--downstream-http-tls-known-servers-file', knownServers);
    signer = await startSigner({ downstreamPort: relay.port, ...REFERENCE, flags });
  });
  afterEach(async () => {
    await signer.stop();
    relay.close();
    await node.stop();
  });

  it('leaves the transaction in doubt: the same bytes are sent until the client is heard', async () => {
    expect((await send()).status).toBeGreaterThanOrEqual(500);
    expect(await states()).toEqual([{ nonce: '0', state: 'doubtful' }]);
    relay.changesAnswers = false;
    await until(() => submitted.length > 1);
    expect(new Set(submitted).size).toBe(1);
    await until(async () => JSON.stringify(await states()) === '[{"nonce":"0","state":"accepted"}]');
  });

  it('leaves the key of a request with one transaction', async () => {
    expect((await send('once')).status).toBeGreaterThanOrEqual(500);
    relay.changesAnswers = false;
    let answer = await send('once');
    await until(async () => {
      if (answer.error?.data?.reason !== 'IDEMPOTENCY_KEY_IN_FLIGHT') return true;
      answer = await send('once');
      return false;
    });
    expect(answer).toMatchObject({ status: 200, result: chain.taken.get(0) });
    expect(chain.taken.size).toBe(1);
  });
});
