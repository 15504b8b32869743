import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { encryptKeyFile } from '@tetrad/keystore';
import { RollupContract, checkStatement, connectEthereum, readStatement } from '@tetrad/rollup-client';
import { loadConfig, parseCommandLine } from '@tetrad/service';
import type { Address } from '@tetrad/types';
import { AgreeingRollup } from '../../../libs/rollup/chain/test/agreeing-rollup.js';
import {
  describeWithAnvil,
  startChain,
  type TestChain,
} from '../../../libs/rollup/chain/test/anvil-chain.js';
import { signSuccessor, signSuccessorOptions } from '../src/commands/sign-successor.js';

/** Of the first two accounts of the client, whose mnemonic is public. */
const KEYS = {
  operator: 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  other: '59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
};

describeWithAnvil('the command sign-successor', () => {
  let chain: TestChain;
  let folder: string;
  let [before, after]: AgreeingRollup[] = [];

  beforeAll(async () => {
    chain = await startChain();
    folder = await mkdtemp(join(tmpdir(), 'tetrad-successor-'));
    await writeFile(join(folder, 'password'), 'development\n', { mode: 0o600 });
    for (const [name, key] of Object.entries(KEYS)) {
      const text = await encryptKeyFile(Buffer.from(key, 'hex'), 'development', { scryptN: 1_024 });
      await writeFile(join(folder, name), text, { mode: 0o600 });
    }
    before = await AgreeingRollup.deploy(chain);
    after = await AgreeingRollup.deploy(chain);
  });
  afterAll(async () => {
    await chain?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const sign = (successor: Address, { key = 'operator' } = {}) => {
    const keys = [
      '--submitter-key-file',
      join(folder, key),
      '--submitter-password-file',
      join(folder, 'password'),
    ];
    const places = ['--chain-url', chain.url, '--contract', before!.contract, '--successor', successor];
    const config = loadConfig({
      service: 'rollup-operator',
      options: signSuccessorOptions,
      commandLine: parseCommandLine([...places, ...keys], signSuccessorOptions),
      environment: {},
    });
    return signSuccessor(config);
  };

  it('signs what holders of the rollup check', async () => {
    const path = join(folder, 'statement.json');
    await writeFile(path, JSON.stringify(await sign(after!.contract)));
    const statement = await readStatement(path);
    const days = (statement.deadline - (await after!.now())) / 86_400;
    expect(days).toBe(90);
    const client = connectEthereum(chain.url);
    const rollup = await RollupContract.open(client, before!.contract);
    expect(await checkStatement(rollup, statement)).toBe(after!.contract);
    await client.close();
  });

  it('signs nothing for an account that is not the operator, and names both', async () => {
    await expect(sign(after!.contract, { key: 'other' })).rejects.toThrow(
      `--submitter-key-file: its account is ${chain.accounts[1]}, and the operator of the rollup is ${chain.accounts[0]}`,
    );
  });

  it('signs nothing for the same contract, or for one that is not a rollup', async () => {
    await expect(sign(before!.contract)).rejects.toThrow('--successor: must be another contract');
    await expect(sign(chain.accounts[5] as Address)).rejects.toThrow(
      `no rollup contract at ${chain.accounts[5]}`,
    );
  });
});
