import {
  InvalidSignatureError,
  SECP256K1_HALF_ORDER,
  SECP256K1_ORDER,
  keccak256,
  keccakHash,
  recoverAddress,
} from '@tetrad/crypto';
import { RlpError, readRlp, readRlpItem, readRlpList, rlpList, rlpScalar, type RlpItem } from '@tetrad/rlp';
import { TYPE_BYTES } from '@tetrad/transactions';
import {
  addressFromBytes,
  hashFromBytes,
  scalarFromBytes,
  type AccessListEntry,
  type Address,
  type Hash,
  type SignedTransaction,
} from '@tetrad/types';
import { TransactionDecodeError } from './transaction-decode-error.js';

const MAX_UINT64 = 2n ** 64n - 1n;
const EMPTY_STRING = Uint8Array.of(0x80);
/** Fields of a signature: v, r and s. */
const SIGNATURE_FIELDS = 3;

/** Names of the fields of an envelope, in order; the last three are always v, r and s. */
const LEGACY = ['nonce', 'gasPrice', 'gasLimit', 'to', 'value', 'data', 'v', 'r', 's'] as const;
const ACCESS_LIST = [
  ...['chainId', 'nonce', 'gasPrice', 'gasLimit', 'to', 'value', 'data', 'accessList', 'yParity', 'r', 's'],
] as const;
const DYNAMIC_FEE = [
  ...['chainId', 'nonce', 'maxPriorityFeePerGas', 'maxFeePerGas', 'gasLimit', 'to', 'value', 'data'],
  ...['accessList', 'yParity', 'r', 's'],
] as const;

/**
 * Reads a signed transaction and recovers its sender.
 *
 * In:    raw — EIP-2718 envelope or the RLP list of a legacy transaction; chainId — the chain it must be for;
 *        hash — of the bytes, when it was computed before
 * Out:   fields that are views of `raw`
 * Fails: TransactionDecodeError with the field in its message
 * Cost:  one public key recovery, about nine tenths of the time
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
  if (first === TYPE_BYTES.accessList) return decodeTyped(raw, ACCESS_LIST, known);
  if (first === TYPE_BYTES.dynamicFee) return decodeTyped(raw, DYNAMIC_FEE, known);
  throw new TransactionDecodeError(
    'UNSUPPORTED_TRANSACTION_TYPE',
    `transaction type not supported: ${first}`,
  );
}

function decodeLegacy(raw: Uint8Array, { chainId, sender, hash }: Known): SignedTransaction {
  const fields = readFields(raw, LEGACY);
  const v = fields.scalar('v', MAX_UINT64);
  const isProtected = v !== 27n && v !== 28n;
  if (isProtected && v !== chainId * 2n + 35n && v !== chainId * 2n + 36n)
    throw wrongChain(v < 35n ? v : (v - 35n) / 2n, chainId);
  const parity = isProtected ? v - chainId * 2n - 35n : v - 27n;
  const protection = isProtected ? [rlpScalar(chainId), EMPTY_STRING, EMPTY_STRING] : [];
  return {
    type: 'legacy',
    ...commonFields(fields, { raw, v, hash }),
    ...(isProtected ? { chainId } : {}),
    gasPrice: fields.scalar('gasPrice'),
    sender: sender ?? recoverSender(fields, () => rlpList([fields.signed, ...protection]), parity),
  };
}

function decodeTyped(
  raw: Uint8Array,
  names: readonly string[],
  { chainId, sender, hash }: Known,
): SignedTransaction {
  const fields = readFields(raw.subarray(1), names);
  const claimed = fields.scalar('chainId');
  if (claimed !== chainId) throw wrongChain(claimed, chainId);
  const parity = fields.scalar('yParity', 1n);
  const preimage = () => Buffer.concat([raw.subarray(0, 1), rlpList([fields.signed])]);
  const shared = {
    ...commonFields(fields, { raw, v: parity, hash }),
    chainId,
    accessList: readAccessList(fields.item('accessList')),
    sender: sender ?? recoverSender(fields, preimage, parity),
  };
  if (names === ACCESS_LIST) return { type: 'accessList', ...shared, gasPrice: fields.scalar('gasPrice') };
  const maxFeePerGas = fields.scalar('maxFeePerGas');
  const maxPriorityFeePerGas = fields.scalar('maxPriorityFeePerGas');
  if (maxPriorityFeePerGas > maxFeePerGas) {
    throw malformed('maxPriorityFeePerGas: max priority fee per gas higher than max fee per gas');
  }
  return { type: 'dynamicFee', ...shared, maxFeePerGas, maxPriorityFeePerGas };
}

function commonFields(
  fields: Fields,
  { raw, v, hash }: { raw: Uint8Array; v: bigint; hash: Hash | undefined },
) {
  const to = fields.target();
  return {
    hash: hash ?? keccakHash(raw),
    raw,
    nonce: fields.scalar('nonce', MAX_UINT64 - 1n),
    gasLimit: fields.scalar('gasLimit', MAX_UINT64),
    ...(to === undefined ? {} : { to }),
    value: fields.scalar('value'),
    data: fields.bytes('data'),
    v,
    r: fields.scalar('r'),
    s: fields.scalar('s'),
  };
}

interface Fields {
  /** What is signed of the encoding: all fields but those of the signature. */
  readonly signed: Uint8Array;
  item(name: string): RlpItem;
  bytes(name: string): Uint8Array;
  /** An unsigned integer without leading zeros, at most 256 bits or the bound. */
  scalar(name: string, bound?: bigint): bigint;
  target(): Address | undefined;
}

function readFields(encoded: Uint8Array, names: readonly string[]): Fields {
  const { content, items } = readList(encoded, names.length);
  const item = (name: string): RlpItem => items[names.indexOf(name)] as RlpItem;
  const bytes = (name: string): Uint8Array => {
    const { isList, content: value } = item(name);
    if (isList) throw malformed(`${name}: a list where bytes belong`);
    return value;
  };
  return {
    signed: content.subarray(0, items.at(-SIGNATURE_FIELDS - 1)?.end),
    item,
    bytes,
    scalar(name, bound) {
      const value = bytes(name);
      if (value[0] === 0) throw malformed(`${name}: leading zeros`);
      if (value.length > 32) throw malformed(`${name}: more than 256 bits`);
      const scalar = scalarFromBytes(value);
      if (bound !== undefined && scalar > bound) throw malformed(`${name}: above ${bound}`);
      return scalar;
    },
    target() {
      const to = bytes('to');
      if (to.length !== 0 && to.length !== 20) throw malformed(`to: ${to.length} bytes instead of 20`);
      return to.length === 0 ? undefined : addressFromBytes(to);
    },
  };
}

/** The fields of the list, which must be so many; what is in them is not looked at. */
function readList(encoded: Uint8Array, count: number): { content: Uint8Array; items: readonly RlpItem[] } {
  const items: RlpItem[] = [];
  const { isList, content } = asMalformed('rlp', () => readRlp(encoded));
  if (!isList) throw malformed('rlp: expected a list');
  for (let offset = 0; offset < content.length && items.length <= count;) {
    const item = asMalformed('rlp', () => readRlpItem(content, offset));
    items.push(item);
    offset = item.end;
  }
  if (items.length > count) throw malformed(`transaction has more than ${count} fields`);
  if (items.length < count) throw malformed(`transaction has ${items.length} fields instead of ${count}`);
  return { content, items };
}

function readAccessList(item: RlpItem): AccessListEntry[] {
  if (!item.isList) throw malformed('accessList: bytes where a list belongs');
  const entries = asMalformed('accessList', () => readRlpList(item, Infinity));
  return entries.map((entry, index) => {
    const where = `accessList[${index}]`;
    const [address, keys, ...rest] = entry.isList ? asMalformed(where, () => readRlpList(entry, 3)) : [];
    const isEntry = isBytes(address, 20) && keys?.isList === true && rest.length === 0;
    const slots = isEntry ? asMalformed(where, () => readRlpList(keys, Infinity)) : [];
    if (!isEntry || !slots.every((slot) => isBytes(slot, 32)))
      throw malformed(`${where}: must be an address and a list of 32-byte keys`);
    return {
      address: addressFromBytes(address.content),
      storageKeys: slots.map((slot) => hashFromBytes(slot.content)),
    };
  });
}

function isBytes(item: RlpItem | undefined, length: number): item is RlpItem {
  return item?.isList === false && item.content.length === length;
}

/** Fails: TransactionDecodeError where the bytes are no RLP. */
function asMalformed<T>(where: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RlpError) throw malformed(`${where}: ${error.message}`);
    throw error;
  }
}

function recoverSender(fields: Fields, preimage: () => Uint8Array, parity: bigint): Address {
  const r = fields.scalar('r');
  const s = fields.scalar('s');
  if (r === 0n || r >= SECP256K1_ORDER) throw invalidSignature('r: out of range');
  if (s === 0n || s > SECP256K1_HALF_ORDER) throw invalidSignature('s: out of range (EIP-2)');
  try {
    return recoverAddress(keccak256(preimage()), {
      r: word(fields.bytes('r')),
      s: word(fields.bytes('s')),
      parity: parity === 0n ? 0 : 1,
    });
  } catch (error) {
    if (error instanceof InvalidSignatureError) throw invalidSignature(error.message);
    throw error;
  }
}

function word(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(32);
  padded.set(bytes, 32 - bytes.length);
  return padded;
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
