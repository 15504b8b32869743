import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { COIN_PERMISSIONS, walletMethods } from '@tetrad/api-wallet';
import { createSharedSecretToken } from '@tetrad/service';
import { SignJWT, exportSPKI, generateKeyPair } from 'jose';
import { SECP, startWallet, type RunningWallet } from './running-wallet.js';

const SECRET = Buffer.alloc(32, 0xa7);
const shared = { secret: SECRET, permissionsClaim: 'Allow' };
const MESSAGE = {
  Version: 0,
  To: SECP.address,
  From: SECP.address,
  Nonce: 1,
  Value: '1',
  GasLimit: 9,
  GasFeeCap: '1',
  GasPremium: '1',
  Method: 0,
  Params: '',
};

/** Each method with parameters that it takes, and the permission that the coin network's node asks for. */
const METHODS = {
  'Coin.WalletVerify': { need: 'read', params: [SECP.address, '', { Type: 1, Data: '' }] },
  'Coin.WalletHas': { need: 'write', params: [SECP.address] },
  'Coin.WalletList': { need: 'write', params: [] },
  'Coin.WalletSign': { need: 'sign', params: [SECP.address, ''] },
  'Coin.WalletSignMessage': { need: 'sign', params: [SECP.address, MESSAGE] },
} as const;

/** Token, and what it may do: those without one may read; `create-token` adds what is below a permission. */
const TOKENS: Readonly<Record<string, readonly string[]>> = {
  none: ['read'],
  ...Object.fromEntries(COIN_PERMISSIONS.map((one, at) => [one, COIN_PERMISSIONS.slice(0, at + 1)])),
};

let folder: string;
let wallet: RunningWallet;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-tokens-'));
  await writeFile(join(folder, 'secret'), `${SECRET.toString('hex')}\n`);
  wallet = await startWallet([SECP], ['--auth-token-secret-file', join(folder, 'secret')]);
});
afterAll(async () => {
  await wallet.stop();
  await rm(folder, { recursive: true });
});

const tokenOf = async (name: string) =>
  name === 'none' ? {} : { token: await createSharedSecretToken(shared, TOKENS[name] ?? []) };

describe('the matrix of permissions', () => {
  it('covers every method', () => {
    expect(Object.keys(METHODS).sort()).toEqual(Object.keys(walletMethods).sort());
  });

  const rows = Object.entries(METHODS).flatMap(([method, { need, params }]) =>
    Object.entries(TOKENS).map(([token, allowed]) => ({
      method,
      token,
      need,
      params,
      outcome: allowed.includes(need) ? 'answers' : 'refuses',
    })),
  );
  it.each(rows)('$method $outcome with token $token', async ({ method, token, need, params, outcome }) => {
    const { error, result } = await wallet.call(method, params, await tokenOf(token));
    if (outcome === 'answers') {
      expect([error, result === undefined]).toEqual([undefined, false]);
      return;
    }
    expect(error).toEqual({
      code: -32004,
      message: `missing permission to invoke '${method.slice('Coin.'.length)}' (need '${need}')`,
      data: { reason: 'FORBIDDEN', permission: need },
    });
  });

  it.each(Object.keys(METHODS))(
    '%s is out of reach of tokens that do not verify: HTTP 401',
    async (method) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] });
      const foreign = await createSharedSecretToken({ ...shared, secret: Buffer.alloc(32) }, ['admin']);
      const expired = await new SignJWT({ Allow: ['admin'], exp: 1 })
        .setProtectedHeader({ alg: 'HS256' })
        .sign(SECRET);
      for (const token of [foreign, expired, 'nonsense']) {
        expect((await wallet.post(body, { token })).status).toBe(401);
      }
    },
  );

  it('holds under the other path and other names too, and in batches', async () => {
    const token = await createSharedSecretToken(shared, ['read', 'write']);
    const { error } = await wallet.call('Coin.WalletSign', [SECP.address, ''], { token, path: '/rpc/v0' });
    expect(error?.code).toBe(-32004);
    const calls = ['Coin.WalletList', 'Coin.WalletSign'].map((method, id) => ({
      jsonrpc: '2.0',
      id,
      method,
      params: method === 'Coin.WalletList' ? [] : [SECP.address, ''],
    }));
    const { text } = await wallet.post(JSON.stringify(calls), { token });
    expect(JSON.parse(text)).toMatchObject([{ result: expect.any(Array) }, { error: { code: -32004 } }]);
  });

  it('leaves /upcheck to everyone', async () => {
    const response = await fetch(`${wallet.url}/upcheck`);
    expect([response.status, await response.text()]).toEqual([200, 'OK']);
  });

  it('names the caller in the audit log, by the token’s subject or its fingerprint', async () => {
    await wallet.call('Coin.WalletSign', [SECP.address, ''], await tokenOf('sign'));
    const named = await new SignJWT({ Allow: ['sign'], sub: 'trader-7' })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(SECRET);
    await wallet.call('Coin.WalletSign', [SECP.address, ''], { token: named });
    const [unnamed, trader] = (await wallet.audit()).slice(-2);
    expect(unnamed?.caller).toMatch(/^token:[0-9a-f]{16}$/);
    expect(trader?.caller).toBe('trader-7');
    const anonymous = await new SignJWT({ Allow: ['sign'], sub: 'anonymous' })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(SECRET);
    await wallet.call('Coin.WalletSign', [SECP.address, ''], { token: anonymous });
    expect((await wallet.audit()).at(-1)?.caller).toBe('subject anonymous');
  });
});

describe('other tokens', () => {
  it('may be signed with a key pair, and list permissions or methods', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    await writeFile(join(folder, 'key.pem'), await exportSPKI(publicKey));
    const other = await startWallet([SECP], ['--auth-jwt-key-file', join(folder, 'key.pem')]);
    const tokenWith = (permissions: readonly string[]) =>
      new SignJWT({ permissions, exp: Math.floor(Date.now() / 1000) + 600 })
        .setProtectedHeader({ alg: 'ES256' })
        .sign(privateKey);
    const params = [SECP.address, ''];
    const may = async (permissions: readonly string[]) =>
      (await other.call('Coin.WalletSign', params, { token: await tokenWith(permissions) })).error ===
      undefined;
    expect([await may(['sign']), await may(['Coin.WalletSign']), await may(['Coin.*'])]).toEqual([
      true,
      true,
      true,
    ]);
    expect([await may(['read', 'write', 'admin']), await may([])]).toEqual([false, false]);
    const hs = await createSharedSecretToken(shared, ['sign']);
    expect((await other.post('{}', { token: hs })).status).toBe(401);
    expect((await other.call('Coin.WalletSign', params)).error?.code).toBe(-32004);
    await other.stop();
  });

  it('are not asked for when authentication is off: everyone on loopback may do everything', async () => {
    const open = await startWallet([SECP]);
    for (const [method, { params }] of Object.entries(METHODS)) {
      expect((await open.call(method, params)).error).toBeUndefined();
    }
    await open.stop();
  });

  it('may have the secret of a node’s key store; one that is too short is refused', async () => {
    const entry = { Type: 'jwt-hmac-secret', PrivateKey: SECRET.toString('base64') };
    await writeFile(join(folder, 'entry'), JSON.stringify(entry));
    const other = await startWallet([SECP], ['--auth-token-secret-file', join(folder, 'entry')]);
    expect(
      (await other.call('Coin.WalletSign', [SECP.address, ''], await tokenOf('sign'))).error,
    ).toBeUndefined();
    await other.stop();
    for (const text of ['', 'abc', 'ab'.repeat(31), JSON.stringify({ ...entry, Type: 'bls' }), '{']) {
      await writeFile(join(folder, 'bad'), text);
      await expect(startWallet([], ['--auth-token-secret-file', join(folder, 'bad')])).rejects.toThrow(
        /^--auth-token-secret-file: must hold at least 32 bytes/,
      );
    }
  });
});
