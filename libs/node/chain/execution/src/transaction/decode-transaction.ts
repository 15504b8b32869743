import {
  InvalidSignatureError,
  SECP256K1_HALF_ORDER,
  SECP256K1_ORDER,
  keccak256,
  keccakHash,
  recoverAddress,
} from '@tetrad/crypto';
import { RlpFields, rlpList, rlpScalar } from '@tetrad/rlp';
import { PRIVATE_V, TYPE_BYTES } from '@tetrad/transactions';
import {
  addressFromBytes,
  type AccessListEntry,
  type Address,
  type Hash,
  type SignedTransaction,
  TetradError,
} from '@tetrad/types';

const isPrivateV = (v: bigint): boolean => v === PRIVATE_V || v === PRIVATE_V + 1n;

/** Whether the payload of the transaction is with the transaction managers of its parties. */
export function isPrivateTransaction({ type, v }: Pick<SignedTransaction, 'type' | 'v'>): boolean {
  return type === 'legacy' && isPrivateV(v);
}

/** Why bytes are not a transaction of this chain; `code` is stable, the message names the field. */
export class TransactionDecodeError extends TetradError {
  override readonly name = 'TransactionDecodeError';

  constructor(
    override readonly code:
      'MALFORMED_TRANSACTION' | 'UNSUPPORTED_TRANSACTION_TYPE' | 'INVALID_CHAIN_ID' | 'INVALID_SIGNATURE',
    message: string,
  ) {
    super(message);
  }
}

const MAX_UINT64 = 2n ** 64n - 1n;
const EMPTY_STRING = Uint8Array.of(0x80);

/**
 * Reads a signed transaction and recovers its sender.
 *
 * Cost: one public key recovery, about nine tenths of the time
 *
 * @param raw - EIP-2718 envelope or the RLP list of a legacy transaction
 * @param chainId - the chain it must be for
 * @param hash - of the bytes, when it was computed before
 * @returns fields that are views of `raw`
 * @throws TransactionDecodeError with the field in its message
 */
export function decodeTransaction(raw: Uint8Array, chainId: bigint, hash?: Hash): SignedTransaction {
  return decode(raw, { chainId, hash });
}

/** Reads a transaction that this node has stored, with the sender that was recovered then. Fails as above. */
export function decodeStoredTransaction(
  raw: Uint8Array,
  known: { readonly chainId: bigint; readonly sender: Address; readonly hash?: Hash | undefined },
): SignedTransaction {
  return decode(raw, known);
}

interface Known {
  readonly chainId: bigint;
  readonly sender?: Address | undefined;
  readonly hash?: Hash | undefined;
}

function decode(raw: Uint8Array, known: Known): SignedTransaction {
  const first = raw[0];
  if (first === undefined) throw malformed('transaction is empty');
  if (first >= 0xc0) return decodeLegacy(raw, known);
  if (first === TYPE_BYTES.accessList) return decodeTyped(raw, 'accessList', known);
  if (first === TYPE_BYTES.dynamicFee) return decodeTyped(raw, 'dynamicFee', known);
  throw new TransactionDecodeError(
    'UNSUPPORTED_TRANSACTION_TYPE',
    `transaction type not supported: ${first}`,
  );
}

/** Layout: rlp[nonce, gasPrice, gas, to, value, data, v, r, s]. Source: EIP-155 */
function decodeLegacy(raw: Uint8Array, { chainId, sender, hash }: Known): SignedTransaction {
  const fields = RlpFields.of(raw, 'transaction', malformed);
  const { price: gasPrice, ...body } = readBody(fields, () => fields.scalar('gasPrice'));
  const signed = fields.taken;
  const v = scalarUpTo(fields, 'v', MAX_UINT64);
  const signature = readSignature(fields);
  const isPrivate = isPrivateV(v);
  const isProtected = !isPrivate && v !== 27n && v !== 28n;
  if (isProtected && v !== chainId * 2n + 35n && v !== chainId * 2n + 36n)
    throw wrongChain(v < 35n ? v : (v - 35n) / 2n, chainId);
  // The signature of a private transaction does not cover a chain id (docs/spec/private-transactions.md#signatures).
  const parity = v - (isPrivate ? PRIVATE_V : isProtected ? chainId * 2n + 35n : 27n);
  const protection = isProtected ? [rlpScalar(chainId), EMPTY_STRING, EMPTY_STRING] : [];
  return {
    type: 'legacy',
    hash: hash ?? keccakHash(raw),
    raw,
    ...body,
    v,
    ...signature,
    ...(isProtected ? { chainId } : {}),
    gasPrice,
    sender: sender ?? recoverSender(() => rlpList([signed, ...protection]), parity, signature),
  };
}

/**
 * Layout: type ‖ rlp[chainId, nonce, prices, gas, to, value, data, accessList, yParity, r, s], where prices are gasPrice, or
 * maxPriorityFeePerGas and maxFeePerGas. Source: EIP-2930, EIP-1559
 */
function decodeTyped(
  raw: Uint8Array,
  type: 'accessList' | 'dynamicFee',
  { chainId, sender, hash }: Known,
): SignedTransaction {
  const fields = RlpFields.of(raw.subarray(1), 'transaction', malformed);
  const claimed = fields.scalar('chainId');
  if (claimed !== chainId) throw wrongChain(claimed, chainId);
  const { price, ...body } = readBody(fields, () =>
    type === 'accessList' ? { gasPrice: fields.scalar('gasPrice') } : readDynamicFee(fields),
  );
  const accessList = readAccessList(fields.list('accessList'));
  const signed = fields.taken;
  const parity = scalarUpTo(fields, 'yParity', 1n);
  const signature = readSignature(fields);
  const preimage = () => Buffer.concat([raw.subarray(0, 1), rlpList([signed])]);
  const shared = {
    hash: hash ?? keccakHash(raw),
    raw,
    ...body,
    v: parity,
    ...signature,
    chainId,
    accessList,
    sender: sender ?? recoverSender(preimage, parity, signature),
  };
  return 'gasPrice' in price
    ? { type: 'accessList', ...shared, ...price }
    : { type: 'dynamicFee', ...shared, ...price };
}

/** The fields from nonce to data, which every kind has in this order. */
function readBody<Price>(fields: RlpFields, readPrice: () => Price) {
  const nonce = scalarUpTo(fields, 'nonce', MAX_UINT64 - 1n);
  const price = readPrice();
  const gasLimit = scalarUpTo(fields, 'gasLimit', MAX_UINT64);
  const to = fields.exactly('to', 0, 20);
  const target = to.length === 0 ? {} : { to: addressFromBytes(to) };
  return {
    price,
    nonce,
    gasLimit,
    ...target,
    value: fields.scalar('value'),
    data: fields.bytes('data', Infinity),
  };
}

function readDynamicFee(fields: RlpFields) {
  const maxPriorityFeePerGas = fields.scalar('maxPriorityFeePerGas');
  const maxFeePerGas = fields.scalar('maxFeePerGas');
  if (maxPriorityFeePerGas > maxFeePerGas)
    throw malformed('maxPriorityFeePerGas: max priority fee per gas higher than max fee per gas');
  return { maxFeePerGas, maxPriorityFeePerGas };
}

function readAccessList(entries: RlpFields): AccessListEntry[] {
  return entries.repeated(Infinity, () => {
    const entry = entries.list('entry');
    const address = entry.address('address');
    const keys = entry.list('storageKeys');
    entry.end();
    return { address, storageKeys: keys.repeated(Infinity, () => keys.hash('key')) };
  });
}

interface Signature {
  readonly r: bigint;
  readonly s: bigint;
}

function readSignature(fields: RlpFields): Signature {
  const signature = { r: fields.scalar('r'), s: fields.scalar('s') };
  fields.end();
  return signature;
}

function scalarUpTo(fields: RlpFields, name: string, most: bigint): bigint {
  const scalar = fields.scalar(name);
  if (scalar > most) throw malformed(`${name}: above ${most}`);
  return scalar;
}

function recoverSender(preimage: () => Uint8Array, parity: bigint, { r, s }: Signature): Address {
  if (r === 0n || r >= SECP256K1_ORDER) throw invalidSignature('r: out of range');
  if (s === 0n || s > SECP256K1_HALF_ORDER) throw invalidSignature('s: out of range (EIP-2)');
  try {
    const signature = { r: word(r), s: word(s), parity: parity === 0n ? 0 : 1 } as const;
    return recoverAddress(keccak256(preimage()), signature);
  } catch (error) {
    if (error instanceof InvalidSignatureError) throw invalidSignature(error.message);
    throw error;
  }
}

function word(scalar: bigint): Uint8Array {
  return Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex');
}

function malformed(message: string): TransactionDecodeError {
  return new TransactionDecodeError('MALFORMED_TRANSACTION', message);
}

function invalidSignature(detail: string): TransactionDecodeError {
  return new TransactionDecodeError('INVALID_SIGNATURE', `invalid sender: ${detail}`);
}

function wrongChain(have: bigint, want: bigint): TransactionDecodeError {
  return new TransactionDecodeError(
    'INVALID_CHAIN_ID',
    `invalid chain id for signer: have ${have} want ${want}`,
  );
}
