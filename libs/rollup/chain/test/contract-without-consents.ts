import { compile } from '@tetrad/compilers';
import { loadCircuit } from '@tetrad/rollup-circuits';
import { encodePoint, type Point } from '@tetrad/rollup-crypto';
import { hexFromBytes, type Address } from '@tetrad/types';
import { AbiCoder } from 'ethers/abi';
import { linkedCode } from '../src/contract/artifact.js';
import type { CreateContract } from '../src/contract/deploy-rollup.js';
import { verifierNames, verifierSource } from '../src/contract/generate-verifiers.js';
import { recordedCode } from './recorded-code.js';
import { deployStatedVerifiers } from './stated-proofs.js';

const CONSTRUCTOR = [
  'address',
  'uint256[2]',
  'tuple(uint256 stallTimeout, uint256 requestsPerTimeout, uint256 depositsPerTimeout, uint256 etherUnit, uint64 minDeposit)',
  'tuple(uint256 size, address verifier)[]',
];
const KIND = 'optimized';

/**
 * Deploys the last contract without consents, with the verifiers of the circuit that proves its batches; with `isStated` they take
 * statements as well.
 */
export async function deployWithoutConsents(
  create: CreateContract,
  {
    operator,
    operatorKey,
    sizes,
    isStated = false,
  }: {
    readonly operator: Address;
    readonly operatorKey: Point;
    readonly sizes: readonly number[];
    readonly isStated?: boolean;
  },
  { stallTimeout = 3_600, requestsPerTimeout = 4, depositsPerTimeout = 4, etherUnit = 1_000_000_000n } = {},
): Promise<Address> {
  const proving = await deployEarlierVerifiers(create, sizes);
  const verifiers = isStated ? await deployStatedVerifiers(create, proving) : proving;
  const address = await create(await recordedCode('state-proofs-without-consents'));
  const library = { name: 'StateProofs', file: 'StateProofs.sol', address };
  const code = linkedCode(await recordedCode('rollup-without-consents'), [library]);
  const key = encodePoint(operatorKey);
  const terms = { stallTimeout, requestsPerTimeout, depositsPerTimeout, etherUnit, minDeposit: 1n };
  const values = AbiCoder.defaultAbiCoder().encode(CONSTRUCTOR, [
    operator,
    [hexFromBytes(key.subarray(0, 32)), hexFromBytes(key.subarray(32))],
    terms,
    verifiers,
  ]);
  return create(`${code}${values.slice(2)}`);
}

/** The verifiers of the earlier circuit, which no build compiles any more. */
export async function deployEarlierVerifiers(
  create: CreateContract,
  sizes: readonly number[],
): Promise<{ readonly size: number; readonly verifier: Address }[]> {
  const verifiers = [];
  for (const size of sizes) verifiers.push({ size, verifier: await deployEarlierVerifier(create, size) });
  return verifiers;
}

/** Code of verifiers by their size. The compiler takes seconds for one. */
const compiled = new Map<number, Promise<string>>();

async function deployEarlierVerifier(create: CreateContract, size: number): Promise<Address> {
  const code = compiled.get(size) ?? compileEarlierVerifier(size);
  compiled.set(size, code);
  return create(await code);
}

async function compileEarlierVerifier(size: number): Promise<string> {
  const { contract, file } = verifierNames(size, KIND);
  const source = verifierSource(await loadCircuit(size, false), KIND);
  return compile({ [file]: { content: source } }, 'cancun').get(contract)?.bytecode ?? '';
}
