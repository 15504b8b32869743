import { encodeRlp } from '@tetrad/rlp';
import { legacyFields, trimmed } from '@tetrad/transactions';
import { bytesFromHex, bytesFromScalar, parseAddress, type SignedTransaction } from '@tetrad/types';
import { z } from 'zod';

/**
 * Reads a signed transaction and recovers its sender.
 * @throws any error when the bytes are not one
 */
export type DecodeTransaction = (raw: Uint8Array) => SignedTransaction;

/** Bytes of the JSON of a private transaction, whose data is a hash: 64 bytes of it and small numbers. */
const MAX_BYTES = 16 * 1024;

const quantity = z.string().regex(/^0x[0-9a-fA-F]{1,64}$/);
const word = z.string().regex(/^0x[0-9a-fA-F]{1,64}$/);

/** Source: docs/spec/private-transactions.md#marker-transactions; members in any order, `type` and `hash` are not needed. */
const markedSchema = z.strictObject({
  type: z.literal('0x0').optional(),
  nonce: quantity,
  gasPrice: quantity,
  gas: quantity,
  value: quantity,
  input: z.string().regex(/^0x(?:[0-9a-fA-F]{2}){0,64}$/),
  v: z.enum(['0x25', '0x26']),
  r: word,
  s: word,
  to: z.string().nullish(),
  hash: z.string().optional(),
});

/**
 * The private transaction in the payload of a privacy marker transaction; undefined when the payload is something else.
 *
 * All parties must read the same transaction: JSON with a duplicate member, in any case, is rejected.
 */
export function readMarkedTransaction(
  payload: Uint8Array,
  decode: DecodeTransaction,
): SignedTransaction | undefined {
  if (payload.length > MAX_BYTES) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(payload);
    const parsed = markedSchema.safeParse(JSON.parse(text));
    if (!parsed.success || text.split(':').length - 1 !== Object.keys(parsed.data).length) return undefined;
    const transaction = decode(encode(parsed.data));
    const { hash = transaction.hash } = parsed.data;
    return hash.toLowerCase() === transaction.hash ? transaction : undefined;
  } catch {
    // Not JSON, or not a transaction: a payload may be anything.
    return undefined;
  }
}

/**
 * The private transaction behind the marker: that of the same sender and nonce.
 * @param payload - that of the marker
 */
export function transactionBehind(
  marker: SignedTransaction,
  payload: Uint8Array,
  decode: DecodeTransaction,
): SignedTransaction | undefined {
  const marked = readMarkedTransaction(payload, decode);
  return marked?.sender === marker.sender && marked.nonce === marker.nonce ? marked : undefined;
}

/** Layout: rlp[nonce, gasPrice, gas, to, value, data, v, r, s] */
function encode(marked: z.infer<typeof markedSchema>): Uint8Array {
  const fields = legacyFields({
    nonce: BigInt(marked.nonce),
    gasPrice: BigInt(marked.gasPrice),
    gasLimit: BigInt(marked.gas),
    to: typeof marked.to === 'string' ? parseAddress(marked.to) : undefined,
    value: BigInt(marked.value),
    data: bytesFromHex(marked.input),
  });
  const scalar = (text: string) => trimmed(bytesFromScalar(BigInt(text)));
  return encodeRlp([...fields, scalar(marked.v), scalar(marked.r), scalar(marked.s)]);
}
