import type { VerifierKind } from '@tetrad/rollup-circuits';
import { encodePoint, isOnCurve, type Point } from '@tetrad/rollup-crypto';
import { OperatorError, hexFromBytes, type Address, type Hex } from '@tetrad/types';
import { AbiCoder } from 'ethers/abi';
import { loadContract, loadLinked, type Library } from './artifact.js';
import { verifierNames } from './generate-verifiers.js';
import { ratePerTimeout, type ServingTerms } from './request-load.js';

/**
 * Sends the creation of a contract, and waits until it is mined.
 * @returns where it is
 */
export type CreateContract = (code: string) => Promise<Address>;

export interface RollupOptions {
  /** Ethereum account of the operator, which submits batches. */
  readonly operator: Address;
  /** Its half of joint encryption keys. */
  readonly operatorKey: Point;
  /** Seconds after which an unserved deposit or request is overdue at the earliest: then anyone may freeze the rollup. */
  readonly stallTimeoutSeconds: number;
  /** Operations that holders of one token can ask for in that time (docs/adr/0241); 300 for a day by default. */
  readonly requestsPerTimeout?: number | undefined;
  /** Deposits that the operator has to take in that time when so many are made; 1,500 for a day by default. */
  readonly depositsPerTimeout?: number | undefined;
  /** Wei in one unit of the rollup: amounts in it are below 2^64. */
  readonly etherUnit: bigint;
  /** Smallest deposit and request of any token, in units of the rollup; 1 by default. */
  readonly minDeposit?: bigint | undefined;
  /** Sizes of batches that it accepts; the build has made a verifier for each. */
  readonly sizes: readonly number[];
  /** Fails where the promise would not be kept; called when all that the rollup stands on is there, and it is not. */
  readonly assertKept?: () => void;
  /** Which verifiers: what the chain runs, as `verifierOf` finds it. By default the standard ones, which run on every chain. */
  readonly verifier?: VerifierKind;
}

export const DEFAULT_STALL_TIMEOUT_SECONDS = 86_400;
/**
 * Three quarters of what batches of two serve on a chain that has a block in 12 seconds, one batch a block (`capacityPerTimeout`): the
 * promise is for good, and what the chain and the provers do is not.
 */
const DEFAULT_REQUESTS_A_DAY = 300;
const DEFAULT_DEPOSITS_A_DAY = 1_500;
/** What contracts take that do not say. */
export const DEFAULT_MIN_DEPOSIT = 1n;

const CONSTRUCTOR = [
  'address',
  'uint256[2]',
  'tuple(uint256 stallTimeout, uint256 requestsPerTimeout, uint256 depositsPerTimeout, uint256 etherUnit, uint64 minDeposit)',
  'tuple(uint256 size, address verifier)[]',
];

/**
 * Deploys a verifier for each size, the library of state proofs, and the rollup over them.
 *
 * @param create - sends the creation of a contract
 * @param options - what is fixed for good
 * @returns the address of the rollup
 * @throws OperatorError for sizes that no rollup can have; ArtifactError for a size that was not built; RangeError for a key off the curve
 */
export async function deployRollup(create: CreateContract, options: RollupOptions): Promise<Address> {
  if (!isOnCurve(options.operatorKey)) throw new RangeError('the operator key is not a point of the curve');
  assertSizes(options.sizes);
  const verifiers = await deployVerifiers(create, options);
  const code = await deployLibraries(create);
  options.assertKept?.();
  return create(code + constructorArguments(options, verifiers).slice(2));
}

/**
 * Deploys a verifier for each size.
 *
 * @param create - sends the creation of a contract
 * @param options - which sizes, and which verifiers
 * @returns the sizes with their verifiers
 */
async function deployVerifiers(
  create: CreateContract,
  { sizes, verifier = 'standard' }: Pick<RollupOptions, 'sizes' | 'verifier'>,
): Promise<{ readonly size: number; readonly verifier: Address }[]> {
  const verifiers = [];
  for (const size of sizes) verifiers.push({ size, verifier: await deployVerifier(create, size, verifier) });
  return verifiers;
}

/**
 * Deploys what the rollup is linked with.
 *
 * @param create - sends the creation of a contract
 * @returns the code of the rollup's creation, before its arguments
 */
export async function deployLibraries(create: CreateContract): Promise<string> {
  const address = await create((await loadContract(STATE_PROOFS)).bytecode);
  return loadLinked('Rollup', [{ name: STATE_PROOFS, file: `${STATE_PROOFS}.sol`, address }]);
}

const STATE_PROOFS = 'StateProofs';
/** Places in the tree of a batch's orders. */
const MAX_SIZE = 4_096;

function assertSizes(sizes: readonly number[]): void {
  if (sizes.length === 0) throw new OperatorError('--batch-sizes: at least one is needed');
  for (const [index, size] of sizes.entries()) {
    if (!Number.isInteger(size) || size < 1 || size > MAX_SIZE)
      throw new OperatorError(`--batch-sizes: ${size} is not from 1 to ${MAX_SIZE}`);
    if (sizes.indexOf(size) !== index) throw new OperatorError(`--batch-sizes: ${size} is there twice`);
  }
}

/**
 * Deploys the verifier of batches of one size.
 *
 * @param create - sends the creation of a contract
 * @param size - operations in a batch
 * @param kind - which verifier
 * @returns its address
 * @throws ArtifactError for a size that was not built
 */
export async function deployVerifier(
  create: CreateContract,
  size: number,
  kind: VerifierKind,
): Promise<Address> {
  const names = verifierNames(size, kind);
  const libraries: Library[] = [];
  for (const name of names.libraries) {
    const address = await create((await loadContract(name)).bytecode);
    libraries.push({ name, file: names.file, address });
  }
  return create(await loadLinked(names.contract, libraries));
}

/**
 * What the operator of a contract with these options has to serve.
 *
 * @param options - of the deployment
 * @returns terms with ether as the only token
 */
export function deployedTerms({
  stallTimeoutSeconds,
  requestsPerTimeout,
  depositsPerTimeout,
}: Pick<RollupOptions, 'stallTimeoutSeconds' | 'requestsPerTimeout' | 'depositsPerTimeout'>): ServingTerms {
  return {
    stallTimeoutSeconds,
    requestsPerTimeout: requestsPerTimeout ?? ratePerTimeout(DEFAULT_REQUESTS_A_DAY, stallTimeoutSeconds),
    depositsPerTimeout: depositsPerTimeout ?? ratePerTimeout(DEFAULT_DEPOSITS_A_DAY, stallTimeoutSeconds),
    tokens: 1,
  };
}

function constructorArguments(options: RollupOptions, verifiers: readonly object[]): Hex {
  const key = encodePoint(options.operatorKey);
  const { stallTimeoutSeconds, requestsPerTimeout, depositsPerTimeout } = deployedTerms(options);
  const terms = [
    stallTimeoutSeconds,
    requestsPerTimeout,
    depositsPerTimeout,
    options.etherUnit,
    options.minDeposit ?? DEFAULT_MIN_DEPOSIT,
  ];
  return AbiCoder.defaultAbiCoder().encode(CONSTRUCTOR, [
    options.operator,
    [hexFromBytes(key.subarray(0, 32)), hexFromBytes(key.subarray(32))],
    terms,
    verifiers,
  ]) as Hex;
}
