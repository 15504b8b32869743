import { compile } from '@tetrad/compilers';
import { keccak256 } from '@tetrad/crypto';
import {
  publicInputWords,
  type BatchWitness,
  type Proof,
  type PublicInputs,
  type SizedProvers,
} from '@tetrad/rollup-circuits';
import { encodeWord } from '@tetrad/rollup-crypto';
import { ZERO_ADDRESS, type Address } from '@tetrad/types';
import {
  DEFAULT_MIN_DEPOSIT,
  deployLibraries,
  deployVerifier,
  deployedTerms,
  type CreateContract,
  type RollupOptions,
} from '../src/contract/deploy-rollup.js';
import { RollupCodec } from '../src/contract/rollup-contract.js';
import type { TestChain } from './anvil-chain.js';
import { sourcesOf } from './evm-contract.js';

interface SizedVerifier {
  readonly size: number;
  readonly verifier: Address;
}

/** Compiled once for a test file. */
let code: Promise<string> | undefined;

/**
 * Deploys a verifier in front of each of these, which takes the hash of the public inputs for a proof as well.
 * @param verifiers - of the circuits
 */
export async function deployStatedVerifiers(
  create: CreateContract,
  verifiers: readonly SizedVerifier[],
): Promise<SizedVerifier[]> {
  code ??= sourcesOf('stated-proofs.sol').then(
    (sources) => compile(sources).get('StatedProofs')?.bytecode ?? '',
  );
  const stated = [];
  for (const { size, verifier } of verifiers)
    stated.push({ size, verifier: await create(`${await code}${verifier.slice(2).padStart(64, '0')}`) });
  return stated;
}

/** Deploys verifiers that take the hash of the public inputs for a proof, and nothing else. */
export function deployStatementVerifiers(
  create: CreateContract,
  sizes: readonly number[],
): Promise<SizedVerifier[]> {
  return deployStatedVerifiers(
    create,
    sizes.map((size) => ({ size, verifier: ZERO_ADDRESS })),
  );
}

/**
 * Has a verifier of the release take the hash of the public inputs for a proof, and nothing else.
 *
 * @param chain - an anvil, which can change the code at an address
 * @param verifier - its address
 */
export async function stateProofs(chain: TestChain, verifier: Address): Promise<void> {
  const [stated] = await deployStatementVerifiers(chain.create, [1]);
  const code = await chain.ask<string>('eth_getCode', [stated!.verifier, 'latest']);
  await chain.ask('anvil_setCode', [verifier, code]);
}

/**
 * As `deployRollup`, over verifiers that take the hash of the public inputs for a proof as well.
 * @returns the address of the rollup
 */
export async function deployStatedRollup(create: CreateContract, options: RollupOptions): Promise<Address> {
  const verifiers = [];
  for (const size of options.sizes)
    verifiers.push({ size, verifier: await deployVerifier(create, size, options.verifier ?? 'standard') });
  const { stallTimeoutSeconds, requestsPerTimeout, depositsPerTimeout } = deployedTerms(options);
  const { abi } = new RollupCodec();
  const { operator, operatorKey, etherUnit, minDeposit = DEFAULT_MIN_DEPOSIT } = options;
  const values = abi.encodeDeploy([
    operator,
    [operatorKey.x, operatorKey.y],
    [stallTimeoutSeconds, requestsPerTimeout, depositsPerTimeout, etherUnit, minDeposit],
    await deployStatedVerifiers(create, verifiers),
  ]);
  return create(`${await deployLibraries(create)}${values.slice(2)}`);
}

/**
 * Executes the circuit, which takes a small part of the time of a proof, and states its public inputs in place of the proof.
 * @throws WitnessError for a batch that has no proof; CircuitError
 */
export async function statedProof(provers: SizedProvers, witness: BatchWitness): Promise<Proof> {
  const prover = await provers.open(witness.operations.length, witness.hasConsents === true);
  await prover.execute(witness);
  return {
    proof: statementOf(witness.publicInputs),
    publicInputs: publicInputWords(witness.publicInputs),
  };
}

/** What stated verifiers take for a proof of them. */
export function statementOf(inputs: PublicInputs): Uint8Array {
  return keccak256(Buffer.concat(publicInputWords(inputs).map(encodeWord)));
}
