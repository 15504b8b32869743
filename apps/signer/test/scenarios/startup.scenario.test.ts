import { connect } from 'node:net';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePorts } from '@tetrad/devnet';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { hexFromBytes } from '@tetrad/types';
import { ACCOUNT, PRIVATE_KEY, writeKeyFlags } from '../running-signer.js';
import { runSigner, type SignerProcess } from '../signer-process.js';

let folder: string;
let database: TestDatabase;
let keyFlags: string[];
let ports: number;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-startup-'));
  database = await createTestDatabase('signer');
  keyFlags = await writeKeyFlags(folder);
  ports = await freePorts(5);
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const CHAIN = ['--chain-id', '9', '--downstream-http-port', '9'];
const opsPort = () => ['--ops-listen-port', String(ports + 4)];
const file = async (name: string, content: string) => {
  await writeFile(join(folder, name), content);
  return join(folder, name);
};

function isListening(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => done(false));
  });
}

/** The addresses that the signer at the port lists, once it does. */
async function accountsAt(port: number, signer: SignerProcess): Promise<unknown> {
  let isOver = false;
  void signer.ended.then(() => (isOver = true));
  while (!(await isListening(port))) {
    if (isOver) throw new Error(signer.output().stderr);
    await new Promise((tick) => setTimeout(tick, 50));
  }
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_accounts","params":[]}';
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body });
  return ((await response.json()) as { result: unknown }).result;
}

describe('the port', () => {
  // SP-28: 8001 in the file, 8002 in the environment, 8003 on the command line; here as base, base + 1, base + 2.
  it.each([
    ['the command line', 2, true, true],
    ['the environment without it', 1, true, false],
    ['the file without both', 0, false, false],
  ])('is that of %s', async (_where, offset, hasVariable, hasFlag) => {
    const toml = await file('port.toml', `http-listen-port = ${ports}\n`);
    const words = [...CHAIN, ...keyFlags, ...opsPort(), '--config-file', toml];
    const flag = hasFlag ? ['--http-listen-port', String(ports + 2)] : [];
    const signer = runSigner([...words, ...flag], {
      TETRAD_SIGNER_DATABASE_URL: database.url,
      ...(hasVariable ? { ETHSIGNER_HTTP_LISTEN_PORT: String(ports + 1) } : {}),
    });
    try {
      expect(await accountsAt(ports + offset, signer)).toEqual([ACCOUNT]);
    } finally {
      await signer.stop();
    }
    expect((await signer.ended).code).toBe(0);
  });
});

describe('the command eth1', () => {
  it('looks for keys in the working directory, and reports options without effect', async () => {
    const hex = hexFromBytes(PRIVATE_KEY);
    await mkdir(join(folder, 'yaml'));
    await file('yaml/key.yaml', `type: file-raw\nprivateKey: ${hex}\nkeyType: SECP256K1\n`);
    const words = ['--http-listen-port', String(ports), ...opsPort(), '--swagger-ui-enabled', 'eth1'];
    const variables = { TETRAD_SIGNER_DATABASE_URL: database.url, WEB3SIGNER_ETH1_CHAIN_ID: '9' };
    const signer = runSigner(words, variables, join(folder, 'yaml'));
    try {
      expect(await accountsAt(ports, signer)).toEqual([ACCOUNT]);
    } finally {
      await signer.stop();
    }
    const { code, stdout } = await signer.ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /"options without effect"[^\n]*--swagger-ui-enabled|--swagger-ui-enabled[^\n]*"options without effect"/,
    );
    expect(stdout).not.toContain(hex.slice(2));
  });
});

describe('a signer that cannot start says why in one line, and opens no port', () => {
  async function expectFailure(words: readonly string[], text: string): Promise<void> {
    const listening = ['--http-listen-port', String(ports + 3), ...opsPort()];
    const signer = runSigner([...words, ...listening], { TETRAD_SIGNER_DATABASE_URL: database.url });
    const { code, stdout, stderr } = await signer.ended;
    expect(code).not.toBe(0);
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(text)]);
    expect(stdout).not.toContain('listening');
    expect(await isListening(ports + 3)).toBe(false);
    expect(stdout + stderr).not.toContain(hexFromBytes(PRIVATE_KEY).slice(2));
  }

  it('a wrong password (SP-21)', async () => {
    const wrong = await file('wrong', 'not it');
    await expectFailure(
      [...CHAIN, ...keyFlags.slice(0, 3), wrong],
      'Error when decrypting key for the file based signer.',
    );
  });

  it('a key store for TLS that is not there (SP-27)', async () => {
    const password = await file('tls-password', 'changeit');
    const flags = ['--tls-keystore-file', '/nowhere.p12', '--tls-keystore-password-file', password];
    await expectFailure(
      [...CHAIN, ...keyFlags, ...flags, '--tls-allow-any-client'],
      '--tls-keystore-file: /nowhere.p12 cannot be used',
    );
  });

  it('unknown keys of the configuration file (SP-29)', async () => {
    const toml = await file('unknown.toml', 'chain-id = 9\nno-such-option = 1\n');
    await expectFailure(
      [...CHAIN, ...keyFlags, '--config-file', toml],
      'Unknown option(s) in TOML configuration file: no-such-option',
    );
  });

  it('keys of validators, of which web3signer has a command', async () => {
    await expectFailure(['eth2', '--network', 'mainnet'], 'eth2: keys of validators are not supported');
  });

  it('the secret of an access key on the command line', async () => {
    const problem = 'write it into one for --aws-secrets-secret-access-key-file';
    await expectFailure([...CHAIN, 'eth1', '--aws-secrets-secret-access-key=s3cret'], problem);
  });

  it('a path of the client with a space in it (SP-30)', async () => {
    await expectFailure(
      [...CHAIN, ...keyFlags, '--downstream-http-path', '/a b'],
      'Illegal characters detected in --downstream-http-path',
    );
  });
});
