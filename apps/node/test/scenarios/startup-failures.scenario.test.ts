import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey, generatePrivateKey } from '@tetrad/crypto';
import { describeFileError } from '@tetrad/files';
import { bftRules } from '@tetrad/node-consensus-bft';
import { writeKeyFile } from '@tetrad/keystore';
import { createMetrics, loadConfig, parseCommandLine } from '@tetrad/service';
import { developmentAccounts } from '@tetrad/testkit';
import { OperatorError, hexFromBytes, silentLogger } from '@tetrad/types';
import { composeNode } from '../../src/compose.js';
import { nodeOptions } from '../../src/options/config.js';
import { createNodeHome, type NodeHome } from '../node-process.js';

const OWNERS = developmentAccounts(1, 'owner');
const NO_DATABASE = 'postgresql://absent:nothing@127.0.0.1:9/none';
const SECRET = generatePrivateKey();

let home: NodeHome;
beforeAll(async () => {
  home = await createNodeHome(OWNERS);
  const folder = join(home.folder, 'keystore');
  await writeKeyFile(folder, { privateKey: SECRET, password: 'right', name: 'key', scryptN: 1024 });
  await writeFile(join(home.folder, 'right'), 'right');
  await writeFile(join(home.folder, 'wrong'), 'wrong');
});
afterAll(() => home.remove());

/** In a process of its own: ends with one line that has the text, and not with success; nothing secret is in it. */
async function expectFailure(
  args: readonly string[],
  text: RegExp,
  environment: Record<string, string> = {},
): Promise<void> {
  const { code, stdout, stderr } = await home.run(args, environment);
  expect(code).not.toBe(0);
  const lines = stderr.trim().split('\n');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(text);
  expect(stdout + stderr).not.toContain(hexFromBytes(SECRET).slice(2));
}

/** In this process: the node is not composed, for a reason of which `main.js` makes one line that has the text. */
async function expectRefusal(args: readonly string[], text: RegExp, databaseUrl?: string): Promise<void> {
  const error = await compose(args, databaseUrl ?? home.databaseUrl).catch((reason: unknown) => reason);
  const line = error instanceof OperatorError ? error.message : (describeFileError(error) ?? String(error));
  expect(line).toMatch(text);
  expect(line).not.toContain('\n');
  expect(line).not.toContain(hexFromBytes(SECRET).slice(2));
  expect(error instanceof OperatorError || describeFileError(error) !== undefined).toBe(true);
}

async function compose(args: readonly string[], databaseUrl: string): Promise<void> {
  const commandLine = parseCommandLine(home.argumentsWith(args), nodeOptions);
  const environment = { TETRAD_NODE_DATABASE_URL: databaseUrl };
  const config = loadConfig({ service: 'node', options: nodeOptions, commandLine, environment });
  const about = { name: 'node', version: '0.0.0' };
  const metrics = createMetrics({ service: about.name, version: about.version });
  const node = await composeNode(config, { ...about, logger: silentLogger, metrics, tracing: undefined });
  await node.stop();
}

const file = (name: string) => join(home.folder, name);

describe('a node that cannot start says why in one line', () => {
  it('a genesis file with a bad field', async () => {
    await writeFile(
      file('bad.json'),
      JSON.stringify({ config: { chainId: 5, qbft: {} }, alloc: {}, gasLimit: 'plenty', difficulty: '0x1' }),
    );
    await expectFailure(['--genesis-file', file('bad.json')], /bad\.json.*gasLimit/);
  });

  it('a genesis file with chain id 1, or none at all', async () => {
    await writeFile(
      file('one.json'),
      JSON.stringify({ config: { chainId: 1, qbft: {} }, alloc: {}, gasLimit: '0x1', difficulty: '0x1' }),
    );
    await expectRefusal(['--genesis-file', file('one.json')], /chainId: 1 belongs to Ethereum/);
    await expectRefusal(['--genesis-file', file('nowhere.json')], /nowhere\.json/);
  });

  it('a genesis file with unsupported settings', async () => {
    const { readFile } = await import('node:fs/promises');
    const genesis = JSON.parse(await readFile(file('genesis.json'), 'utf8')) as {
      config: Record<string, unknown>;
    };
    const config = { ...genesis.config, isMPS: true };
    await writeFile(file('later.json'), JSON.stringify({ ...genesis, config }));
    await expectRefusal(
      ['--genesis-file', file('later.json')],
      /config\.isMPS: promises protection that is not served yet/,
    );
  });

  it('a genesis file that does not determine its rules', async () => {
    const { readFile } = await import('node:fs/promises');
    const text = await readFile(file('genesis.json'), 'utf8');
    await writeFile(file('open.json'), text.replace('"rules":"tetrad"', '"isQuorum":true'));
    await expectRefusal(['--genesis-file', file('open.json')], /open\.json: .*say which rules hold/);
    await expectRefusal(
      ['--genesis-file', file('genesis.json'), '--genesis-rules', 'goquorum'],
      /config\.rules: tetrad contradicts the option --genesis-rules goquorum/,
    );
  });

  it('a genesis file without validators, or whose extra data is not that of its consensus', async () => {
    const { readFile } = await import('node:fs/promises');
    const genesis = JSON.parse(await readFile(file('genesis.json'), 'utf8')) as Record<string, unknown>;
    const extraData = (name: 'qbft' | 'ibft', keys: readonly Uint8Array[]) =>
      hexFromBytes(bftRules(name).genesisExtraData(keys.map(addressFromPrivateKey)));
    for (const [extra, text] of [
      [extraData('qbft', []), /extra\.json: extraData: no validators/],
      [
        extraData('ibft', [SECRET]),
        /extra\.json: extraData: must be that of qbft, RLP\(\[.*has the form of ibft/,
      ],
      ['0x', /extra\.json: extraData: must be that of qbft, .*it is empty/],
      ['0x1234', /extra\.json: extraData: must be that of qbft, .*its 2 bytes are something else/],
    ] as const) {
      await writeFile(file('extra.json'), JSON.stringify({ ...genesis, extraData: extra }));
      // Nothing is made before the file was read.
      const elsewhere = ['--data-dir', file('untouched'), '--genesis-file', file('extra.json')];
      await expectRefusal(elsewhere, text, NO_DATABASE);
      expect(existsSync(file('untouched'))).toBe(false);
    }
  });

  it('a genesis file of raft without etcd, or with a contract that names no validators, before it connects', async () => {
    const { readFile } = await import('node:fs/promises');
    const genesis = JSON.parse(await readFile(file('genesis.json'), 'utf8')) as { config: object };
    const contract = { validatorselectionmode: 'contract', validatorcontractaddress: `0x${'77'.repeat(20)}` };
    for (const [config, text] of [
      [
        { qbft: undefined, raft: true },
        /--etcd-endpoints: is required by the raft chain of the genesis file/,
      ],
      [
        { qbft: contract },
        /checked\.json: validatorcontractaddress: the contract 0x(77){20} names no validators/,
      ],
    ] as const) {
      const extraData = hexFromBytes(bftRules('qbft').genesisExtraData([]));
      const json = { ...genesis, extraData, config: { ...genesis.config, ...config } };
      await writeFile(file('checked.json'), JSON.stringify(json));
      const elsewhere = ['--data-dir', file('untouched'), '--genesis-file', file('checked.json')];
      await expectRefusal(elsewhere, text, NO_DATABASE);
      expect(existsSync(file('untouched'))).toBe(false);
    }
  });

  it('the database of another chain', async () => {
    const node = await home.start();
    expect(await node.stop()).toBe(0);
    const { readFile } = await import('node:fs/promises');
    const genesis = JSON.parse(await readFile(file('genesis.json'), 'utf8')) as Record<string, unknown>;
    await writeFile(file('other.json'), JSON.stringify({ ...genesis, timestamp: '0x5' }));
    await expectFailure(
      ['--genesis-file', file('other.json')],
      /database holds the chain with genesis 0x[0-9a-f]{64}.*0x[0-9a-f]{64}/,
    );
    const again = await home.start();
    expect(await again.stop()).toBe(0);
  });

  it('a port that is taken', async () => {
    const taken = createServer();
    const port = await new Promise<number>((done) =>
      taken.listen(0, '127.0.0.1', () => done((taken.address() as { port: number }).port)),
    );
    await expectFailure(['--http-listen-port', String(port)], new RegExp(`${port}`));
    taken.close();
  });

  it('a wrong password, a corrupt key file, no password', async () => {
    const keystore = ['--keystore-dir', file('keystore')];
    await expectFailure(
      [...keystore, '--keystore-password-file', file('wrong')],
      /keystore\/key: the password is wrong/,
    );
    await expectRefusal(keystore, /--keystore-password-file/);
    await writeFile(join(file('keystore'), 'corrupt'), '{"version":3}');
    await expectRefusal(
      [...keystore, '--keystore-password-file', file('right')],
      /keystore\/corrupt: crypto/,
    );
  });

  it('an invalid node key, and invalid peers', async () => {
    await writeFile(file('nokey'), 'abc');
    await expectRefusal(['--node-key-file', file('nokey')], /nokey: must hold a private key/);
    await expectRefusal(['--peers', 'enode://12@here:1'], /--peers: enode:.*invalid public key/);
    await writeFile(file('static'), '["http://here"]');
    await expectRefusal(['--static-nodes-file', file('static')], /static: entry 0: http.*invalid URL scheme/);
    await writeFile(file('static'), '{}');
    await expectRefusal(['--static-nodes-file', file('static')], /static: must be a JSON list of enode URLs/);
    await expectFailure(['--static-nodes-file', file('nowhere')], /nowhere: ENOENT/);
  });

  it('invalid options, before it creates a folder or connects to the database', async () => {
    await writeFile(file('no-key'), 'abc');
    for (const [args, text] of [
      [['--http-listen-host', '0.0.0.0'], /--http-listen-host: 0\.0\.0\.0 is not loopback/],
      [['--tls-cert-file', file('genesis.json')], /--tls-key-file: is required with --tls-cert-file/],
      [['--auth-jwt-key-file', file('no-key')], /--auth-jwt-key-file: .*holds no public key/],
      [['--node-key-file', file('no-key')], /no-key: must hold a private key/],
      [
        ['--peer-listen-port', '4', '--ops-listen-port', '4'],
        /--peer-listen-port: 4 is that of --ops-listen-port/,
      ],
    ] as const)
      await expectRefusal(['--data-dir', file('unmade'), ...args], text, NO_DATABASE);
    expect(existsSync(file('unmade'))).toBe(false);
  });

  it('a database that does not answer, and invalid options', async () => {
    const environment = { TETRAD_NODE_DATABASE_URL: NO_DATABASE };
    await expectFailure([], /127\.0\.0\.1:9/, environment);
    await expectFailure(['--http-listen-prot', '1'], /--http-listen-prot/);
    await expectRefusal(['--http-listen-port', 'x'], /http-listen-port/);
    await expectRefusal(['--http-listen-host', '0.0.0.0'], /insecure|authentication/);
  });
});
