import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort, isServiceReady, startChildService } from '@tetrad/testkit';
import { createWalletHome, runHere, runWallet, MAIN, type WalletHome } from '../wallet-home.js';

let home: WalletHome;
beforeAll(async () => {
  home = await createWalletHome();
});
afterAll(() => home.remove());

describe('the wallet as a program', () => {
  it('runs commands, whose outcome scripts can tell', async () => {
    const made = await home.runProcess(['new', 'secp256k1']);
    expect(made).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^f1/) });
    expect(await home.runProcess(['import'], 'nonsense')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^tetrad wallet: .+$/),
    });
    expect(await home.runProcess(['delete', made.stdout])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Standard input is not a terminal: confirm with --yes'),
    });
    expect(await home.runProcess(['mint'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('unknown command mint'),
    });
  });

  it('lists its commands, and the options of the service', async () => {
    const all = (await home.runProcess(['--help'])).stdout;
    for (const name of ['serve', 'new', 'list', 'import', 'export', 'delete', 'sign', 'verify', 'audit']) {
      expect(all).toMatch(new RegExp(`^ {2}${name} `, 'm'));
    }
    const serve = (await home.runProcess(['serve', '--help'])).stdout;
    expect([serve.includes('--allow-blind-sign'), serve.includes('default: 9000')]).toEqual([true, true]);
  });
});

describe('commands beside a service with an embedded database', () => {
  it('share its server, which is still the service’s when they end', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tetrad-wallet-embedded-'));
    const [port, opsPort] = [await freePort(), await freePort()];
    const environment = {
      TETRAD_WALLET_DATA_DIR: join(folder, 'data'),
      TETRAD_WALLET_PASSPHRASE_FILE: join(home.folder, 'passphrase'),
    };
    const service = await startChildService({
      name: 'wallet',
      command: process.execPath,
      args: [MAIN, 'serve', '--http-listen-port', String(port), '--ops-listen-port', String(opsPort)],
      environment: { ...environment, NODE_OPTIONS: '' },
      logFile: join(folder, 'log'),
      isReady: () => isServiceReady(`http://127.0.0.1:${opsPort}`),
    });
    try {
      const first = await runHere(['new', 'secp256k1'], environment, '');
      expect(first).toMatchObject({ code: 0, stderr: '' });
      const second = await runWallet(['new', 'bls'], environment);
      expect(second).toMatchObject({ code: 0, stderr: '' });
      const response = await fetch(`http://127.0.0.1:${port}/rpc/v1/coin`, {
        method: 'POST',
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'Coin.WalletList' }),
        headers: { 'Content-Type': 'application/json' },
      });
      expect(((await response.json()) as { result: string[] }).result).toEqual(
        [first.stdout, second.stdout].sort(),
      );
    } finally {
      await service.stop();
    }
    // The service has stopped: now the command starts the server, and stops it at the end.
    const listed = await runHere(['list'], environment, '');
    expect([listed.code, listed.stdout.split('\n')]).toEqual([
      0,
      expect.arrayContaining([expect.any(String)]),
    ]);
    expect(listed.stdout.split('\n')).toHaveLength(2);
    await rm(folder, { recursive: true, force: true });
  });
});
