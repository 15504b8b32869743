import { parseOperationHeader } from '@tetrad/rollup-circuits';
import {
  CIPHERTEXT_WORDS,
  FIELD_MODULUS,
  WORD_BYTES,
  decodeWord,
  encodeWord,
  operationKinds,
  type OperationKind,
} from '@tetrad/rollup-crypto';
import {
  TetradError,
  ZERO_ADDRESS,
  addressFromBytes,
  addressToBytes,
  bytesFromHex,
  hexFromBytes,
  type Address,
  type Hex,
} from '@tetrad/types';

/** What a batch publishes of its operations: lists with an item for each, and 15 words of a ciphertext for each. */
export interface PublishedOperations {
  readonly headers: readonly bigint[];
  readonly recipients: readonly Address[];
  readonly leaves: readonly bigint[];
  readonly orders: readonly bigint[];
  readonly ciphertexts: readonly bigint[];
}

/** The operations of a batch are not written as the contract takes them. */
export class BatchDataError extends TetradError {
  override readonly name = 'BatchDataError';
  override readonly code = 'MALFORMED_BATCH';
}

/** Bytes of an operation before its fields: kind, and the number of words of its ciphertext. */
const PREFIX = 2;
const ACCOUNT = 4;
/** Token and amount. */
const AMOUNT = 4 + 8;
const ADDRESS = 20;

interface Form {
  readonly amount?: true;
  readonly recipient?: true;
  readonly leaf?: true;
  readonly order?: true;
}

/** What each kind has after its account, in this order. */
const FORMS: Readonly<Record<Exclude<OperationKind, 'noOp'>, Form>> = {
  createAccount: { leaf: true },
  createMoneyOrder: { leaf: true, order: true },
  redeemMoneyOrder: { leaf: true },
  outboundTransfer: { amount: true, recipient: true, leaf: true },
  inboundTransfer: { amount: true, order: true },
  setConsent: { leaf: true },
  credit: { leaf: true },
};

const KINDS = Object.keys(operationKinds) as OperationKind[];

/**
 * The operations one after the other, as BatchData.sol reads them (docs/spec/rollup-batch.md).
 * @throws BatchDataError for an operation with something that its kind has no place for
 */
export function encodeOperations(operations: PublishedOperations): Uint8Array {
  return Buffer.concat(
    operations.headers.flatMap((header, index) => {
      const text = operations.ciphertexts.slice(CIPHERTEXT_WORDS * index, CIPHERTEXT_WORDS * (index + 1));
      const words = text.slice(0, text.findLastIndex((word) => word !== 0n) + 1).map(encodeWord);
      const { kind } = parseOperationHeader(header);
      const prefix = Uint8Array.of(operationKinds[kind], words.length);
      return [prefix, ...fieldsOf(kind, operations, index), ...words];
    }),
  );
}

function fieldsOf(kind: OperationKind, operations: PublishedOperations, index: number): Uint8Array[] {
  const { amount, recipient, leaf, order }: Form = kind === 'noOp' ? {} : FORMS[kind];
  // kind(8) ‖ account(32) ‖ token(32) ‖ amount(64) are the last bytes of the word.
  const header = encodeWord(operations.headers[index] as bigint).subarray(-(ACCOUNT + AMOUNT));
  const address = addressToBytes(operations.recipients[index] as Address);
  const written = (isPart: boolean | undefined, bytes: Uint8Array): Uint8Array[] => {
    if (isPart) return [bytes];
    if (bytes.some((byte) => byte !== 0))
      throw new BatchDataError(`operation ${index} has what a ${kind} has no place for`);
    return [];
  };
  return [
    ...written(kind !== 'noOp', header.subarray(0, ACCOUNT)),
    ...written(amount, header.subarray(ACCOUNT)),
    ...written(recipient, address),
    ...written(leaf, encodeWord(operations.leaves[index] as bigint)),
    ...written(order, encodeWord(operations.orders[index] as bigint)),
  ];
}

/**
 * The other way round.
 * @param size - how many operations there are
 * @throws BatchDataError for bytes that the contract does not accept
 */
export function decodeOperations(data: Hex, size: number): PublishedOperations {
  const reader = new OperationReader(bytesFromHex(data));
  const read = Array.from({ length: size }, () => reader.next());
  reader.end();
  return {
    headers: read.map(({ header }) => header),
    recipients: read.map(({ recipient }) => recipient),
    leaves: read.map(({ leaf }) => leaf),
    orders: read.map(({ order }) => order),
    ciphertexts: read.flatMap(({ text }) => text),
  };
}

class OperationReader {
  private at = 0;

  constructor(private readonly data: Uint8Array) {}

  next() {
    const [kindByte, words] = this.take(PREFIX) as unknown as [number, number];
    const kind = KINDS.find((name) => operationKinds[name] === kindByte);
    if (kind === undefined) throw new BatchDataError(`${kindByte} is not a kind of operation`);
    const form = kind === 'noOp' ? {} : FORMS[kind];
    const account = kind === 'noOp' ? 0n : this.number(ACCOUNT);
    const amount = form.amount ? this.number(AMOUNT) : 0n;
    const header = (BigInt(kindByte) << 128n) | (account << 96n) | amount;
    const recipient = form.recipient ? addressFromBytes(this.take(ADDRESS)) : ZERO_ADDRESS;
    const leaf = form.leaf ? this.element() : 0n;
    const order = form.order ? this.element() : 0n;
    return { header, recipient, leaf, order, text: this.text(words) };
  }

  end(): void {
    if (this.at !== this.data.length) throw new BatchDataError('there are bytes after the last operation');
  }

  private text(count: number): bigint[] {
    if (count > CIPHERTEXT_WORDS) throw new BatchDataError(`a ciphertext of ${count} words`);
    const words = Array.from({ length: count }, () => this.element());
    if (words.at(-1) === 0n) throw new BatchDataError('the last word of a ciphertext is zero');
    return [...words, ...Array.from({ length: CIPHERTEXT_WORDS - count }, () => 0n)];
  }

  private element(): bigint {
    const word = decodeWord(this.take(WORD_BYTES));
    if (word >= FIELD_MODULUS) throw new BatchDataError('a word that is not below the modulus');
    return word;
  }

  private number(size: number): bigint {
    return BigInt(hexFromBytes(this.take(size)));
  }

  private take(size: number): Uint8Array {
    const bytes = this.data.subarray(this.at, this.at + size);
    if (bytes.length < size) throw new BatchDataError('an operation is not complete');
    this.at += size;
    return bytes;
  }
}
