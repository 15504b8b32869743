import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { lotusFileName } from '@tetrad/wallet-key';
import { BLS, SECP } from './running-wallet.js';
import { createWalletHome, runHere, type WalletHome } from './wallet-home.js';

/** The mnemonic M1, and WP-16 and WP-17 of `libs/wallet/key/vectors`. */
const PHRASE = 'equip will roof matter pink blind book anxiety banner elbow sun young';
const SIGNED = /^0[123][0-9a-f]{130,192}$/;
const asMain = (address: string) => `f${address.slice(1)}`;
const keyInfo = ({ kind, privateKey }: { kind: string; privateKey: string }) =>
  JSON.stringify({ Type: kind, PrivateKey: privateKey });

let home: WalletHome;
beforeAll(async () => {
  home = await createWalletHome();
});
afterAll(() => home.remove());

/** Runs a command that must succeed. */
async function ok(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await home.run(args);
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
  return stdout;
}

async function refused(code: number, text: RegExp, args: string[], input?: string): Promise<void> {
  const ended = await home.run(args, input);
  expect([ended.code, ended.stdout]).toEqual([code, '']);
  expect(ended.stderr).toMatch(text);
  expect(ended.stderr).not.toContain('\n');
}

describe('the commands of the wallet', () => {
  it('make keys of every kind, sign with them, verify, and delete them again', async () => {
    for (const kind of ['secp256k1', 'bls', 'delegated']) {
      const address = await ok('new', kind, '--label', `the ${kind} key`);
      expect(await ok('list', '--long')).toContain(`${address} ${kind} `);
      const signature = await ok('sign', address, '68656c6c6f');
      expect(signature).toMatch(SIGNED);
      expect(await ok('verify', address, signature, '68656c6c6f')).toBe('valid');
      expect(await home.run(['verify', address, signature, '68656c6c6f', '--raw'])).toMatchObject({
        code: 1,
        stdout: 'invalid',
      });
      expect(await ok('delete', address, '--yes')).toBe(`deleted ${address}`);
    }
    expect(await ok('list')).toBe('');
  });

  it('derive keys from a phrase in a file, on the usual path or any other', async () => {
    const file = await home.file('phrase', `${PHRASE}\n`);
    const usual = await ok('new', 'secp256k1', '--from-phrase-file', file, '--index', '1');
    expect(usual).toBe('f1qab73gdurhmikxy7isdnqxnsdfexxm2gom47opi');
    const other = await ok('new', 'secp256k1', '--from-phrase-file', file, '--path', "m/44'/461'/0/0/0");
    expect(other).toBe('f1d2xrzcslx7xlbbylc5c3d5lvandqw4iwl6epxba');
    expect(await ok('list', '--long')).toContain("m/44'/461'/0'/0/1");
    for (const address of [usual, other]) await ok('delete', address, '--yes');
  });

  it('take keys in and let them out in the forms of the field, and record that', async () => {
    const hex = Buffer.from(keyInfo(BLS)).toString('hex');
    expect(await home.run(['import'], hex)).toEqual({
      code: 0,
      stdout: asMain(BLS.address),
      stderr: 'tetrad wallet: standard input: took a bls key in the form hex-lotus',
    });
    const file = await home.file('key.json', keyInfo(SECP));
    expect(await home.run(['import', file, '--network', 'test'])).toEqual({
      code: 0,
      stdout: SECP.address,
      stderr: `tetrad wallet: ${file}: took a secp256k1 key in the form json-lotus`,
    });
    expect(await ok('export', BLS.address, '--yes')).toBe(hex);
    expect(await ok('export', SECP.address, '--yes', '--format', 'json-lotus')).toBe(keyInfo(SECP));
    const out = join(home.folder, 'exported');
    expect(await ok('export', SECP.address, '--yes', '--format', 'hex-eth', '--out', out)).toBe('');
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    expect(await readFile(out, 'utf8')).toBe(`0x${Buffer.from(SECP.privateKey, 'base64').toString('hex')}\n`);
    const actions = (await ok('audit', SECP.address)).split('\n').map((line) => JSON.parse(line) as object);
    expect(actions).toMatchObject([
      { action: 'import', caller: expect.stringMatching(/^cli:/) },
      { action: 'export' },
      { action: 'export' },
    ]);
    await ok('delete', SECP.address, '--yes');
  });

  it('take in the repository of a node, and say which files of its key store are not keys (WP-65)', async () => {
    const repository = join(home.folder, 'repository');
    const folder = join(repository, 'keystore');
    await mkdir(folder, { recursive: true });
    await writeFile(join(repository, 'config.toml'), '');
    await writeFile(join(repository, 'token'), 'a token');
    const entry = (name: string, text: string, mode = 0o600) =>
      writeFile(join(folder, lotusFileName(name)), text, { mode });
    await entry(`wallet-${asMain(SECP.address)}`, keyInfo(SECP));
    await entry('wallet-f17uoq6tp427uzv7fztkbsnn64iwotfrristwpryy', keyInfo(SECP));
    await entry('wallet-f1xcbgdhkgkwht3hrrnui3jdopeejsoatkzmoltqy', keyInfo(SECP), 0o644);
    await entry('default', keyInfo(BLS));
    await entry('trash-f17uoq6tp427uzv7fztkbsnn64iwotfrristwpryy', keyInfo(SECP));
    await refused(1, /no file of a wallet key, nor in its keystore/, ['import', home.folder]);
    expect(await home.run(['import', folder])).toMatchObject({ code: 1, stdout: asMain(SECP.address) });
    await ok('delete', SECP.address, '--yes');
    const { code, stdout, stderr } = await home.run(['import', repository]);
    expect([code, stdout]).toEqual([1, asMain(SECP.address)]);
    expect(stderr).toMatch(/another address than/);
    expect(stderr).toMatch(/too relaxed, required: 0600, got: 0644/);
    expect(stderr).toMatch(/2 of 3 keys were not imported$/);
  });

  it('take bare hex only as the type that the operator names', async () => {
    const hex = Buffer.from(SECP.privateKey, 'base64').toString('hex');
    await refused(1, /names no key type: give --type secp256k1/, ['import'], hex);
    await refused(1, /names no key type/, ['import', '--format', 'hex-eth'], hex);
    await home.run(['delete', SECP.address, '--yes']);
    await refused(1, /of type secp256k1, not delegated/, ['import', '--type', 'delegated'], keyInfo(SECP));
    for (const [type, address] of [
      ['secp256k1', asMain(SECP.address)],
      ['delegated', expect.stringMatching(/^f410f/)],
    ] as const) {
      const ended = await home.run(['import', '--type', type], hex);
      expect(ended).toEqual({
        code: 0,
        stdout: address,
        stderr: `tetrad wallet: standard input: took a ${type} key in the form hex-eth`,
      });
      await ok('delete', ended.stdout, '--yes');
    }
  });

  it('take in what Venus and go-filecoin write', async () => {
    const privateKey = SECP.privateKey;
    for (const content of [{ privateKey, sigType: 1 }, { keyInfo: [{ privateKey, sigType: 1 }] }]) {
      const ended = await home.run(['import'], JSON.stringify(content));
      expect([ended.code, ended.stdout]).toEqual([0, asMain(SECP.address)]);
      await ok('delete', SECP.address, '--yes');
    }
  });

  it('make tokens with a permission and those below it', async () => {
    const secret = join(home.folder, 'secret');
    await ok('auth', 'create-secret', '--out', secret);
    expect((await stat(secret)).mode & 0o777).toBe(0o600);
    const token = await ok('auth', 'create-token', '--perm', 'sign', '--auth-token-secret-file', secret);
    const [header, payload] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
    expect(JSON.parse(header ?? '')).toEqual({ alg: 'HS256', typ: 'JWT' });
    expect(JSON.parse(payload ?? '')).toEqual({ Allow: ['read', 'write', 'sign'] });
    await refused(2, /--out: cannot write/, ['auth', 'create-secret', '--out', secret]);
  });

  const rejections: readonly (readonly [number, RegExp, string[], string?])[] = [
    [1, /Standard input is not a terminal: confirm with --yes/, ['delete', BLS.address]],
    [1, /Standard input is not a terminal: confirm with --yes/, ['export', BLS.address]],
    [1, /No keys associated with supplied address/, ['export', 'f01', '--yes']],
    [1, /Invalid Address length/, ['delete', 'f1', '--yes']],
    [1, /key already exists/, ['import'], keyInfo(BLS)],
    [
      1,
      /expected 32-byte private key, got 2 bytes/,
      ['import'],
      keyInfo({ kind: 'bls', privateKey: 'AAE=' }),
    ],
    [1, /unsupported key type: rsa/, ['import'], keyInfo({ kind: 'rsa', privateKey: 'AAE=' })],
    [1, /must hold JSON|must be hex/, ['import'], 'nonsense'],
    [2, /rsa: must be one of secp256k1, bls, delegated/, ['new', 'rsa']],
    [2, /usage: tetrad wallet new/, ['new']],
    [1, /--index and --path need --from-phrase-file/, ['new', 'bls', '--index', '1']],
    [1, /HEX: not an even number of hex digits/, ['sign', BLS.address, 'xyz']],
    [1, /give the data as hex digits or with --file/, ['sign', BLS.address]],
    [2, /--private-key: unknown option/, ['import', '--private-key', 'x']],
    [2, /--passphrase-file: the passphrase is empty/, ['new', 'bls', '--passphrase-file', '/dev/null']],
  ];
  it.each(rejections.map(([code, text, args, input]) => ({ code, text, args, input })))(
    'end with code $code and one line: $args',
    ({ code, text, args, input }) => refused(code, text, args, input),
  );

  it.each([
    ['{"Type":"bls"}', 'PrivateKey is required'],
    ['{"Type":"bls","PrivateKey":7}', 'PrivateKey must be base64 text'],
    ['{"PrivateKey":"AAE="}', 'Type is required'],
    ['{"Type":["bls"],"PrivateKey":"AAE="}', 'Type must be the name of a key type'],
    ['{"KeyInfo":[]}', 'KeyInfo must be a list of one key'],
    ['{"KeyInfo":[{"PrivateKey":"AAE="}]}', 'KeyInfo.0.SigType is required'],
    [Buffer.from('[]').toString('hex'), 'the key file must be a JSON object'],
    [keyInfo({ kind: 'bls', privateKey: 'AAE=' }), 'expected 32-byte private key, got 2 bytes'],
    [keyInfo({ kind: 'bls', privateKey: 'no' }), 'PrivateKey: must be base64 with padding'],
    [keyInfo(BLS), 'key already exists'],
  ])('name the file of a key that is not taken in, and what is wrong with it: %s', async (text, problem) => {
    if (problem.includes('exists')) await home.run(['import'], keyInfo(BLS));
    const file = await home.file('bad-key', text);
    const [said, piped] = [await home.run(['import', file]), await home.run(['import'], text)];
    expect([said.code, said.stderr]).toEqual([1, expect.stringContaining(`${file}: ${problem}`)]);
    expect(piped.stderr).toContain(`standard input: ${problem}`);
  });

  it.each([
    ['list'],
    ['audit'],
    ['audit', BLS.address],
    ['delete', BLS.address, '--yes'],
    ['export', BLS.address, '--yes'],
    ['sign', BLS.address, '00'],
    ['change-passphrase', '--new-passphrase-file', 'PASSPHRASE'],
  ])('say where they looked when there is nothing, and make nothing there: %s', async (...args) => {
    const folder = join(home.folder, `empty-${args.join('-').slice(0, 8)}`);
    const passphrase = join(home.folder, 'passphrase');
    const words = args.map((word) => (word === 'PASSPHRASE' ? passphrase : word));
    const environment = { TETRAD_WALLET_PASSPHRASE_FILE: passphrase };
    const run = () => runHere([...words, '--data-dir', folder], environment, '');
    const rejection = {
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`no database in ${folder}; name the folder`),
    };
    expect(await run()).toEqual(rejection);
    await mkdir(folder, { recursive: true });
    expect(await run()).toEqual(rejection);
    expect(await readdir(folder)).toEqual([]);
  });

  it('refuse to sign a chain message blindly', async () => {
    const message = '8a004200004200000144000186a01961a84200014200010040';
    await refused(1, /use Coin.WalletSignMessage/, ['sign', BLS.address, message, '--raw']);
    expect(await ok('sign', BLS.address, message, '--raw', '--allow-blind-sign')).toMatch(SIGNED);
  });

  it('have help, generated from their options', async () => {
    expect(await ok('new', '--help')).toMatch(
      /^Usage: tetrad wallet new secp256k1\|bls\|delegated[^]*--from-phrase-file FILE/,
    );
  });
});

describe('commands that cannot be taken back', () => {
  it.each(['delete', 'export'])('ask the person at the terminal: %s', async (command) => {
    const address = await ok('new', 'secp256k1');
    for (const typed of ['no\n', 'y\n', '\n', '']) {
      const ended = await home.run([command, address], { typed });
      expect([typed, ended.code, ended.stdout]).toEqual([typed, 1, '']);
      expect(ended.stderr).toMatch(/\? Type yes to go on: [^]*not confirmed; nothing was done$/);
      expect(ended.stderr).toContain(address);
    }
    expect(await ok('list')).toContain(address);
    const ended = await home.run([command, address], { typed: ' Yes\n' });
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^deleted f1|^[0-9a-f]{100,}$/) });
    expect((await ok('list')).includes(address)).toBe(command === 'export');
  });
});

// Last, since the passphrase takes its full price to check from then on.
describe('the passphrase', () => {
  it('is changed for all keys at once', async () => {
    const next = await home.file('next', 'battery staple\n');
    await ok('change-passphrase', '--new-passphrase-file', next);
    await refused(2, /--passphrase-file: the passphrase does not open this wallet/, [
      'sign',
      BLS.address,
      '',
    ]);
    expect(await ok('sign', BLS.address, '00', '--passphrase-file', next)).toMatch(SIGNED);
    const old = join(home.folder, 'passphrase');
    await ok('change-passphrase', '--passphrase-file', next, '--new-passphrase-file', old);
    expect(await ok('sign', BLS.address, '00')).toMatch(SIGNED);
  });
});
