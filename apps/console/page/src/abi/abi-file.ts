import * as z from 'zod';
import { AbiFault } from './abi-fault.js';
import { boundedJson } from './bounded-json.js';
import { parseContractAbi, type ContractAbi, type Hex } from './contract-abi.js';
import { parseStorageLayout, type StorageLayout } from './storage-layout.js';

/** Contracts of one file. */
const MAX_CONTRACTS = 1_000;
/** Entries of all contracts of one file. */
const MAX_ENTRIES = 20_000;
/** Characters of a contract's name that are kept. */
const MAX_NAME = 200;

/** A contract that a file describes. */
export interface DescribedContract {
  /** A stranger's text. */
  readonly name: string;
  readonly abi: ContractAbi;
  readonly layout: StorageLayout | undefined;
  /** The code that deploys it, without arguments. */
  readonly creationCode: Hex | undefined;
}

/** An artifact of solc, Hardhat, Foundry or Truffle; the code is hex, or an object with it. */
const artifactSchema = z.object({
  abi: z.unknown(),
  contractName: z.string().optional(),
  storageLayout: z.unknown().optional(),
  bytecode: z.unknown().optional(),
  evm: z.object({ bytecode: z.unknown().optional() }).optional(),
});
type Artifact = z.output<typeof artifactSchema>;

const filesSchema = z.record(z.string(), z.record(z.string(), z.unknown()));

/**
 * The contracts of a file: an ABI alone, an artifact with an ABI, or the standard output of a compiler.
 * @param name - of the file, for contracts that the file does not name
 * @throws AbiFault with the field
 */
export function parseAbiFile(text: string, name: string): readonly DescribedContract[] {
  const value = boundedJson(text);
  const contracts = Array.isArray(value)
    ? [{ name, abi: parseContractAbi(value, ''), layout: undefined, creationCode: undefined }]
    : contractsOf(value, name);
  const entries = contracts.reduce((sum, { abi }) => sum + sizeOf(abi), 0);
  if (entries > MAX_ENTRIES) throw new AbiFault('', `the file has more than ${MAX_ENTRIES} entries of ABIs`);
  return contracts;
}

const sizeOf = ({ functions, errors, events }: ContractAbi) =>
  functions.length + errors.length + events.length;

function contractsOf(value: unknown, name: string): readonly DescribedContract[] {
  const members = z.record(z.string(), z.unknown()).safeParse(value);
  if (!members.success) throw new AbiFault('', 'the file is neither an ABI nor an object with one');
  if (Object.hasOwn(members.data, 'abi')) return [described(value, name, '')];
  // Build information of Hardhat has the standard output as its member.
  const output = (members.data['output'] ?? members.data) as { readonly contracts?: unknown };
  const field = 'output' in members.data ? 'output.contracts' : 'contracts';
  if (output?.contracts === undefined) throw new AbiFault('', 'the file has neither abi nor contracts');
  return standardOutput(output.contracts, field);
}

function standardOutput(value: unknown, field: string): readonly DescribedContract[] {
  const files = filesSchema.safeParse(value);
  if (!files.success) throw AbiFault.of(files.error, field);
  const all = Object.entries(files.data).flatMap(([file, contracts]) =>
    Object.entries(contracts).map(([contract, artifact]) => ({ file, contract, artifact })),
  );
  if (all.length > MAX_CONTRACTS)
    throw new AbiFault(field, `has ${all.length} contracts, and at most ${MAX_CONTRACTS} are read`);
  if (all.length === 0) throw new AbiFault(field, 'has no contract');
  return all.map(({ file, contract, artifact }) =>
    described(artifact, `${file}:${contract}`, `${field}.${file}.${contract}`),
  );
}

/** @throws AbiFault */
function described(value: unknown, name: string, field: string): DescribedContract {
  const parsed = artifactSchema.safeParse(value);
  if (!parsed.success) throw AbiFault.of(parsed.error, field);
  const { abi, contractName, storageLayout } = parsed.data;
  const prefix = field === '' ? '' : `${field}.`;
  return {
    name: (contractName ?? name).slice(0, MAX_NAME),
    abi: parseContractAbi(abi, `${prefix}abi`),
    layout:
      storageLayout === undefined || storageLayout === null
        ? undefined
        : parseStorageLayout(storageLayout, `${prefix}storageLayout`),
    creationCode: creationCodeOf(parsed.data),
  };
}

/** Undefined for none, and for code with libraries that are not linked. */
function creationCodeOf({ bytecode, evm }: Artifact): Hex | undefined {
  const given = bytecode ?? evm?.bytecode;
  const text = typeof given === 'string' ? given : (given as { object?: unknown } | undefined)?.object;
  if (typeof text !== 'string') return undefined;
  const hex = text.startsWith('0x') ? text : `0x${text}`;
  return /^0x(?:[0-9a-f]{2})+$/i.test(hex) ? (hex.toLowerCase() as Hex) : undefined;
}
