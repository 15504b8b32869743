import { spawn } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey } from '@tetrad/crypto';
import { freePorts } from '@tetrad/testkit';
import { silentLogger } from '@tetrad/types';
import { importTessera } from '../../transaction-manager/src/import/import-tessera.js';
import { h2Dump, recordedTables, type Table } from '../../transaction-manager/test/import/tessera-dumps.js';
import { recorded, recordedPairs } from '../../transaction-manager/test/recorded.js';
import { startManager } from '../../transaction-manager/test/running-managers.js';
import { lotusFileName } from '../../wallet/key/src/lotus-key-store.js';
import { MAIN } from './tetrad-process.js';

const ROOT = join(import.meta.dirname, '../../..');
const NODE_KEY = Buffer.alloc(32, 7);
const HASH = `0x${'aa'.repeat(32)}`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-moving-'));
  await writeFile(join(folder, 'tetrad'), `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`);
  await chmod(join(folder, 'tetrad'), 0o755);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The shell blocks of a page as one script, with other values for the variables that it sets. */
function scriptOf(page: string, variables: Readonly<Record<string, string>> = {}): string {
  const text = readFileSync(join(ROOT, 'docs/moving-in', page), 'utf8');
  const blocks = [...text.matchAll(/^( *)```sh\n([^`]*)```$/gm)].map(([, indent = '', block = '']) =>
    block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
  expect(blocks.length).toBeGreaterThan(0);
  return Object.entries(variables).reduce((script, [name, value]) => {
    const changed = script.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}='${value}'`);
    expect(changed).not.toBe(script);
    return changed;
  }, blocks.join('\necho ---\n'));
}

/** Runs a script in a shell that ends at the first command that fails. */
function run(
  script: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn('sh', ['-eu', '-c', script], {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) => done({ code, stdout, stderr }));
  });
}

/** The settings of a Tessera of a1 and a2 that has one peer. */
function tesseraConfig(peerPort: number, peer: string): object {
  const keys = [recorded.keys['a1']!, recorded.keys['a2']!];
  return {
    jdbc: { url: 'jdbc:h2:./db' },
    serverConfigs: [
      { app: 'P2P', serverAddress: `http://localhost:${peerPort}` },
      { app: 'Q2T', serverAddress: 'unix:tm.ipc' },
    ],
    peer: [{ url: peer }],
    keys: { keyData: keys.map((key) => ({ privateKey: key.private, publicKey: key.public })) },
  };
}

function withoutFirstPayload(tables: readonly Table[]): Table[] {
  return tables.map((table) =>
    table.name === 'encrypted_transaction' ? { ...table, rows: table.rows.slice(1) } : table,
  );
}

/** Old nodes that are at one block. */
async function oldNode(): Promise<Server> {
  const results: Readonly<Record<string, unknown>> = {
    eth_chainId: '0xa',
    net_peerCount: '0x1',
    eth_syncing: false,
    eth_getBlockByNumber: { number: '0x17', hash: HASH },
    txpool_status: { pending: '0x0', queued: '0x0' },
  };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { method } = JSON.parse(body) as { method: string };
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: results[method] }));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}

describe('the pages about moving in', () => {
  it('adopt a GoQuorum node', async () => {
    await mkdir(join(folder, 'qdata/geth'), { recursive: true });
    await writeFile(join(folder, 'qdata/geth/nodekey'), NODE_KEY.toString('hex'));
    await copyFile(
      join(ROOT, 'libs/node/chain/consensus-bft-chain/vectors/qbft.genesis.json'),
      join(folder, 'genesis.json'),
    );
    const { code, stdout, stderr } = await run(scriptOf('overview.md'));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const address = addressFromPrivateKey(NODE_KEY);
    expect(stdout).toMatch(/^PRIVATE_CONFIG +taken +ptm-url = "\/qdata\/tm.ipc"$/m);
    expect(stdout).toMatch(new RegExp(`^address +${address}$`, 'm'));
    expect(stdout).toMatch(/^genesis +0x[0-9a-f]{64}$/m);
  });

  it('convert the settings of a Tessera, and import its payloads', async () => {
    const tables = recordedTables();
    const [old, peer] = [await startManager(['a1', 'a2']), await startManager(['b1'])];
    try {
      await writeFile(join(folder, 'all.sql'), h2Dump(tables));
      await importTessera({
        source: { dump: join(folder, 'all.sql') },
        database: old.database,
        dryRun: false,
        keys: recordedPairs('a1', 'a2'),
        logger: silentLogger,
      });
      const ports = await freePorts(2);
      await writeFile(
        join(folder, 'tessera-config.json'),
        JSON.stringify(tesseraConfig(ports, peer.peerUrl)),
      );
      // The dump lacks a payload that the running manager has.
      await writeFile(join(folder, 'tessera.sql'), h2Dump(withoutFirstPayload(tables)));
      await writeFile(join(folder, 'hashes'), `${recorded.senderRecords[0]!.hash}\n`);
      const { code, stdout } = await run(scriptOf('tessera.md', { TESSERA: old.peerUrl }), {
        TETRAD_TRANSACTION_MANAGER_OPS_LISTEN_PORT: String(ports + 1),
      });
      expect({ code, stdout }).toMatchObject({ code: 0 });
      const inDump = recorded.senderRecords.length - 1;
      expect(stdout).toContain(`{"verified":${inDump + recorded.storeraw.length + 1}}`);
      expect(stdout).toContain(`{"payloads":{"stored":${inDump},"known":0}`);
      expect(stdout).toContain('{"payloads":{"stored":1,"known":0}');
      expect(stdout).toContain(`${peer.peerUrl} sent all it has for us`);
      const settings = await readFile(join(folder, 'manager/manager.toml'), 'utf8');
      expect(settings).toContain(`peer-listen-port = ${ports}`);
    } finally {
      await Promise.all([old.end(), peer.end()]);
    }
  });

  it('start the signer on the folders of EthSigner and web3signer', async () => {
    const key = Buffer.alloc(32, 5);
    const address = addressFromPrivateKey(key);
    const hex = `0x${key.toString('hex')}`;
    await mkdir(join(folder, 'ethsigner-keys'));
    await mkdir(join(folder, 'web3signer-keys'));
    const toml = `[signing]\ntype = "raw-signer"\npriv-key = "${hex}"\n`;
    await writeFile(join(folder, `ethsigner-keys/${address.slice(2)}.toml`), toml, { mode: 0o600 });
    const yaml = `type: file-raw\nkeyType: SECP256K1\nprivateKey: "${hex}"\n`;
    await writeFile(join(folder, 'web3signer-keys/key.yaml'), yaml, { mode: 0o600 });
    const script = scriptOf('ethsigner.md', { PORT: String(await freePorts(2)) });
    // The process has ended before the next one takes its port.
    const { code, stdout, stderr } = await run(script.replaceAll(/^kill .*$/gm, '$&\nwait'));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`"result":["${address}"]`);
    expect(stdout).toMatch(/\["0x[0-9a-f]{128}"\]/);
  });

  it('import the repository of a Lotus node', async () => {
    await mkdir(join(folder, 'lotus-repo/keystore'), { recursive: true });
    await writeFile(join(folder, 'passphrase'), 'a passphrase for tests\n', { mode: 0o600 });
    const keyInfo = (byte: number) =>
      JSON.stringify({ Type: 'secp256k1', PrivateKey: Buffer.alloc(32, byte).toString('base64') });
    // A file of `lotus wallet export`, whose address is known once it is imported.
    await writeFile(join(folder, 'exported.key'), Buffer.from(keyInfo(1)).toString('hex'));
    const first = await run(
      './tetrad wallet import exported.key --passphrase-file passphrase --data-dir scratch-data',
    );
    const address = first.stdout.trim();
    const file = join(folder, 'lotus-repo/keystore', lotusFileName(`wallet-${address}`));
    await writeFile(file, keyInfo(1), { mode: 0o600 });
    await writeFile(join(folder, 'exported.key'), Buffer.from(keyInfo(2)).toString('hex'));
    const { code, stdout } = await run(scriptOf('wallet.md'));
    expect(code).toBe(0);
    expect(stdout.split('\n')[0]).toBe(address);
  });

  it('ask the old nodes whether they are at one block', async () => {
    const servers = [await oldNode(), await oldNode()];
    try {
      const urls = servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      const script = scriptOf('handover.md', { OLD: urls.join(' ') }).replace('--pause 15000', '--pause 10');
      const { code, stdout } = await run(script);
      expect(code).toBe(0);
      expect(stdout).toContain(`safe: all stand at block 23 ${HASH}; the new network goes on with block 24`);
    } finally {
      for (const server of servers) server.close();
    }
  });
});
