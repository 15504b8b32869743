import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createRollupKeyFile, type RollupKeys } from '@tetrad/rollup-client';
import type { Address } from '@tetrad/types';
import {
  describeWithAnvil,
  startChain,
  type TestChain,
} from '../../../libs/rollup/chain/test/anvil-chain.js';
import { AlteredContracts } from '../../../libs/rollup/client/test/altered-contracts.js';

const MAIN = fileURLToPath(new URL('../bundle/main.js', import.meta.url));

/** How a process ended. */
interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

describeWithAnvil('./tetrad rollup and a contract', () => {
  let chain: TestChain;
  let folder: string;
  let alice: RollupKeys;
  let honest: Address;
  let altered: Address;
  let slow: Address;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tetrad-verify-'));
    await writeFile(join(folder, 'password'), 'correct horse\n', { mode: 0o600 });
    chain = await startChain(['--hardfork', 'cancun']);
    alice = await createRollupKeyFile(join(folder, 'alice'), 'correct horse', { scryptN: 1024 });
    await chain.ask('anvil_setBalance', [alice.address, `0x${(10n ** 20n).toString(16)}`]);
    const contracts = await AlteredContracts.start(chain);
    const { verifier, agreeing } = contracts;
    honest = await contracts.over({ size: 2n, verifier });
    altered = await contracts.over({ size: 2n, verifier }, { size: 1n, verifier: agreeing });
    slow = await contracts.waiting(4_000_000_000n);
  });
  afterAll(async () => {
    await chain?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const run = (contract: Address, ...words: readonly string[]): Promise<Ended> => {
    const child = spawn(
      process.execPath,
      [MAIN, ...words, '--chain-url', chain.url, '--contract', contract],
      { env: { ...process.env, NODE_OPTIONS: '' } },
    );
    let [output, errors] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    return new Promise((done, fail) => {
      child.once('error', fail);
      child.once('close', (code) => done({ code, output, errors }));
    });
  };
  const keys = () => ['--key-file', join(folder, 'alice'), '--password-file', join(folder, 'password')];
  const deposit = () => ['deposit', '--account', '1', '--amount', '5', ...keys()];
  const sentByAlice = async () =>
    Number(await chain.ask<string>('eth_getTransactionCount', [alice.address, 'latest']));
  const REFUSAL =
    /^tetrad rollup: the contract at \w+ is not verified: the verifier of batches of 1 at \w+: its code/;

  it('verify-contract says what it is, and by which client', async () => {
    const { code, output, errors } = await run(honest, 'verify-contract');
    expect([code, errors]).toEqual([0, '']);
    expect(output).toContain(`the contract at ${honest} of chain 31337 is the one of this release (present)`);
    expect(output).toMatch(/^batches of 2: standard verifier at 0x\w{40}, key 0x\w{64}$/m);
    expect(output).toMatch(/^time-out 86400 s, with 300 requests of each token and 1500 deposits in it$/m);
    expect(output).toMatch(/^created in block \d+, \d+ blocks before$/m);
    expect(output).toMatch(/^so says the client at block \d+, 0x\w{64}$/m);
    const json = await run(honest, 'verify-contract', '--json');
    expect(JSON.parse(json.output)).toMatchObject({
      address: honest,
      version: 'present',
      isFrozen: false,
      doubts: [],
      verifiers: [{ size: 2, kind: 'standard' }],
    });
  });

  it('verify-contract refuses an altered one with what differs', async () => {
    const { code, output, errors } = await run(altered, 'verify-contract');
    expect([code, output]).toEqual([1, '']);
    expect(errors).toMatch(REFUSAL);
  });

  it('deposit and account register refuse an altered contract, and send nothing', async () => {
    for (const words of [deposit(), [...deposit(), '--yes'], ['account', 'register', ...keys(), '--yes']]) {
      const { code, output, errors } = await run(altered, ...words);
      expect([words[0], code, output]).toEqual([words[0], 1, '']);
      expect(errors).toMatch(REFUSAL);
    }
    expect(await sentByAlice()).toBe(0);
  });

  it('deposit asks about terms with which holders wait for years', async () => {
    const { code, output, errors } = await run(slow, ...deposit());
    expect([code, output, await sentByAlice()]).toEqual([1, '', 0]);
    expect(errors).toContain('(stallTimeout); nothing is signed. With --yes it is');
    // There is no account 1 yet: the contract is asked.
    const sure = await run(slow, ...deposit(), '--yes');
    expect(sure.errors).toContain('UnknownAccount');
  });

  it('exit asks about an altered contract, and leaves it with --yes', async () => {
    const { code, errors } = await run(altered, 'exit', ...keys());
    expect(code).toBe(1);
    expect(errors).toMatch(REFUSAL);
    expect(errors).toContain('With --yes it is');
    const sure = await run(altered, 'exit', ...keys(), '--yes');
    expect(sure.errors).toMatch(REFUSAL);
    expect(sure.errors).toContain('the rollup has no account of these keys');
    const right = await run(honest, 'exit', ...keys());
    expect(right.errors).toBe('tetrad rollup: the rollup has no account of these keys\n');
  });
});
