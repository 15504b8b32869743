import { keccak256, stringToBytes } from 'viem/utils';
import * as z from 'zod';
import { AbiFault } from './abi-fault.js';
import { UnknownType, canonicalTypes, parseParams, type Param } from './param.js';

/** Entries of one contract: more functions than 24,576 bytes of code can have. */
const MAX_ENTRIES = 2_000;

export type Hex = `0x${string}`;

/** What functions and errors have. */
interface Selected {
  readonly name: string;
  readonly inputs: readonly Param[];
  /** `transfer(address,uint256)` */
  readonly signature: string;
  /** The first four bytes of the signature's hash. */
  readonly selector: Hex;
}

export interface FunctionEntry extends Selected {
  readonly outputs: readonly Param[];
  /** Whether it says that it changes nothing. */
  readonly isRead: boolean;
  readonly isPayable: boolean;
}

export type ErrorEntry = Selected;

export interface EventEntry extends Omit<Selected, 'selector'> {
  /** The hash of the signature. */
  readonly topic: Hex;
  /** Of each input: whether it is a topic. */
  readonly indexed: readonly boolean[];
}

/** What an ABI says of a contract. */
export interface ContractAbi {
  readonly functions: readonly FunctionEntry[];
  readonly errors: readonly ErrorEntry[];
  /** Those with a topic of their own; anonymous events cannot be told from others. */
  readonly events: readonly EventEntry[];
  /** Undefined where it takes nothing. */
  readonly deployment: readonly Param[] | undefined;
  /** Entries that cannot be used, each with the reason. */
  readonly unused: readonly string[];
}

const entrySchema = z.object({
  type: z
    .enum(['function', 'event', 'error', 'constructor', 'fallback', 'receive'])
    .optional()
    .default('function'),
  // What a compiler takes for a name: a bracket in it would make another signature.
  name: z
    .string()
    .regex(/^[A-Za-z_$][\w$]{0,199}$/, 'must be an identifier')
    .optional(),
  inputs: z.array(z.unknown()).max(500).optional().default([]),
  outputs: z.array(z.unknown()).max(500).optional().default([]),
  stateMutability: z.enum(['pure', 'view', 'nonpayable', 'payable']).optional(),
  // Of compilers before 0.5.
  constant: z.boolean().optional(),
  payable: z.boolean().optional(),
  anonymous: z.boolean().optional(),
});
type Entry = z.output<typeof entrySchema>;

const indexedSchema = z.object({ indexed: z.boolean().optional().default(false) });

interface Collected {
  readonly functions: FunctionEntry[];
  readonly errors: ErrorEntry[];
  readonly events: EventEntry[];
  readonly unused: string[];
  deployment: readonly Param[] | undefined;
}

/**
 * An ABI as the Solidity compiler writes it.
 * @param field - what the ABI is in its file
 * @throws AbiFault with the field
 */
export function parseContractAbi(value: unknown, field: string): ContractAbi {
  const parsed = z.array(z.unknown()).safeParse(value);
  if (!parsed.success) throw AbiFault.of(parsed.error, field);
  if (parsed.data.length > MAX_ENTRIES)
    throw new AbiFault(field, `has ${parsed.data.length} entries, and at most ${MAX_ENTRIES} are read`);
  const collected: Collected = { functions: [], errors: [], events: [], unused: [], deployment: undefined };
  for (const [at, one] of parsed.data.entries()) collect(one, join(field, String(at)), collected);
  return collected;
}

const join = (...parts: readonly string[]) => parts.filter((part) => part !== '').join('.');

/** Libraries have functions of types that are only in their language: they are left out, and the others are read. */
function collect(value: unknown, field: string, collected: Collected): void {
  const parsed = entrySchema.safeParse(value);
  if (!parsed.success) throw AbiFault.of(parsed.error, field);
  try {
    collectEntry(parsed.data, field, collected);
  } catch (error) {
    if (!(error instanceof UnknownType)) throw error;
    collected.unused.push(error.message);
  }
}

function collectEntry(entry: Entry, field: string, collected: Collected): void {
  const { type, stateMutability } = entry;
  if (type === 'fallback' || type === 'receive') return;
  const inputs = parseParams(entry.inputs, join(field, 'inputs'));
  if (type === 'constructor') {
    collected.deployment = inputs;
    return;
  }
  const { name } = entry;
  if (name === undefined) throw new AbiFault(join(field, 'name'), `a ${type} has one`);
  const signature = name + canonicalTypes(inputs);
  const topic = keccak256(stringToBytes(signature));
  const selected: Selected = { name, inputs, signature, selector: topic.slice(0, 10) as Hex };
  if (type === 'error') collected.errors.push(selected);
  else if (type === 'event') collectEvent(entry, { name, inputs, signature, topic }, field, collected);
  else
    collected.functions.push({
      ...selected,
      outputs: parseParams(entry.outputs, join(field, 'outputs')),
      isRead: stateMutability === undefined ? entry.constant === true : /^(pure|view)$/.test(stateMutability),
      isPayable: stateMutability === undefined ? entry.payable === true : stateMutability === 'payable',
    });
}

function collectEvent(
  { anonymous, inputs }: Entry,
  event: Omit<EventEntry, 'indexed'>,
  field: string,
  { events, unused }: Collected,
): void {
  if (anonymous === true) {
    unused.push(`${field}: ${event.name} is anonymous`);
    return;
  }
  const indexed = inputs.map((input, at) => {
    const parsed = indexedSchema.safeParse(input);
    if (!parsed.success) throw AbiFault.of(parsed.error, join(field, 'inputs', String(at)));
    return parsed.data.indexed;
  });
  if (indexed.filter(Boolean).length > 3)
    throw new AbiFault(join(field, 'inputs'), 'an event has at most three indexed inputs');
  events.push({ ...event, indexed });
}
