import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addressFromPrivateKey, signDigest } from '@tetrad/crypto';
import {
  RollupContract,
  connectEthereum,
  createRollupKeyFile,
  signStatement,
  statementJson,
  type EthereumClient,
  type RollupKeys,
} from '@tetrad/rollup-client';
import { until } from '@tetrad/testkit';
import { parseAddress, type Address } from '@tetrad/types';
import { AgreeingRollup } from '../../../libs/rollup/chain/test/agreeing-rollup.js';
import { describeWithAnvil } from '../../../libs/rollup/chain/test/anvil-chain.js';
import { commands } from '../src/commands/command-list.js';
import { runCommand } from '../src/commands/run-command.js';
import { startOperatorOnAnvil, type OperatorOnAnvil } from './operator-on-anvil.js';

const MAIN = fileURLToPath(new URL('../bundle/main.js', import.meta.url));
/** Of the first account of the client, whose mnemonic is public: the operator of both contracts. */
const OPERATOR_KEY = Buffer.from('ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80', 'hex');
const OTHER_KEY = Buffer.alloc(32, 7);

describeWithAnvil('./tetrad rollup move', () => {
  let before: OperatorOnAnvil;
  let after: OperatorOnAnvil;
  let folder: string;
  let client: EthereumClient;
  let alice: RollupKeys;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tetrad-move-'));
    await writeFile(join(folder, 'password'), 'correct horse\n', { mode: 0o600 });
    before = await startOperatorOnAnvil();
    after = await startOperatorOnAnvil(before.chain);
    client = connectEthereum(before.chain.url);
    alice = await createRollupKeyFile(join(folder, 'alice'), 'correct horse', { scryptN: 1024 });
    await before.chain.ask('anvil_setBalance', [alice.address, `0x${(10n ** 20n).toString(16)}`]);
    await done('account register');
    await before.finalize();
    await done('deposit --amount 1000');
    await before.finalize();
    await done('receive');
    await before.finalize();
    for (const amount of [40, 7]) await done(`deposit --amount ${amount}`);
  });
  afterAll(async () => {
    await client?.close();
    await after?.stop();
    await before?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const environment = () => ({
    TETRAD_ROLLUP_CLIENT_CHAIN_URL: before.chain.url,
    TETRAD_ROLLUP_CLIENT_CONTRACT: before.contract,
    TETRAD_ROLLUP_CLIENT_OPERATOR_URL: before.url,
    TETRAD_ROLLUP_CLIENT_KEY_FILE: join(folder, 'alice'),
    TETRAD_ROLLUP_CLIENT_PASSWORD_FILE: join(folder, 'password'),
  });
  /** Runs a command as a person, in this process. */
  const tetrad = async (line: string) => {
    const found = commands.find(line.split(' '));
    if (found === undefined) throw new Error(`unknown command ${line}`);
    const [said, warned]: string[][] = [[], []];
    const terminal = { say: (text: string) => said!.push(text), warn: (text: string) => warned!.push(text) };
    const signal = new AbortController().signal;
    const surroundings = { terminal, environment: environment(), signal, version: '1' };
    const code = await runCommand(found.command, found.rest, surroundings);
    return { code, said: said!, warned: warned!.join('\n') };
  };
  const done = async (line: string) => {
    const { code, said, warned } = await tetrad(line);
    expect({ line, code, warned: code === 0 ? '' : warned }).toEqual({ line, code: 0, warned: '' });
    return said;
  };
  /** A process of its own, which is killed at the first line that begins with the words. */
  const killedAt = (words: string) =>
    new Promise<readonly string[]>((end, fail) => {
      const env = { ...process.env, ...environment(), NODE_OPTIONS: '' };
      const child = spawn(process.execPath, [MAIN, ...moveWords()], { env });
      const lines: string[] = [];
      child.stderr.on('data', (chunk: Buffer) => lines.push(`failed: ${chunk.toString()}`));
      createInterface({ input: child.stdout }).on('line', (line) => {
        lines.push(line);
        if (line.startsWith(words)) child.kill('SIGKILL');
      });
      child.once('error', fail);
      child.once('close', () => end(lines));
    });
  /** Both operators make batches meanwhile. */
  const whileFinalizing = async <Result>(running: Promise<Result>) => {
    let isOver = false;
    void running.finally(() => (isOver = true)).catch(() => undefined);
    await until(async () => {
      for (const operator of [before, after]) if (!isOver) await operator.finalize();
      return isOver;
    }, 500);
    return running;
  };
  const statementFile = async (key: Uint8Array, successor: Address) => {
    const path = join(folder, 'statement.json');
    const { timestamp } = await client.head();
    const said = {
      chainId: before.chain.chainId,
      contract: before.contract,
      successor,
      deadline: timestamp + 60,
    };
    const signed = await signStatement(said, async (digest) => signDigest(digest, key));
    await writeFile(path, JSON.stringify(statementJson(signed)));
    return path;
  };
  const moveWords = () => ['move', '--to', after.contract, '--to-operator-url', after.url];
  const heldBy = async (contract: Address) => {
    const [, , units] = await (await RollupContract.open(client, contract)).values('tokens', [0]);
    return units;
  };
  const refused = async (line: string, words: string, code = 1) => {
    const sent = await client.nonce(alice.address);
    const ended = await tetrad(line);
    expect(ended).toMatchObject({ code, said: [] });
    expect(ended.warned).toContain(words);
    expect(await client.nonce(alice.address)).toBe(sent);
    expect(existsSync(join(folder, 'alice.move'))).toBe(false);
  };

  it('refuses a statement that another account signed, or that is for another contract', async () => {
    const path = await statementFile(OTHER_KEY, after.contract);
    await refused(
      `move --statement ${path}`,
      `signature: it is of ${addressFromPrivateKey(OTHER_KEY)}, and the operator of the rollup is ${before.chain.accounts[0]}`,
    );
    await statementFile(OPERATOR_KEY, after.contract);
    const other = parseAddress(`0x${'11'.repeat(20)}`);
    await refused(
      `move --statement ${path} --to ${other}`,
      `--to: is ${other}, and the statement is for ${after.contract}`,
      2,
    );
    await refused('move', '--to: is required, or --statement', 2);
    await refused('move --abandon', 'no move has begun with these keys');
  });

  it('refuses a successor that is not of the release, with --yes too', async () => {
    const { contract } = await AgreeingRollup.deploy(before.chain);
    for (const more of ['', ' --yes'])
      await refused(`move --to ${contract}${more}`, `the contract at ${contract} is not verified: `);
  });

  it('needs the operator of the successor where that has no account, and is ended by --abandon', async () => {
    const path = await statementFile(OPERATOR_KEY, after.contract);
    const ended = await whileFinalizing(tetrad(`move --statement ${path}`));
    expect(ended.code).toBe(1);
    expect(ended.warned).toContain(
      'has no account of these keys: its operator has to make it (--to-operator-url)',
    );
    expect(existsSync(join(folder, 'alice.move'))).toBe(true);
    expect(await done('move --abandon')).toEqual([
      `0.000001047 ether still in the rollup at ${before.contract}`,
    ]);
    expect(existsSync(join(folder, 'alice.move'))).toBe(false);
  });

  // At each of its steps in libs/rollup/client/test/move.scenario.test.ts.
  it('goes on after kill -9, and deposits once', async () => {
    for (const words of ['asking the operator', 'withdrawing', 'depositing'])
      expect((await whileFinalizing(killedAt(words))).join('\n')).toMatch(new RegExp(`^${words}`, 'm'));
    const last = await whileFinalizing(tetrad(moveWords().join(' ')));
    expect([last.code, last.warned]).toEqual([0, '']);
    expect(last.said.at(-1)).toBe(`0.000001047 ether deposited into ${after.contract}`);
    expect([await heldBy(before.contract), await heldBy(after.contract)]).toEqual([0n, 1_047n]);
    expect(existsSync(join(folder, 'alice.move'))).toBe(false);
  });

  it('has nothing more to move', async () => {
    const { code, said, warned } = await tetrad(moveWords().join(' '));
    expect([code, said, warned]).toEqual([
      0,
      [expect.stringMatching(/^read the chain/)],
      'the account holds nothing that could move',
    ]);
  });

  it('leaves orders below --minimum, but for those before others, and loses none', async () => {
    const words = moveWords().join(' ');
    for (const amount of [3, 5, 2]) await done(`deposit --amount ${amount}`);
    await before.finalize();
    const little = await tetrad(`${words} --minimum 100`);
    expect([little.code, little.warned]).toEqual([0, 'the account holds nothing that could move']);
    const ended = await whileFinalizing(tetrad(`${words} --minimum 5`));
    expect([ended.code, ended.warned]).toEqual([0, '']);
    expect(ended.said.slice(-2)).toEqual([
      `0.000000002 ether in orders below --minimum left in the rollup at ${before.contract}`,
      `0.000000008 ether deposited into ${after.contract}`,
    ]);
    await refused(`${words} --minimum 1e3`, '--minimum: must be a number of units', 2);
  });
});
