import type { EventEntry, FunctionEntry, Hex } from './contract-abi.js';
import {
  Undecodable,
  decodeValues,
  decodeWord,
  hashedValue,
  isInTopic,
  type Value,
} from './decode-values.js';
import type { KeptAbi } from './kept-abi.js';
import { parseParams, readableParam, type Param } from './param.js';

/** What data means by one entry of an ABI. Another entry may give it another meaning, so that there are lists of these. */
export interface Reading {
  /** `transfer(address to, uint256 value)` */
  readonly title: string;
  /** Names of the files and contracts that have the entry; empty for what Solidity itself has. Text of strangers. */
  readonly by: readonly string[];
  /** Undefined where the data is not of that entry. */
  readonly values: readonly Value[] | undefined;
  /** Why not; or what is peculiar. */
  readonly remark: string | undefined;
}

/** An entry with the file that it is from. */
interface Found<Entry> {
  readonly entry: Entry;
  readonly by: string;
}

/**
 * Same entries of several files are one; with other names of parameters they are not.
 * @param partsOf - what else makes a difference
 */
function readEach<Entry extends { readonly name: string; readonly inputs: readonly Param[] }>(
  found: readonly Found<Entry>[],
  partsOf: (entry: Entry) => unknown,
  valuesOf: (entry: Entry) => Decoding,
): readonly Reading[] {
  const byKey = new Map<string, { entry: Entry; by: string[] }>();
  for (const { entry, by } of found) {
    // Not the title: a name of a parameter could make two of them the same.
    const key = JSON.stringify([entry.name, entry.inputs, partsOf(entry)]);
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, { entry, by: [by] });
    else if (!known.by.includes(by)) known.by.push(by);
  }
  return [...byKey.values()].map(({ entry, by }) => ({
    ...read(entry, valuesOf),
    title: titleOf(entry),
    by,
  }));
}

const noParts = () => undefined;

interface Decoding {
  readonly values: readonly Value[];
  readonly further?: number;
}

function read<Entry>(entry: Entry, valuesOf: (entry: Entry) => Decoding): Pick<Reading, 'values' | 'remark'> {
  try {
    const { values, further = 0 } = valuesOf(entry);
    return { values, remark: further > 0 ? `${further} further bytes are not of it` : undefined };
  } catch (error) {
    if (!(error instanceof Undecodable)) throw error;
    return { values: undefined, remark: error.message };
  }
}

/** `transfer(address to, uint256 value)` */
export const titleOf = ({ name, inputs }: { readonly name: string; readonly inputs: readonly Param[] }) =>
  `${name}(${inputs.map(readableParam).join(', ')})`;

const outputsOf = (entry: FunctionEntry) => entry.outputs.map(readableParam).join(', ');

function find<Entry>(
  abis: readonly KeptAbi[],
  entriesOf: (abi: KeptAbi['contract']['abi']) => readonly Entry[],
  isIt: (entry: Entry) => boolean,
): readonly Found<Entry>[] {
  return abis.flatMap(({ by, contract }) =>
    entriesOf(contract.abi)
      .filter(isIt)
      .map((entry) => ({ entry, by })),
  );
}

/** The functions that call data may be for. */
function functionsFor(abis: readonly KeptAbi[], input: string): readonly Found<FunctionEntry>[] {
  const selector = input.slice(0, 10).toLowerCase();
  return selector.length < 10
    ? []
    : find(
        abis,
        ({ functions }) => functions,
        (one) => one.selector === selector,
      );
}

/** What call data means. */
export const readCall = (abis: readonly KeptAbi[], input: string): readonly Reading[] =>
  readEach(functionsFor(abis, input), noParts, ({ inputs }) => decodeValues(inputs, after(input)));

/** What the call data of a call that succeeded returned. */
export const readResult = (
  abis: readonly KeptAbi[],
  { input, output }: { readonly input: string; readonly output: string },
): readonly Reading[] =>
  readEach(
    functionsFor(abis, input),
    ({ outputs }) => outputs,
    ({ outputs }) => decodeValues(outputs, output),
  );

/** What a call of that function returned. */
export function readReturned(
  { entry, by }: { readonly entry: FunctionEntry; readonly by: string },
  output: string,
): Reading {
  const title = `${entry.name} returns (${outputsOf(entry)})`;
  return { title, by: [by], ...read(entry, ({ outputs }) => decodeValues(outputs, output)) };
}

const after = (data: string) => `0x${data.slice(10)}`;

/** What every Solidity contract may revert with. */
const BUILT_IN = [
  { name: 'Error', selector: '0x08c379a0', inputs: parseParams([{ type: 'string', name: 'reason' }], '') },
  { name: 'Panic', selector: '0x4e487b71', inputs: parseParams([{ type: 'uint256', name: 'code' }], '') },
] as const;

/** What the data of a revert means. */
export function readRevert(abis: readonly KeptAbi[], data: string): readonly Reading[] {
  const selector = data.slice(0, 10).toLowerCase();
  const builtIn = BUILT_IN.filter((one) => one.selector === selector).map((entry) => ({ entry, by: '' }));
  const found = find(
    abis,
    ({ errors }) => errors,
    (one) => one.selector === selector,
  );
  return readEach<{ readonly name: string; readonly inputs: readonly Param[] }>(
    [...builtIn, ...found],
    noParts,
    ({ inputs }) => decodeValues(inputs, after(data)),
  ).map((reading) => ({ ...reading, by: reading.by.filter((one) => one !== '') }));
}

/**
 * What a log means.
 * @param options.topics - of the log
 * @param options.data - of the log
 */
export function readLog(
  abis: readonly KeptAbi[],
  { topics, data }: { readonly topics: readonly string[]; readonly data: string },
): readonly Reading[] {
  const found = find(
    abis,
    ({ events }) => events,
    ({ topic }) => topic === topics[0]?.toLowerCase(),
  );
  return readEach(
    found,
    ({ indexed }) => indexed,
    (entry) => decodeLog(entry, topics.slice(1), data),
  );
}

function decodeLog(
  { inputs, indexed }: EventEntry,
  topics: readonly string[],
  data: string,
): { readonly values: readonly Value[]; readonly further: number } {
  const wanted = indexed.filter(Boolean).length;
  if (topics.length !== wanted)
    throw new Undecodable('', `it has ${topics.length} indexed values, and the ABI says ${wanted}`);
  const rest = decodeValues(
    inputs.filter((_, at) => indexed[at] !== true),
    data,
  );
  const [left, words] = [[...rest.values], [...topics]];
  const values = inputs.map((input, at) => {
    if (indexed[at] !== true) return left.shift() as Value;
    const topic = words.shift() ?? '';
    return isInTopic(input) ? decodeWord(input, topic) : hashedValue(input, topic);
  });
  return { values, further: rest.further };
}

/** The arguments of a deployment whose code a file has. */
export function readDeployment(abis: readonly KeptAbi[], input: string): readonly Reading[] {
  const found = abis.filter(
    ({ contract: { creationCode } }) =>
      creationCode !== undefined && input.toLowerCase().startsWith(creationCode),
  );
  return readEach(
    found.map(({ by, contract }) => ({
      by,
      entry: {
        name: 'constructor',
        inputs: contract.abi.deployment ?? [],
        code: contract.creationCode as Hex,
      },
    })),
    ({ code }) => code.length,
    ({ inputs, code }) => decodeValues(inputs, `0x${input.slice(code.length)}`),
  );
}
