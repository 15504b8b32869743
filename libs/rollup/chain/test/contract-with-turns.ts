import { encodePoint, type Point } from '@tetrad/rollup-crypto';
import { hexFromBytes, type Address } from '@tetrad/types';
import { AbiCoder } from 'ethers/abi';
import type { CreateContract } from '../src/contract/deploy-rollup.js';
import { recordedCode } from './recorded-code.js';

const CONSTRUCTOR = [
  'address',
  'uint256[2]',
  'uint256',
  'uint256',
  'uint256',
  'uint64',
  'tuple(uint256 size, address verifier)[]',
];

/** Deploys the last contract with turns (recorded/ORIGIN.md). */
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
  const key = encodePoint(operatorKey);
  const values = AbiCoder.defaultAbiCoder().encode(CONSTRUCTOR, [
    operator,
    [hexFromBytes(key.subarray(0, 32)), hexFromBytes(key.subarray(32))],
    stallTimeout,
    turnBlocks,
    etherUnit,
    minDeposit,
    verifiers,
  ]);
  return create(`${await recordedCode('rollup-with-turns')}${values.slice(2)}`);
}
