import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createRollupKeyFile } from '@tetrad/rollup-client';
import { describeWithAnvil } from '../../../libs/rollup/chain/test/anvil-chain.js';
import { commands } from '../src/commands/command-list.js';
import { runCommand } from '../src/commands/run-command.js';
import { startOperatorOnAnvil, type OperatorOnAnvil } from './operator-on-anvil.js';

/** Over an operator and a contract: each batch is proved, and the contract takes it. */
describeWithAnvil('a consent', () => {
  let operator: OperatorOnAnvil;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tetrad-consent-'));
    await writeFile(join(folder, 'password'), 'correct horse\n', { mode: 0o600 });
    const make = (name: string) =>
      createRollupKeyFile(join(folder, name), 'correct horse', { scryptN: 1024 });
    const [started, ...keys] = await Promise.all([startOperatorOnAnvil(), ...['payer', 'shop'].map(make)]);
    operator = started;
    for (const { address } of keys)
      await operator.chain.ask('anvil_setBalance', [address, `0x${(10n ** 20n).toString(16)}`]);
    await done('payer', 'account register');
    await done('shop', 'account register');
    await operator.finalize();
    await done('payer', 'deposit --amount 1000');
    await operator.finalize();
    await done('payer', 'redeem --all');
    await operator.finalize();
  });
  afterAll(async () => {
    await operator?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /**
   * Runs a command as a person, in this process.
   * @returns what it says
   */
  const done = async (who: string, line: string) => {
    const found = commands.find(line.split(' '));
    if (found === undefined) throw new Error(`unknown command ${line}`);
    const [said, warned]: [string[], string[]] = [[], []];
    const code = await runCommand(found.command, found.rest, {
      terminal: { say: (text: string) => said.push(text), warn: (text: string) => warned.push(text) },
      environment: {
        TETRAD_ROLLUP_CLIENT_CHAIN_URL: operator.chain.url,
        TETRAD_ROLLUP_CLIENT_CONTRACT: operator.contract,
        TETRAD_ROLLUP_CLIENT_OPERATOR_URL: operator.url,
        TETRAD_ROLLUP_CLIENT_KEY_FILE: join(folder, who),
        TETRAD_ROLLUP_CLIENT_PASSWORD_FILE: join(folder, 'password'),
      },
      signal: new AbortController().signal,
      version: '1',
    });
    expect({ line, code, warned: code === 0 ? [] : warned }).toEqual({ line, code: 0, warned: [] });
    return said;
  };
  const records = async (list: string) =>
    (await done('shop', `list ${list} --json`)).map((text) => JSON.parse(text) as Record<string, unknown>);
  const balance = async () => (await done('shop', 'account show'))[1]?.trim();

  it('is not there before it is given', async () => {
    expect(await done('shop', 'consent show')).toEqual(['account 2 after batch 3: no consent']);
    expect(await done('shop', 'list consents')).toEqual([]);
  });

  it('is given, and shown when it is final', async () => {
    await done('shop', 'consent set --minimum 100 --batches 1000');
    expect(await operator.finalize()).toBe(4);
    expect(await done('shop', 'consent show')).toEqual([
      expect.stringMatching(/^account 2 after batch 4: from 100 units of token 0 .*, up to batch 1003$/),
    ]);
    expect(JSON.parse((await done('shop', 'consent show --json'))[0] as string)).toEqual({
      id: 2,
      height: 4,
      terms: { tokenId: 0, minimum: '100', untilHeight: 1_003 },
    });
    expect(await records('consents')).toMatchObject([{ nonce: 1, status: 'EXECUTED' }]);
  });

  it('has payments and deposits in the balance in their batch', async () => {
    await done('payer', 'send --to 2 --amount 250 --direct');
    await operator.finalize();
    expect(await balance()).toMatch(/^250 units of token 0/);
    await done('payer', 'deposit --amount 120 --account 2');
    await operator.finalize();
    expect(await balance()).toMatch(/^370 units of token 0/);
    expect(await records('credited')).toMatchObject([
      { fromAccountId: 1, amount: '250', isProved: false },
      { fromAccountId: 0, amount: '120', isProved: false },
    ]);
    const watched = (await done('shop', 'watch --duration 100ms')).filter((line) =>
      line.startsWith('credited'),
    );
    expect(watched.map((line) => line.endsWith('  not proved'))).toEqual([true, true]);
    expect(await records('received')).toEqual([]);
  });

  it('leaves orders what is too small, or not to be credited', async () => {
    await done('payer', 'send --to 2 --amount 99 --direct');
    await done('payer', 'send --to 2 --amount 101');
    await operator.finalize();
    expect(await records('received')).toMatchObject([
      { moneyOrder: { amount: '99' } },
      { moneyOrder: { amount: '101' } },
    ]);
    await done('shop', 'receive');
    await operator.finalize();
    expect(await balance()).toMatch(/^570 units of token 0/);
  });

  it('lets the credited money be spent, and the account be read from the chain alone', async () => {
    await done('shop', 'send --to 1 --amount 300');
    await operator.finalize();
    const history = await done('shop', 'account recover');
    expect(history.map((text) => text.split('  ')[1])).toEqual([
      'created',
      'consentChanged',
      'credited',
      'credited',
      'received',
      'received',
      'redeemed',
      'redeemed',
      'sent',
      undefined,
      expect.stringContaining('270 units of token 0'),
    ]);
    const paid = (await done('payer', 'account recover')).filter((text) => text.includes('  sent  '));
    expect(paid.map((text) => text.endsWith('  credited'))).toEqual([true, false, false]);
    const [rebuilt] = await done('shop', 'rebuild --json');
    expect(JSON.parse(rebuilt ?? '')).toMatchObject({ isSame: true, accounts: 2 });
  });

  it('credits nothing after it is revoked', async () => {
    await done('shop', 'consent revoke');
    await done('payer', 'send --to 2 --amount 200 --direct');
    await operator.finalize();
    expect((await done('shop', 'consent show'))[0]).toMatch(/: no consent$/);
    expect(await balance()).toMatch(/^270 units of token 0/);
    expect(await records('received --status AVAILABLE_TO_REDEEM')).toMatchObject([
      { moneyOrder: { amount: '200' } },
    ]);
  });
});
