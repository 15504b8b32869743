import {
  ChainRpcError,
  ContradictionError,
  immutableOf,
  isMaskedCode,
  loadKnownContracts,
  maskedValues,
  readDeploymentTerms,
  type DeploymentTerms,
  type EthereumClient,
  type KnownContracts,
  type KnownRollup,
  type MaskedValues,
} from '@tetrad/rollup-chain';
import type { Address, Hash } from '@tetrad/types';
import { ChainSnapshot } from './chain-snapshot.js';
import { checkLibraries, checkVerifier, type PartSearch, type VerifiedVerifier } from './check-parts.js';
import { describeUnknownCode } from './describe-code.js';
import { findCreation, type Creation } from './find-creation.js';
import { doubtsOfTerms } from './check-terms.js';
import { UnverifiedContractError } from './unverified-contract.js';

/** A contract that is one of a release. */
export interface VerifiedContract {
  readonly address: Address;
  readonly chainId: bigint;
  /** Which one of a release it is. */
  readonly version: string;
  readonly creation: Hash;
  /** Until it is final another contract may take its address. */
  readonly creationBlock: number;
  readonly terms: DeploymentTerms;
  readonly verifiers: readonly VerifiedVerifier[];
  /** What is unusual in the terms, in words. */
  readonly doubts: readonly string[];
  /** At which all was read. */
  readonly blockNumber: number;
  readonly blockHash: Hash;
}

/**
 * Verifies that a contract is one of a release: its code, how it was created, its libraries and each of its verifiers, in
 * the answers of one client at one block.
 *
 * @param client - an Ethereum client, which is believed
 * @param address - of the contract
 * @param options - `fromBlock`, of the creation or earlier; `known`, by default what ships
 * @returns what was found
 * @throws UnverifiedContractError with all that differs; ChainUnavailableError; OperatorError when the chain changed meanwhile
 */
export async function verifyContract(
  client: EthereumClient,
  address: Address,
  options: { readonly fromBlock: number; readonly known?: KnownContracts },
): Promise<VerifiedContract> {
  const known = options.known ?? (await loadKnownContracts());
  try {
    const snapshot = await ChainSnapshot.take(client);
    const verified = await verify(snapshot, address, { fromBlock: options.fromBlock, known });
    await snapshot.assertSame();
    return verified;
  } catch (error) {
    if (error instanceof ChainRpcError)
      throw new UnverifiedContractError(address, [`the client refuses to answer (${error.message})`]);
    throw error;
  }
}

async function verify(
  snapshot: ChainSnapshot,
  address: Address,
  { fromBlock, known }: { readonly fromBlock: number; readonly known: KnownContracts },
): Promise<VerifiedContract> {
  const { chainId, blockNumber, blockHash } = snapshot;
  const { rollup, values } = knownCode(known, address, await snapshot.code(address));
  const creation = await findCreation(snapshot, address, fromBlock);
  const terms = termsOfCreation(creation, rollup, { address, values });
  const search: PartSearch = { snapshot, creation, differences: [] };
  search.differences.push(...wrongImmutables(values, terms, { chainId, address }));
  await checkLibraries(search, 'the contract', rollup.libraries, values.addresses);
  const verifiers: VerifiedVerifier[] = [];
  for (const sized of terms.verifiers) {
    const verifier = await checkVerifier(search, known, { ...sized, hasConsents: rollup.hasConsents });
    if (verifier !== undefined) verifiers.push(verifier);
  }
  if (terms.verifiers.length === 0) search.differences.push('it has no verifier, and takes no batch');
  if (search.differences.length > 0) throw new UnverifiedContractError(address, search.differences);
  return {
    address,
    chainId,
    version: rollup.version,
    creation: creation.hash,
    terms,
    verifiers,
    creationBlock: creation.blockNumber,
    doubts: doubtsOfTerms(terms),
    blockNumber,
    blockHash,
  };
}

function knownCode(
  { rollups }: KnownContracts,
  address: Address,
  code: Uint8Array,
): { readonly rollup: KnownRollup; readonly values: MaskedValues } {
  const rollup = rollups.find((each) => isMaskedCode(code, each.code));
  if (rollup === undefined)
    throw new UnverifiedContractError(address, [`the contract: ${describeUnknownCode(code)}`]);
  return { rollup, values: valuesOf(address, 'the contract', () => maskedValues(code, rollup.code)) };
}

function valuesOf(address: Address, what: string, read: () => MaskedValues): MaskedValues {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ContradictionError)) throw error;
    throw new UnverifiedContractError(address, [`${what}: ${error.message}`]);
  }
}

/** @throws UnverifiedContractError when another constructor ran, or with arguments that `deploy` does not write */
function termsOfCreation(
  { input, hash }: Creation,
  { creation, takes }: KnownRollup,
  { address, values }: { readonly address: Address; readonly values: MaskedValues },
): DeploymentTerms {
  const what = `its creation in ${hash}`;
  const fail = (difference: string) => new UnverifiedContractError(address, [`${what}: ${difference}`]);
  const code = input.subarray(0, creation.bytes);
  if (!isMaskedCode(code, creation))
    throw fail('the constructor is of no version, and may have written any state');
  const { addresses } = valuesOf(address, what, () => maskedValues(code, creation));
  for (const [library, where] of addresses)
    if (values.addresses.get(library) !== where) throw fail(`library ${library} was ${where}`);
  const terms = readDeploymentTerms(takes, input.subarray(creation.bytes));
  if (terms === undefined) throw fail('the arguments of the constructor are not as a deployment writes them');
  return terms;
}

function wrongImmutables(
  { words }: MaskedValues,
  terms: DeploymentTerms,
  place: { readonly chainId: bigint; readonly address: Address },
): string[] {
  return [...words]
    .filter(([name, value]) => value !== immutableOf(name, terms, place))
    .map(([name, value]) => `the contract: ${name} is ${value}, not ${immutableOf(name, terms, place)}`);
}
