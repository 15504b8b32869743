import { createHash } from 'node:crypto';
import { Common, Hardfork, Mainnet } from '@ethereumjs/common';
import { createEVM, type EVM } from '@ethereumjs/evm';
import type { Circuit, VerifierKind } from '@tetrad/rollup-circuits';
import { bytesFromHex, parseHash, type Address, type Hex } from '@tetrad/types';
import { linkPlaceholder, linkedCode, type Library } from '../contract/artifact.js';
import { verifierNames } from '../contract/generate-verifiers.js';
import type { KnownRollup, KnownVerifier } from '../known/known-contracts.js';
import { maskedHash, type MaskedCode, type Places } from '../known/masked-code.js';

/** What the compiler makes of a contract. */
export interface CompiledContract {
  readonly bytecode: string;
  readonly deployedBytecode: string;
  readonly immutables: Places;
}

/** Contract → what it was compiled to. */
export type CompiledContracts = (name: string) => Promise<CompiledContract>;

const GAS = 100_000_000n;
const STATE_PROOFS = 'StateProofs';

/** Arguments of constructors, with the names that `readDeploymentTerms` knows. */
const SIZED = 'tuple(uint256 size, address verifier)[] verifiers';
const TERMS =
  'tuple(uint256 stallTimeout, uint256 requestsPerTimeout, uint256 depositsPerTimeout, uint256 etherUnit, uint64 minDeposit) terms';
const FREEZE_ARGUMENTS = `tuple(address operator, uint256[2] operatorKey, ${TERMS}, ${SIZED})`;
export const TURNS_ARGUMENTS = `tuple(address operator, uint256[2] operatorKey, uint256 stallTimeout, uint256 turnBlocks, uint256 etherUnit, uint64 minDeposit, ${SIZED})`;

/** The contract that is deployed now. */
export async function recordRollup(contracts: CompiledContracts): Promise<KnownRollup> {
  const [rollup, proofs] = await Promise.all([contracts('Rollup'), contracts(STATE_PROOFS)]);
  const libraries = { [STATE_PROOFS]: `${STATE_PROOFS}.sol` };
  return {
    version: 'present',
    hasConsents: true,
    takes: FREEZE_ARGUMENTS,
    creation: codeOf(rollup.bytecode, { libraries }),
    code: codeOf(rollup.deployedBytecode, { libraries, words: rollup.immutables }),
    libraries: { [STATE_PROOFS]: libraryCode(proofs) },
  };
}

/** A contract of an earlier version, without libraries. */
export function recordEarlier(version: string, takes: string, contract: CompiledContract): KnownRollup {
  const code = codeOf(contract.deployedBytecode, { words: contract.immutables });
  return { version, hasConsents: false, takes, creation: codeOf(contract.bytecode), code, libraries: {} };
}

/** The verifier of a circuit. Its immutables are the same in every deployment: they are taken from one. */
export async function recordVerifier(
  contracts: CompiledContracts,
  circuit: Pick<Circuit, 'size' | 'hasConsents' | 'version' | 'verificationKey'>,
  kind: VerifierKind,
): Promise<KnownVerifier> {
  const { contract, libraries, file } = verifierNames(circuit.size, kind);
  const compiled = await contracts(contract);
  const files = Object.fromEntries(libraries.map((name) => [name, file]));
  const codes: Record<string, MaskedCode> = {};
  for (const name of libraries) codes[name] = libraryCode(await contracts(name));
  const { addresses } = codeOf(compiled.deployedBytecode, { libraries: files });
  const deployed = await deployedCode(compiled, libraries, file);
  return {
    size: circuit.size,
    kind,
    hasConsents: circuit.hasConsents,
    circuit: circuit.version,
    verificationKey: parseHash(`0x${createHash('sha256').update(circuit.verificationKey).digest('hex')}`),
    code: masked(deployed, { words: {}, addresses }),
    libraries: codes,
  };
}

/** Code as an EVM keeps it: any chain has the same, but for addresses of libraries. */
async function deployedCode(
  compiled: CompiledContract,
  libraries: readonly string[],
  file: string,
): Promise<Uint8Array> {
  const common = new Common({ chain: Mainnet, hardfork: Hardfork.Cancun });
  const evm: EVM = await createEVM({ common });
  // Nothing is called while it is created, so that any address does.
  const linked = libraries.map((name): Library => ({
    name,
    file,
    address: `0x${'11'.repeat(20)}` as Address,
  }));
  const data = bytesFromHex(linkedCode(compiled.bytecode, linked) as Hex);
  const { execResult } = await evm.runCall({ data, gasLimit: GAS });
  if (execResult.exceptionError !== undefined)
    throw new Error(`not created: ${execResult.exceptionError.error}`);
  return execResult.returnValue;
}

/** The compiler writes the address of a library into its own code when it is deployed, behind PUSH20. */
const libraryCode = ({ deployedBytecode }: CompiledContract): MaskedCode =>
  masked(bytesFromHex(deployedBytecode as Hex), { words: {}, addresses: { this: [1] } });

/** @param options.libraries - name → file, as the compiler names them where their addresses belong */
function codeOf(
  code: string,
  {
    libraries = {},
    words = {},
  }: { readonly libraries?: Readonly<Record<string, string>>; readonly words?: Places } = {},
): MaskedCode {
  const addresses: Record<string, number[]> = {};
  let rest = code;
  for (const [name, file] of Object.entries(libraries)) {
    const placeholder = linkPlaceholder(`${file}:${name}`);
    addresses[name] = placesOf(code, placeholder);
    rest = rest.replaceAll(placeholder, '00'.repeat(20));
  }
  return masked(bytesFromHex(rest as Hex), { words, addresses });
}

function placesOf(code: string, placeholder: string): number[] {
  const places: number[] = [];
  for (let at = code.indexOf(placeholder); at !== -1; at = code.indexOf(placeholder, at + 1))
    places.push((at - 2) / 2);
  return places;
}

function masked(code: Uint8Array, places: Pick<MaskedCode, 'words' | 'addresses'>): MaskedCode {
  return { bytes: code.length, hash: maskedHash(code, places), ...places };
}
