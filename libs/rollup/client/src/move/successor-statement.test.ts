import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey, signDigest } from '@tetrad/crypto';
import { hexFromBytes, parseAddress, type Hex } from '@tetrad/types';
import { Wallet } from 'ethers/wallet';
import type { RollupContract } from '../chain/rollup-contract.js';
import {
  checkStatement,
  readStatement,
  signStatement,
  statementJson,
  type SignedStatement,
  type SuccessorStatement,
} from './successor-statement.js';

const contract = parseAddress('0xca843569e3427144cead5e4d5999a3d0ccf92b8e');
const successor = parseAddress('0x0fbdc686b912d7722dc86510934589e0aaf3b55a');
const operatorKey = new Uint8Array(32).fill(7);
const otherKey = new Uint8Array(32).fill(8);
const NOW = 1_000_000;
const said: SuccessorStatement = { chainId: 31_337n, contract, successor, deadline: NOW + 1 };
const signedBy = (key: Uint8Array, statement = said) =>
  signStatement(statement, async (digest) => signDigest(digest, key));
const rollup = {
  address: contract,
  client: { chainId: async () => 31_337n, head: async () => ({ timestamp: NOW }) },
  values: async () => [addressFromPrivateKey(operatorKey)],
} as unknown as RollupContract;

describe('a statement of a successor', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tetrad-statement-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const readText = async (text: string) => {
    const path = join(folder, 'statement.json');
    await writeFile(path, text);
    return readStatement(path);
  };

  it('has the signature that a wallet makes of the struct (EIP-712)', async () => {
    const wallet = await new Wallet(hexFromBytes(operatorKey)).signTypedData(
      { name: 'Tetrad Rollup', version: '3', chainId: said.chainId, verifyingContract: contract },
      {
        Successor: [
          { name: 'successor', type: 'address' },
          { name: 'deadline', type: 'uint256' },
        ],
      },
      { successor, deadline: said.deadline },
    );
    expect((await signedBy(operatorKey)).signature).toBe(wallet);
  });

  it('is read as it was written, and names the successor', async () => {
    const signed = await signedBy(operatorKey);
    const read = await readText(JSON.stringify(statementJson(signed)));
    expect(read).toEqual(signed);
    expect(await checkStatement(rollup, read)).toBe(successor);
  });

  const other = parseAddress(`0x${'11'.repeat(20)}`);
  const changes: readonly (readonly [string, Partial<SignedStatement>, string])[] = [
    ['of another chain', { chainId: 1n }, 'chainId: it is of chain 1, not 31337'],
    ['of another rollup', { contract: other }, `contract: it is of the rollup at ${other}`],
    ['for another successor', { successor: other }, 'signature: it is of 0x'],
    ['for longer', { deadline: NOW + 2 }, 'signature: it is of 0x'],
    ['with no signature', { signature: `0x${'00'.repeat(64)}1b` as Hex }, 'signature: it is of no account'],
    ['with another v', { signature: `0x${'11'.repeat(64)}1d` as Hex }, 'signature: it is of no account'],
  ];
  it.each(changes)('is refused when it was changed to be %s', async (_, change, fault) => {
    const signed = { ...(await signedBy(operatorKey)), ...change };
    await expect(checkStatement(rollup, signed)).rejects.toThrow(
      `the statement of the successor is refused: ${fault}`,
    );
  });

  it('is refused when another account signed it, who it names, and that of the operator', async () => {
    await expect(checkStatement(rollup, await signedBy(otherKey))).rejects.toThrow(
      `signature: it is of ${addressFromPrivateKey(otherKey)}, and the operator of the rollup is ${addressFromPrivateKey(operatorKey)}`,
    );
  });

  it('is refused from its deadline on', async () => {
    const late = await signedBy(operatorKey, { ...said, deadline: NOW });
    await expect(checkStatement(rollup, late)).rejects.toThrow(
      'deadline: it was good until 1970-01-12T13:46:40',
    );
  });

  it.each([
    ['no JSON', 'nothing', 'the file'],
    ['another version', '{"version":2}', 'version'],
    ['more fields', '{"version":1,"more":1}', 'chainId'],
    ['more than a statement has', 'x'.repeat(4_097), 'the file has more than 4096 bytes'],
  ])('is refused as a file with %s', async (_, text, fault) => {
    await expect(readText(text)).rejects.toThrow(`the statement of the successor is refused: ${fault}`);
  });

  it('says which file cannot be read', async () => {
    await expect(readStatement(join(folder, 'none'))).rejects.toThrow('none: cannot be read (ENOENT)');
  });
});
