import { keccakHash } from '@tetrad/crypto';
import {
  EMPTY_LIST,
  RlpError,
  copyOf,
  readRlp,
  readRlpItem,
  readRlpList,
  rlpBytes,
  rlpList,
  rlpPrefixLength,
  type RlpItem,
} from '@tetrad/rlp';
import {
  TimeSlices,
  type Block,
  type BlockHeader,
  type Hash,
  type SealedHeader,
  type SignedTransaction,
} from '@tetrad/types';
import { decodeHeader, encodeHeader, InvalidBlockError } from './header-rlp.js';

/** Header, transactions, ommers and, from Shanghai on, withdrawals. */
const MAX_PARTS = 4;
/** Transactions that are decoded together. */
const CHUNK = 128;
/** Of a block of a file: none behind them is read before they turned out to be transactions. */
const PREPARED_TOGETHER = 2_048;
/** Types of EIP-2718 are below this. */
const FIRST_LIST_BYTE = 0xc0;

/** A block as Ethereum encodes it: RLP([header, transactions, ommers [], withdrawals [] from Shanghai on]). */
export function encodeBlock({ header, transactions }: Block): Uint8Array {
  const parts = [encodeHeader(header), rlpList(transactions.map(transactionItem)), EMPTY_LIST];
  if (header.withdrawalsRoot !== undefined) parts.push(EMPTY_LIST);
  return rlpList(parts);
}

/** A typed transaction is a byte string inside a block, a legacy one the list itself. */
function transactionItem({ type, raw }: SignedTransaction): Uint8Array {
  return type === 'legacy' ? raw : rlpBytes(raw);
}

/** Dependencies of decoding a block. */
export interface BlockDecoding {
  /** The hash of a header, by the rules of the chain's consensus. */
  readonly hashHeader: (header: BlockHeader) => Hash;
  /** Reads one transaction and recovers its sender, on this thread or elsewhere. */
  readonly decode: (raw: Uint8Array, hash: Hash) => SignedTransaction | Promise<SignedTransaction>;
  /** A transaction with the hash whose sender was recovered before, if there is one. */
  readonly findKnown?: (hash: Hash) => SignedTransaction | undefined;
}

/**
 * Decodes what `encodeBlock` wrote; senders are recovered, nothing else is verified. The result holds no views of the
 * bytes. Decoding yields to other work, since the bytes come from a peer and may be crafted.
 *
 * Cost: one hash of each transaction, and a public key recovery of each unknown one; each byte is read a fixed number
 *   of times
 *
 * @throws InvalidBlockError when the bytes are not a block without ommers and withdrawals, TransactionDecodeError when
 *   a transaction is not valid on the chain
 */
export async function decodeBlock(bytes: Uint8Array, decoding: BlockDecoding): Promise<Block> {
  const { hashHeader, decode, findKnown = () => undefined } = decoding;
  const { header, body } = readParts(bytes);
  const transactions: SignedTransaction[] = [];
  const slices = new TimeSlices();
  for (let offset = 0; offset < body.length;) {
    const { raws, end } = readChunk(body, offset, CHUNK);
    const chunk = raws.map((raw) => {
      const hash = keccakHash(raw);
      return findKnown(hash) ?? decode(copyOf(raw), hash);
    });
    transactions.push(...(await Promise.all(chunk)));
    offset = end;
    if (slices.isOver()) await slices.pause();
  }
  return { hash: hashHeader(header), header, transactions };
}

/** Makes transactions whose senders are known. */
export type MakeTransactions = () => readonly SignedTransaction[];

/**
 * Reads the block whose header was read before, as far as is to be done ahead of its turn: senders are recovered, nothing else is verified.
 * @param decodeAll - resolves when the senders of the transactions are known
 * @returns makes the transactions, which are views of the bytes, so that those of waiting blocks are no objects yet
 * @throws as `decodeBlock`
 */
export async function prepareBlock(
  bytes: Uint8Array,
  { header, hash }: SealedHeader,
  decodeAll: (raws: readonly Uint8Array[]) => Promise<MakeTransactions>,
): Promise<() => Block> {
  const { body } = readParts(bytes);
  const parts: MakeTransactions[] = [];
  for (let offset = 0; offset < body.length;) {
    const { raws, end } = readChunk(body, offset, PREPARED_TOGETHER);
    parts.push(await decodeAll(raws));
    offset = end;
  }
  return () => ({ hash, header, transactions: parts.flatMap((make) => make()) });
}

/**
 * The header alone of what `encodeBlock` wrote; the transactions are not read.
 * @throws InvalidBlockError
 */
export function decodeBlockHeader(bytes: Uint8Array): BlockHeader {
  return readParts(bytes).header;
}

/** The next transactions; the bytes after them are not read before these are decoded. */
function readChunk(
  body: Uint8Array,
  from: number,
  maximum: number,
): { raws: readonly Uint8Array[]; end: number } {
  const raws: Uint8Array[] = [];
  let offset = from;
  while (offset < body.length && raws.length < maximum) {
    const start = offset;
    const item = asInvalid(() => readRlpItem(body, start));
    raws.push(transactionBytes(item, body.subarray(start, item.end)));
    offset = item.end;
  }
  return { raws, end: offset };
}

/** As the sender signed them; a legacy one in a string would be a second encoding of the same block. */
function transactionBytes({ isList, content }: RlpItem, encoded: Uint8Array): Uint8Array {
  if (isList) return encoded;
  if ((content[0] ?? FIRST_LIST_BYTE) >= FIRST_LIST_BYTE) throw invalidEncoding();
  return content;
}

/** The header, and the transactions one after the other. */
function readParts(bytes: Uint8Array): { header: BlockHeader; body: Uint8Array } {
  const [first, transactions, ommers, withdrawals] = asInvalid(() => readRlpList(readRlp(bytes), MAX_PARTS));
  const isBlock =
    first?.isList === true &&
    transactions?.isList === true &&
    isEmptyList(ommers) &&
    (withdrawals === undefined || isEmptyList(withdrawals));
  if (!isBlock) throw invalidEncoding();
  const header = decodeHeader(rlpList([first.content]));
  if ((header.withdrawalsRoot === undefined) !== (withdrawals === undefined)) throw invalidEncoding();
  return { header, body: transactions.content };
}

function isEmptyList(item: RlpItem | undefined): boolean {
  return item?.isList === true && item.content.length === 0;
}

/** @throws InvalidBlockError where the bytes are not RLP */
function asInvalid<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RlpError) throw invalidEncoding();
    throw error;
  }
}

function invalidEncoding(): InvalidBlockError {
  return new InvalidBlockError('invalid block encoding');
}

/** Bytes of the block's encoding. Cost: none of its transactions is encoded again. */
export function blockSize({ header, transactions }: Block): number {
  const body = transactions.reduce(
    (sum, { type, raw }) => sum + (type === 'legacy' ? raw.length : raw.length + rlpPrefixLength(raw.length)),
    0,
  );
  const lists = header.withdrawalsRoot === undefined ? 1 : 2;
  const content = encodeHeader(header).length + body + rlpPrefixLength(body) + lists;
  return content + rlpPrefixLength(content);
}
