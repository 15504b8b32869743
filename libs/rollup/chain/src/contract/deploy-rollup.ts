import { BUILT_SIZES, type VerifierKind } from '@tetrad/rollup-circuits';
import { encodePoint, isOnCurve, type Point } from '@tetrad/rollup-crypto';
import { OperatorError, hexFromBytes, type Address, type Hex } from '@tetrad/types';
import { AbiCoder } from 'ethers/abi';
import { loadContract, loadVerifier } from './artifact.js';
import { verifierNames } from './generate-verifiers.js';

/** Sends the creation of a contract, and waits until it is mined. Out: where it is. */
export type CreateContract = (code: string) => Promise<Address>;

export interface RollupOptions {
  /** Ethereum account of the operator, which submits batches. */
  readonly operator: Address;
  /** Its half of joint encryption keys. */
  readonly operatorKey: Point;
  /** Seconds after which an unserved deposit or request is overdue. */
  readonly stallTimeoutSeconds: number;
  /** Blocks between two batches of one party while something is overdue; 32 by default. */
  readonly turnBlocks?: number | undefined;
  /** Wei in one unit of the rollup: amounts in it are below 2^64. */
  readonly etherUnit: bigint;
  /** Smallest deposit of any token, in units of the rollup; 1 by default. */
  readonly minDeposit?: bigint | undefined;
  /** Sizes of batches that it accepts; the build has made a verifier for each. */
  readonly sizes: readonly number[];
  /** Which verifiers: what the chain runs, as `verifierOf` finds it. By default the standard ones, which run on every chain. */
  readonly verifier?: VerifierKind;
}

export const DEFAULT_STALL_TIMEOUT_SECONDS = 86_400;
/** A holder reads the chain, proves a batch of two and submits it in some seconds. */
export const DEFAULT_TURN_BLOCKS = 32;
/** What contracts take that do not say. */
export const DEFAULT_MIN_DEPOSIT = 1n;

const CONSTRUCTOR = [
  'address',
  'uint256[2]',
  'uint256',
  'uint256',
  'uint256',
  'uint64',
  'tuple(uint256 size, address verifier)[]',
];

/**
 * Deploys a verifier for each size and the rollup over them.
 *
 * Fails: OperatorError for sizes that leave holders no exit; ArtifactError for a size that was not built; RangeError for a key
 *        off the curve
 */
export async function deployRollup(create: CreateContract, options: RollupOptions): Promise<Address> {
  if (!isOnCurve(options.operatorKey)) throw new RangeError('the operator key is not a point of the curve');
  assertExitable(options.sizes);
  const verifiers: { readonly size: number; readonly verifier: Address }[] = [];
  for (const size of options.sizes)
    verifiers.push({ size, verifier: await deployVerifier(create, size, options.verifier ?? 'standard') });
  const { bytecode } = await loadContract('Rollup');
  return create(bytecode + constructorArguments(options, verifiers).slice(2));
}

/** A holder proves the batch of its exit, with the circuits and points that clients come with. */
function assertExitable(sizes: readonly number[]): void {
  if (sizes.some((size) => BUILT_SIZES.some((built) => built === size))) return;
  const built = BUILT_SIZES.join(' or ');
  throw new OperatorError(`--batch-sizes: ${built} must be among them, or no holder can prove its exit`);
}

async function deployVerifier(create: CreateContract, size: number, kind: VerifierKind): Promise<Address> {
  const names = verifierNames(size, kind);
  const libraries = new Map<string, Address>();
  for (const name of names.libraries) libraries.set(name, await create((await loadContract(name)).bytecode));
  return create(await loadVerifier(names, libraries));
}

function constructorArguments(options: RollupOptions, verifiers: readonly object[]): Hex {
  const key = encodePoint(options.operatorKey);
  return AbiCoder.defaultAbiCoder().encode(CONSTRUCTOR, [
    options.operator,
    [hexFromBytes(key.subarray(0, 32)), hexFromBytes(key.subarray(32))],
    options.stallTimeoutSeconds,
    options.turnBlocks ?? DEFAULT_TURN_BLOCKS,
    options.etherUnit,
    options.minDeposit ?? DEFAULT_MIN_DEPOSIT,
    verifiers,
  ]) as Hex;
}
