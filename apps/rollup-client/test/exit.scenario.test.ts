import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createRollupKeyFile, type RollupKeys } from '@tetrad/rollup-client';
import type { Address } from '@tetrad/types';
import { describeWithAnvil } from '../../../libs/rollup/chain/test/anvil-chain.js';
import { SettledRollup, TIMEOUT } from '../../../libs/rollup/client/test/settled-rollup.js';
import { runAs } from './holder-commands.js';

const MAIN = fileURLToPath(new URL('../bundle/main.js', import.meta.url));
const recipient = '0x00000000000000000000000000000000000e1715' as Address;

/** How a process ended; no code when it was killed. */
interface Ended {
  readonly code: number | null;
  readonly lines: readonly string[];
  readonly errors: string;
}

describeWithAnvil('./tetrad rollup exit', () => {
  let rollup: SettledRollup;
  let folder: string;
  let alice: RollupKeys;
  let bob: RollupKeys;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tetrad-exit-'));
    await writeFile(join(folder, 'password'), 'correct horse\n', { mode: 0o600 });
    [rollup, alice] = await Promise.all([
      SettledRollup.start({ isReleased: true }),
      createRollupKeyFile(join(folder, 'alice'), 'correct horse', { scryptN: 1024 }),
    ]);
    bob = await createRollupKeyFile(join(folder, 'bob'), 'correct horse', { scryptN: 1024 });
    for (const { address } of [alice, bob]) await rollup.fund(address);
    await rollup.settle(alice, rollup.creation(alice, 1), rollup.creation(bob, 2));
    await rollup.deposit(alice, 1, 1_000n);
    await rollup.deposit(bob, 2, 70n);
  });
  afterAll(async () => {
    await rollup?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const exitOf = (who: string) => {
    const { contract, chain } = rollup;
    const places = ['--chain-url', chain.url, '--contract', contract.address, '--to', recipient];
    return ['exit', ...places, '--key-file', join(folder, who), '--password-file', join(folder, 'password')];
  };
  /** As `run`, in this process. */
  const ended = async (who: string, more: readonly string[]): Promise<Ended> => {
    const { code, said, warned } = await runAs([...exitOf(who), ...more].join(' '), {});
    return { code, lines: said, errors: warned };
  };

  /** @param onLine - called for each line, with what ends the process as a power failure would */
  const run = (
    onLine: (line: string, kill: () => void) => void,
    { who = 'alice', more = ['--json'] }: { readonly who?: string; readonly more?: readonly string[] } = {},
  ): Promise<Ended> => {
    const child = spawn(process.execPath, [MAIN, ...exitOf(who), ...more], {
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    const lines: string[] = [];
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      onLine(line, () => child.kill('SIGKILL'));
    });
    return new Promise((done, fail) => {
      child.once('error', fail);
      child.once('close', (code) => done({ code, lines, errors }));
    });
  };
  /** @param words - that a line begins with */
  const killedAt = async (words: string) => {
    const onLine = (line: string, kill: () => void) => {
      if (line.startsWith(words)) kill();
    };
    const { code, errors } = await run(onLine, { more: [] });
    expect({ words, code, errors }).toEqual({ words, code: null, errors: '' });
  };
  const untouched = () => undefined;
  const kindsOf = ({ lines }: Ended) => lines.map((line) => (JSON.parse(line) as { kind: string }).kind);

  // At each of its steps in libs/rollup/client/test/exit.scenario.test.ts.
  it('goes on after kill -9, and pays once', async () => {
    for (const words of ['requesting', 'waiting']) await killedAt(words);
    await rollup.chain.passTime(TIMEOUT * 1.25);
    // It has announced the freeze.
    await killedAt('waiting');
    await rollup.chain.passTime(TIMEOUT / 4);
    await killedAt('withdrawing');
    // Anvil mines at once what was sent.
    const last = await run(untouched);
    expect([last.code, last.errors]).toEqual([0, '']);
    expect(kindsOf(last)).toEqual(expect.arrayContaining(['reading', 'account', 'frozen', 'claimed']));
    expect(await rollup.unitsOf(recipient)).toBe(1_000n);
  });

  it('says in words what it does, and that all is paid', async () => {
    const { code, lines, errors } = await ended('bob', []);
    expect([code, errors]).toEqual([0, '']);
    const text = lines.join('\n');
    expect(text).toContain('account 2 holds nothing, and has 1 orders to redeem');
    expect(text).toMatch(
      /^the contract is frozen after batch \d+: 0x[0-9a-f]{40} \(transaction 0x[0-9a-f]{64} of block \d+\) froze it by the request of account \d+, which 0x[0-9a-f]{40} \(transaction 0x[0-9a-f]{64} of block \d+\) had announced$/m,
    );
    expect(text).toContain(`claiming the account for ${recipient}`);
    expect(text).toContain('withdrawing 1 orders');
    expect(text).toContain('left the rollup: 70 units of token 0 (0.00000007 ether)');
    expect(lines.at(-1)).toBe(`all is paid to ${recipient}`);
    expect(await rollup.unitsOf(recipient)).toBe(1_070n);
  });

  it('leaves orders below --minimum, and refuses one that is not an amount', async () => {
    const { code, lines } = await ended('bob', ['--json', '--minimum', '71']);
    expect(code).toBe(0);
    expect(lines.join('\n')).not.toContain('"withdrawing"');
    const refused = await ended('bob', ['--minimum', '1.5']);
    expect([refused.code, refused.lines]).toEqual([2, []]);
    expect(refused.errors).toContain('--minimum: must be a number of units below 2^64, not 1.5');
  });

  it('refuses an invalid gas price, and sends nothing', async () => {
    const { code, lines, errors } = await ended('alice', ['--max-fee-per-gas', '1.5']);
    expect([code, lines]).toEqual([2, []]);
    expect(errors).toContain(
      '--max-fee-per-gas: must be a price such as 20gwei, or a number of wei, not 1.5',
    );
  });

  it('ends with a failure for keys without an account', async () => {
    await createRollupKeyFile(join(folder, 'carol'), 'correct horse', { scryptN: 1024 });
    const { code, errors } = await run(untouched, { who: 'carol' });
    expect([code, errors]).toEqual([1, 'tetrad rollup: the rollup has no account of these keys\n']);
  });

  it('ends with bad options for a payer without a password, and sends nothing', async () => {
    const more = ['--payer-key-file', join(folder, 'alice')];
    const { code, lines, errors } = await ended('alice', more);
    expect([code, lines]).toEqual([2, []]);
    expect(errors).toContain('--payer-password-file: is required with --payer-key-file');
  });
});
