import { encodeRlp, type RlpFields } from '@tetrad/rlp';
import { decodeItems, encodeItems } from './request-message.js';
import { MAX_STATE_BUDGET, type StateKind, type StateQuestions } from './state-request.js';
import { wireFields, WireError } from './wire-fields.js';

/** Consecutive entries of a trie, and the nodes that show that none is left out. */
export interface WireRange {
  readonly entries: readonly { readonly key: Uint8Array; readonly value: Uint8Array }[];
  readonly proof: readonly Uint8Array[];
}

/** Trie nodes and codes that an execution reads. */
export interface WireWitness {
  readonly nodes: readonly Uint8Array[];
  readonly codes: readonly Uint8Array[];
}

/** A block without its header: transactions as they are signed, and receipts as `encodeBareReceipt` writes them. */
export interface WirePast {
  readonly transactions: readonly Uint8Array[];
  readonly receipts: readonly Uint8Array[];
}

/** Answers by kind of the request. Nothing in them is verified but their form. */
export interface StateAnswers {
  /** From the number on, as many as there are within the bounds. */
  readonly headers: readonly Uint8Array[];
  /** To the first of the questions; undefined where the peer does not have the trie. */
  readonly ranges: readonly (WireRange | undefined)[];
  /** Of the first of the hashes; undefined where the peer does not have it. */
  readonly contents: readonly (Uint8Array | undefined)[];
  /** Undefined when no contract names the validators after the block, or the peer cannot show them. */
  readonly validators: WireWitness | undefined;
  /** From the number on downwards, as many as there are within the bounds; undefined where the peer has only the header. */
  readonly history: readonly (WirePast | undefined)[];
}

/** Maximum number of entries of one answer, over all of its ranges. */
export const MAX_RANGE_ENTRIES = 4_096;
/** Nodes on two ways through a trie of hashed keys. */
const MAX_PROOF_NODES = 130;
const MAX_NODE_BYTES = 600;
/** An account has 110 bytes at most, a slot 33. */
const MAX_VALUE_BYTES = 128;
/** Nodes of a witness, and as many codes. Source: docs/adr/0266 */
const MAX_WITNESS_PARTS = 8_192;
const MAX_WITNESS_BYTES = 4 * 1024 * 1024;
/** A block with its receipts that is larger is not sent. */
const MAX_PAST_BYTES = 16 * 1024 * 1024;

/** Largest answer: what its first item and RLP add to the budget, or a whole witness. Units: bytes */
export const MAX_STATE_ANSWER: Readonly<Record<StateKind, number>> = {
  headers: 2 * MAX_STATE_BUDGET,
  ranges: 2 * MAX_STATE_BUDGET,
  contents: 2 * MAX_STATE_BUDGET,
  validators: 2 * MAX_WITNESS_BYTES + MAX_STATE_BUDGET,
  history: MAX_PAST_BYTES + MAX_STATE_BUDGET,
};

/**
 * Layouts: RLP([header (bytes)...]); RLP([range...]), a range is RLP([]) or RLP([[[key (32), value]...], [node (bytes)...]]);
 * RLP([content (bytes)...]), empty where there is none; RLP([]) or RLP([[node (bytes)...], [code (bytes)...]]);
 * RLP([block...]), a block is RLP([]) or RLP([[transaction (bytes)...], [receipt (bytes)...]])
 */
const ENCODERS: { readonly [Kind in StateKind]: (answer: StateAnswers[Kind]) => Uint8Array } = {
  headers: encodeItems,
  ranges: (ranges) =>
    encodeRlp(
      ranges.map((range) =>
        range === undefined ? [] : [range.entries.map(({ key, value }) => [key, value]), [...range.proof]],
      ),
    ),
  contents: (contents) => encodeItems(contents.map((content) => content ?? new Uint8Array(0))),
  validators: (witness) => encodeRlp(witness === undefined ? [] : [[...witness.nodes], [...witness.codes]]),
  history: (blocks) =>
    encodeRlp(
      blocks.map((block) => (block === undefined ? [] : [[...block.transactions], [...block.receipts]])),
    ),
};

const DECODERS: {
  readonly [Kind in StateKind]: (bytes: Uint8Array, question: StateQuestions[Kind]) => StateAnswers[Kind];
} = {
  headers: (bytes, { limit }) => decodeItems(bytes, limit),
  ranges: decodeRanges,
  contents: (bytes, { hashes }) =>
    decodeItems(bytes, hashes.length).map((content) => (content.length === 0 ? undefined : content)),
  validators: decodeWitness,
  history: decodePast,
};

export function encodeStateAnswer<Kind extends StateKind>(
  kind: Kind,
  answer: StateAnswers[Kind],
): Uint8Array {
  return ENCODERS[kind](answer);
}

/** @throws WireError naming the field, also when there is more than was asked for */
export function decodeStateAnswer<Kind extends StateKind>(
  kind: Kind,
  bytes: Uint8Array,
  question: StateQuestions[Kind],
): StateAnswers[Kind] {
  return DECODERS[kind](bytes, question);
}

function decodeRanges(bytes: Uint8Array, { questions }: StateQuestions['ranges']): (WireRange | undefined)[] {
  let left = MAX_RANGE_ENTRIES;
  return wireFields(bytes, 'answer').repeated(questions.length, (ranges) => {
    const fields = ranges.list('range');
    if (fields.isDone) return undefined;
    const entries = fields.list('entries').repeated(left, readEntry);
    left -= entries.length;
    const proof = readParts(fields, 'proof', { count: MAX_PROOF_NODES, bytes: MAX_NODE_BYTES });
    fields.end();
    return { entries, proof };
  });
}

function readEntry(entries: RlpFields): WireRange['entries'][number] {
  const fields = entries.list('entry');
  const entry = { key: fields.exactly('key', 32), value: fields.bytes('value', MAX_VALUE_BYTES) };
  fields.end();
  return entry;
}

function decodeWitness(bytes: Uint8Array): WireWitness | undefined {
  const fields = wireFields(bytes, 'answer');
  if (fields.isDone) return undefined;
  const bounds = { count: MAX_WITNESS_PARTS, bytes: MAX_WITNESS_BYTES };
  const witness = { nodes: readParts(fields, 'nodes', bounds), codes: readParts(fields, 'codes', bounds) };
  fields.end();
  return witness;
}

function decodePast(bytes: Uint8Array, { limit }: StateQuestions['history']): (WirePast | undefined)[] {
  // A part has one byte at least, so their count is bounded by the bytes.
  const bounds = { count: bytes.length, bytes: bytes.length };
  return wireFields(bytes, 'answer').repeated(limit, (blocks) => {
    const fields = blocks.list('block');
    if (fields.isDone) return undefined;
    const transactions = readParts(fields, 'transactions', bounds);
    const receipts = readParts(fields, 'receipts', bounds);
    fields.end();
    return { transactions, receipts };
  });
}

function readParts(
  fields: RlpFields,
  field: string,
  { count, bytes }: { readonly count: number; readonly bytes: number },
): Uint8Array[] {
  return fields.list(field).repeated(count, (parts) => {
    const part = parts.bytes('part', bytes);
    if (part.length === 0) throw new WireError(`answer: ${field}: empty`);
    return part;
  });
}
