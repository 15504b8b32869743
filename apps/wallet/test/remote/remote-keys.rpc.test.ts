import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { findSoftHsm, startSoftHsm, until, type SoftHsm } from '@tetrad/testkit';
import { SECP, base64, startWallet, type RunningWallet } from '../running-wallet.js';
import { createWalletHome } from '../wallet-home.js';
import { createTokenKey, type TokenKey } from './token-key.js';

const library = findSoftHsm();
const withHsm = library === undefined ? describe.skip : describe;
/** An f1 address of no key of the token. */
const FOREIGN = 'f17uoq6tp427uzv7fztkbsnn64iwotfrristwpryy';

let hsm: SoftHsm;
let desk: TokenKey;
let vault: TokenKey;
let folder: string;
let wallet: RunningWallet | undefined;
beforeAll(async () => {
  if (library === undefined) return;
  hsm = startSoftHsm(library);
  desk = await createTokenKey(hsm, 'desk');
  vault = await createTokenKey(hsm, 'vault');
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-wallet-remote-'));
});
afterEach(async () => {
  hsm?.setFault(undefined);
  await wallet?.stop();
  wallet = undefined;
  await rm(folder, { recursive: true, force: true });
});
afterAll(() => hsm?.stop());

const flags = () => ['--multikey-signer-directory', folder];
const file = (name: string, text: string) => writeFile(join(folder, `${name}.toml`), text);
const sign = (running: RunningWallet, address: string, text = 'signed in hardware') =>
  running.call('Coin.WalletSign', [address, base64(text)]);

async function start(): Promise<RunningWallet> {
  wallet = await startWallet([SECP], flags());
  return wallet;
}

withHsm('a wallet with keys in an HSM', () => {
  it('signs for secp256k1 and delegated addresses, and records each signature', async () => {
    await file(desk.secp256k1, desk.fileText());
    await file(`desk-${desk.hex}`, desk.fileText());
    const running = await start();
    const all = await running.result<string[]>('Coin.WalletList');
    expect(all.filter((one) => one.startsWith('f') && one !== SECP.address)).toHaveLength(3);
    for (const address of [desk.secp256k1, desk.delegated]) {
      expect(all).toContain(address);
      expect(await running.result('Coin.WalletHas', [address])).toBe(true);
      const { result } = await sign(running, address);
      const params = [address, base64('signed in hardware'), result];
      expect(await running.result('Coin.WalletVerify', params)).toBe(true);
      expect((await running.audit()).at(-1)).toMatchObject({ decision: 'done', content: 'data' });
    }
    expect(await running.result('Coin.WalletHas', [vault.secp256k1])).toBe(false);
  });

  it('signs messages of the address, and refuses those of another sender as with a key of its own', async () => {
    await file(desk.secp256k1, desk.fileText());
    const running = await start();
    const message = {
      To: FOREIGN,
      Nonce: 1,
      Value: '100',
      GasLimit: 9,
      GasFeeCap: '10',
      GasPremium: '10',
      Method: 0,
    };
    const signed = await running.call('Coin.WalletSignMessage', [
      desk.secp256k1,
      { ...message, From: desk.secp256k1 },
    ]);
    expect(signed.result).toHaveProperty('Signature.Type', 1);
    const refused = await running.call('Coin.WalletSignMessage', [
      desk.secp256k1,
      { ...message, From: FOREIGN },
    ]);
    expect(refused.error?.data).toMatchObject({ reason: 'INVALID_COIN_MESSAGE' });
    expect((await running.audit()).map(({ decision }) => decision)).toEqual(['done', 'refused']);
  });

  it('refuses and records it while the token is away, and signs with other keys', async () => {
    await file(desk.secp256k1, desk.fileText(hsm.buildFaultyLibrary()));
    const running = await start();
    await until(async () => (await sign(running, desk.secp256k1)).error === undefined);
    hsm.setFault('removed');
    const { error } = await sign(running, desk.secp256k1);
    expect(error?.data).toMatchObject({ reason: 'KEY_UNAVAILABLE' });
    expect(JSON.stringify(error)).not.toContain(hsm.folder);
    expect((await running.audit()).at(-1)).toMatchObject({ decision: 'refused', reason: 'KEY_UNAVAILABLE' });
    expect(await (await fetch(`${running.opsUrl}/readyz`)).text()).toContain(
      `${desk.secp256k1}: PKCS#11 token`,
    );
    expect((await fetch(`${running.opsUrl}/readyz`)).status).toBe(200);
    expect((await fetch(`${running.opsUrl}/readyz/rollout`)).status).toBe(503);
    expect((await sign(running, SECP.address)).error).toBeUndefined();
    hsm.setFault(undefined);
    await until(async () => (await sign(running, desk.secp256k1)).error === undefined);
  });

  it('does not sign for an address whose file names another key', async () => {
    await file(desk.secp256k1, vault.fileText());
    const running = await start();
    expect((await sign(running, desk.secp256k1)).error?.data).toMatchObject({
      reason: 'KEY_UNAVAILABLE',
      fault: 'WRONG_KEY',
    });
    expect(running.log()).toContain(`is the key of ${vault.secp256k1}`);
  });

  it('lists and uses them in commands, and exports none', async () => {
    await file(desk.secp256k1, desk.fileText());
    const home = await createWalletHome();
    try {
      expect((await home.run(['list', ...flags()])).stdout).toBe(desk.secp256k1);
      expect((await home.run(['list', '--long', ...flags()])).stdout).toBe(
        `${desk.secp256k1} ${join(folder, `${desk.secp256k1}.toml`)}`,
      );
      const signed = await home.run(['sign', desk.secp256k1, '42', '--raw', ...flags()]);
      expect(signed.stdout).toMatch(/^01[0-9a-f]{130}$/);
      expect(await home.run(['verify', desk.secp256k1, signed.stdout, '42', '--raw'])).toMatchObject({
        code: 0,
      });
      const exported = await home.run(['export', desk.secp256k1, '--yes']);
      expect(exported.stderr).toMatch(/No keys associated/);
    } finally {
      await home.remove();
    }
  });
});

describe('a wallet with files of keys that sign elsewhere', () => {
  const KMS = '[signing]\ntype = "aws-kms-signer"\nregion = "eu-west-1"\nkey-id = "a"\n';

  it.each([
    ['has no address in its name', 'desk', KMS, /desk\.toml: its name must end with the address of the key/],
    [
      'has an address with a wrong checksum',
      FOREIGN.replace(/y$/, 'q'),
      KMS,
      /its name must end with the address/,
    ],
    ['has an address without a key', `ff${'0'.repeat(38)}`, KMS, /its name must end with the address/],
    ['lacks a setting', FOREIGN, '[signing]\ntype = "aws-kms-signer"\n', /signing\.key-id: is required/],
  ])('does not start when one %s', async (_what, name, text, problem) => {
    await file(name, text);
    await expect(startWallet([], flags())).rejects.toThrow(problem);
  });

  it('does not start when two name one address', async () => {
    await file(FOREIGN, KMS);
    await file(`b-${FOREIGN}`, KMS);
    await expect(startWallet([], flags())).rejects.toThrow(/names the key of f17uoq6\w+ too/);
  });

  it('says which of its own keys is not used', async () => {
    await file(SECP.address, KMS.replace('"a"', '"a"\nendpoint = "http://127.0.0.1:1"'));
    const running = await start();
    expect(running.log()).toContain('key of the wallet is not used');
    expect((await sign(running, SECP.address)).error?.data).toMatchObject({ reason: 'KEY_UNAVAILABLE' });
  });
});
