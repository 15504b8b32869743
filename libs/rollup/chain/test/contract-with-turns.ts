import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodePoint, type Point } from '@tetrad/rollup-crypto';
import { hexFromBytes, type Address } from '@tetrad/types';
import { AbiCoder } from 'ethers/abi';
import type { CreateContract } from '../src/contract/deploy-rollup.js';

const CONSTRUCTOR = [
  ...['address', 'uint256[2]', 'uint256', 'uint256', 'uint256', 'uint64'],
  'tuple(uint256 size, address verifier)[]',
];

/** Deploys the contract that was deployed before the present one (recorded/ORIGIN.md). */
export async function deployWithTurns(
  create: CreateContract,
  {
    operator,
    operatorKey,
    verifiers,
  }: {
    readonly operator: Address;
    readonly operatorKey: Point;
    readonly verifiers: readonly { readonly size: number; readonly verifier: Address }[];
  },
  { stallTimeout = 3_600, turnBlocks = 32, etherUnit = 1_000_000_000n, minDeposit = 1n } = {},
): Promise<Address> {
  const text = await readFile(join(import.meta.dirname, 'recorded', 'rollup-with-turns.hex'), 'utf8');
  const key = encodePoint(operatorKey);
  const values = AbiCoder.defaultAbiCoder().encode(CONSTRUCTOR, [
    ...[operator, [hexFromBytes(key.subarray(0, 32)), hexFromBytes(key.subarray(32))]],
    ...[stallTimeout, turnBlocks, etherUnit, minDeposit, verifiers],
  ]);
  return create(`0x${text.replaceAll('\n', '')}${values.slice(2)}`);
}
