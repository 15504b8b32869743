import {
  isCreatedBefore,
  isMaskedCode,
  maskedValues,
  type KnownContracts,
  type KnownVerifier,
  type MaskedCode,
} from '@tetrad/rollup-chain';
import type { Address } from '@tetrad/types';
import type { ChainSnapshot } from './chain-snapshot.js';
import { describeUnknownCode } from './describe-code.js';
import type { Creation } from './find-creation.js';

/** Where parts of a rollup are looked for, and what is found to be different. */
export interface PartSearch {
  readonly snapshot: ChainSnapshot;
  readonly creation: Creation;
  readonly differences: string[];
}

/**
 * Contracts that one deployment creates before the rollup, with room for attempts that failed: who deploys
 * makes some transactions for each size of batches.
 */
const NONCES_BEFORE = 1_000;

/** A verifier that is one of a release. */
export interface VerifiedVerifier {
  readonly size: number;
  readonly address: Address;
  readonly kind: KnownVerifier['kind'];
  readonly verificationKey: string;
}

/**
 * Checks libraries that a contract calls.
 *
 * @param search - adds to `differences`
 * @param owner - whose libraries, in words
 * @param codes - library → its code in the release
 * @param addresses - library → where the owner calls it
 */
export async function checkLibraries(
  search: PartSearch,
  owner: string,
  codes: Readonly<Record<string, MaskedCode>>,
  addresses: ReadonlyMap<string, string>,
): Promise<void> {
  for (const [name, known] of Object.entries(codes)) {
    const address = addresses.get(name) as Address;
    const what = `library ${name} of ${owner} at ${address}`;
    const code = await search.snapshot.code(address);
    if (!isMaskedCode(code, known)) search.differences.push(`${what}: ${describeUnknownCode(code)}`);
    else if (maskedValues(code, known).addresses.get('this') !== address)
      search.differences.push(`${what}: it was deployed at another address`);
    checkCreation(search, what, address);
  }
}

/**
 * Checks the verifier of one size of batches, and its libraries.
 *
 * @param search - adds to `differences`
 * @param known - all verifiers of the release
 * @param sized - a size of the contract, its verifier, and whether the contract has consents: another circuit proves no account of it
 * @returns undefined for one that is not of a release
 */
export async function checkVerifier(
  search: PartSearch,
  { verifiers }: KnownContracts,
  {
    size,
    verifier: address,
    hasConsents,
  }: { readonly size: bigint; readonly verifier: Address; readonly hasConsents: boolean },
): Promise<VerifiedVerifier | undefined> {
  const what = `the verifier of batches of ${size} at ${address}`;
  const code = await search.snapshot.code(address);
  const found = verifiers.filter((known) => isMaskedCode(code, known.code));
  const known = found.find((each) => BigInt(each.size) === size && each.hasConsents === hasConsents);
  if (known === undefined) {
    search.differences.push(`${what}: ${describeOther(found, verifiers, { size, code })}`);
    return undefined;
  }
  checkCreation(search, what, address);
  await checkLibraries(search, what, known.libraries, maskedValues(code, known.code).addresses);
  return { size: known.size, address, kind: known.kind, verificationKey: known.verificationKey };
}

function describeOther(
  [other]: readonly KnownVerifier[],
  verifiers: readonly KnownVerifier[],
  { size, code }: { readonly size: bigint; readonly code: Uint8Array },
): string {
  if (other !== undefined && BigInt(other.size) === size)
    return `it is of the circuit ${other.hasConsents ? 'with' : 'without'} consents, and the contract is not`;
  if (other !== undefined) return `it verifies batches of ${other.size}`;
  if (code.length > 0 && !verifiers.some((known) => BigInt(known.size) === size))
    return 'this release has no verifier of that size';
  return describeUnknownCode(code);
}

/** What has the right code now had it always, if it could be created only once. */
function checkCreation({ creation, differences }: PartSearch, what: string, address: Address): void {
  if (!isCreatedBefore(address, creation, NONCES_BEFORE))
    differences.push(
      `${what}: ${creation.from}, who created the contract, did not create it before by a transaction, so that it may have had other code`,
    );
}
