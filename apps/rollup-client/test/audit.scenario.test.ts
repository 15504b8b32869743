import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createRollupKeyFile, type RollupKeys } from '@tetrad/rollup-client';
import { describeWithAnvil } from '../../../libs/rollup/chain/test/anvil-chain.js';
import { commands } from '../src/commands/command-list.js';
import { runCommand } from '../src/commands/run-command.js';
import { startOperatorOnAnvil, type OperatorOnAnvil } from './operator-on-anvil.js';

const RECIPIENT = `0x${'5e'.repeat(20)}`;

describeWithAnvil('a holder and an auditor', () => {
  let operator: OperatorOnAnvil;
  let folder: string;
  let alice: RollupKeys;
  let firstDay: string;
  let lastDay: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tetrad-audit-'));
    await writeFile(join(folder, 'password'), 'correct horse\n', { mode: 0o600 });
    const make = (name: string) =>
      createRollupKeyFile(join(folder, name), 'correct horse', { scryptN: 1024 });
    operator = await startOperatorOnAnvil();
    alice = await make('alice');
    const bob = await make('bob');
    for (const { address } of [alice, bob])
      await operator.chain.ask('anvil_setBalance', [address, `0x${(10n ** 20n).toString(16)}`]);
    for (const who of ['alice', 'bob']) await done(who, 'account register');
    await operator.finalize();
    await done('alice', 'deposit --amount 1000');
    await operator.finalize();
    await done('alice', 'receive');
    await operator.finalize();
    await done('alice', 'send --to 2 --amount 400');
    await operator.finalize();
    await done('bob', 'receive');
    await done('alice', `withdraw --to ${RECIPIENT} --amount 30`);
    await operator.finalize();
    [firstDay, lastDay] = [await dayOf('0x1'), await dayOf('latest')];
  });

  afterAll(async () => {
    await operator?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const dayOf = async (name: string) => {
    const block = await operator.chain.ask<{ timestamp: string }>('eth_getBlockByNumber', [name, false]);
    return new Date(Number(block.timestamp) * 1000).toISOString().slice(0, 10);
  };
  /** The auditor has no key file, and no operator. */
  const tetrad = async (who: string, ...argv: string[]) => {
    const found = commands.find(argv);
    if (found === undefined) throw new Error(`unknown command ${argv[0]}`);
    const [said, warned]: [string[], string[]] = [[], []];
    const terminal = { say: (text: string) => said.push(text), warn: (text: string) => warned.push(text) };
    const environment = {
      TETRAD_ROLLUP_CLIENT_CHAIN_URL: operator.chain.url,
      TETRAD_ROLLUP_CLIENT_CONTRACT: operator.contract,
      ...(who !== 'auditor' && {
        TETRAD_ROLLUP_CLIENT_OPERATOR_URL: operator.url,
        TETRAD_ROLLUP_CLIENT_KEY_FILE: join(folder, who),
        TETRAD_ROLLUP_CLIENT_PASSWORD_FILE: join(folder, 'password'),
      }),
    };
    const { signal } = new AbortController();
    const code = await runCommand(found.command, found.rest, { terminal, environment, signal, version: '1' });
    return { code, said, warned: warned.join('\n') };
  };
  const done = async (who: string, line: string) => {
    const ended = await tetrad(who, ...line.split(' '));
    expect({ line, ...ended }).toMatchObject({ line, code: 0 });
    return ended.said;
  };
  const disclose = (out: string, from: string, to: string) =>
    tetrad('alice', 'view-key', '--from', from, '--to', to, '--out', join(folder, out), ...FOR);
  const FOR = ['--auditor', 'Audit Ltd', '--purpose', 'accounts of the year'];
  const audit = (file: string, ...more: string[]) =>
    tetrad('auditor', 'audit', '--view-key', join(folder, file), ...more);

  it('disclose days, and check them', async () => {
    const made = await disclose('year', firstDay, lastDay);
    expect(made).toMatchObject({ code: 0 });
    expect(made.said[0]).toMatch(/opens account 1 in batches 1 to \d+/);
    const { code, said } = await audit('year', '--auditor', 'Audit Ltd');
    expect(code).toBe(0);
    const text = said.join('\n');
    expect(text).toContain('disclosed to Audit Ltd for accounts of the year');
    expect(text).toMatch(/sent {2}nonce 2 {2}to 2 {2}400 units of token 0 \(0\.0000004 ether\)/);
    expect(text).toMatch(new RegExp(`withdrawn {2}nonce 3 {2}to ${RECIPIENT} {2}30 units`));
    expect(text).toContain('after: nonce 3\n  570 units of token 0');
    expect(text).toContain('complete: all 3 operations of the account');
  });

  it('disclose batches, as lines for programs and for tables', async () => {
    expect(await disclose('part', '4', '5')).toMatchObject({ code: 0 });
    const lines = (await audit('part', '--json')).said.map(
      (line) => JSON.parse(line) as Record<string, unknown>,
    );
    expect(lines.map(({ kind }) => kind)).toEqual(['sent', 'withdrawn', 'report']);
    expect(lines.at(-1)).toMatchObject({
      chainId: '31337',
      contract: operator.contract,
      auditor: 'Audit Ltd',
      isReceivedComplete: true,
      opening: { balances: { 0: '1000' } },
      closing: { balances: { 0: '570' } },
    });
    const table = (await audit('part', '--csv')).said.map((line) => line.split(','));
    expect(table[0]?.slice(0, 4)).toEqual(['time', 'batch', 'index', 'kind']);
    expect(table.map((cells) => cells.length)).toEqual([11, 11, 11]);
    expect(table[1]?.slice(1, 8)).toEqual(['4', '0', 'sent', '2', '2', '0', '400']);
  });

  it('see what is wrong, and nothing else is printed', async () => {
    expect(await audit('year', '--auditor', 'Other Ltd')).toMatchObject({
      code: 1,
      said: [],
      warned: 'the view key is for Audit Ltd, not for Other Ltd',
    });
    const text = await readFile(join(folder, 'part'), 'utf8');
    await writeFile(join(folder, 'altered'), text.replace('"amount":"400"', '"amount":"40"'));
    expect(await audit('altered')).toMatchObject({
      code: 1,
      said: [],
      warned: 'the view key is refused: the signature: is not that of account 1 for this file',
    });
    expect((await audit('year', '--csv', '--json')).code).toBe(2);
    // Of a contract whose creation is not found it is not known what it proves.
    expect(await audit('year', '--from-block', '99999')).toMatchObject({
      code: 1,
      said: [],
      warned: expect.stringMatching(/is not verified: .*; nothing is audited/),
    });
    expect(await audit('none')).toMatchObject({
      code: 1,
      said: [],
      warned: expect.stringContaining('ENOENT'),
    });
    const again = await disclose('part', '4', '5');
    expect(again).toMatchObject({ code: 1, warned: expect.stringContaining('exists already') });
    expect((await disclose('bad', '2026-02-30', lastDay)).code).toBe(2);
    expect((await disclose('bad', '9', '5')).warned).toContain('the period must be from 1 to 5');
    expect(
      (await tetrad('bob', 'view-key', '--from', '1', '--to', '2', '--out', 'x', '--purpose', 'y')).code,
    ).toBe(2);
  });
});
