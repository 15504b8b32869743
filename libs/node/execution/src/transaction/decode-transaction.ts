import { RLP } from '@ethereumjs/rlp';
import {
  InvalidSignatureError,
  SECP256K1_HALF_ORDER,
  SECP256K1_ORDER,
  keccak256,
  keccakHash,
  recoverAddress,
} from '@tetrad/crypto';
import {
  addressFromBytes,
  bytesFromScalar,
  hashFromBytes,
  scalarFromBytes,
  type AccessListEntry,
  type Address,
  type SignedTransaction,
} from '@tetrad/types';
import { TYPE_BYTES, withType, type RlpItem } from './encode-transaction.js';
import { TransactionDecodeError } from './transaction-decode-error.js';

const MAX_UINT64 = 2n ** 64n - 1n;

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
 * In:    raw — EIP-2718 envelope or the RLP list of a legacy transaction; chainId — the chain it must be for
 * Fails: TransactionDecodeError with the field in its message
 * Cost:  one public key recovery, about nine tenths of the time
 */
export function decodeTransaction(raw: Uint8Array, chainId: bigint): SignedTransaction {
  return decode(raw, { chainId });
}

/** Reads a transaction that this node has stored, with the sender that was recovered then. Fails as above. */
export function decodeStoredTransaction(
  raw: Uint8Array,
  known: { readonly chainId: bigint; readonly sender: Address },
): SignedTransaction {
  return decode(raw, known);
}

interface Known {
  readonly chainId: bigint;
  readonly sender?: Address;
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

function decodeLegacy(raw: Uint8Array, { chainId, sender }: Known): SignedTransaction {
  const fields = readFields(raw, LEGACY);
  const v = fields.scalar('v', MAX_UINT64);
  const isProtected = v !== 27n && v !== 28n;
  if (isProtected && v !== chainId * 2n + 35n && v !== chainId * 2n + 36n)
    throw wrongChain(v < 35n ? v : (v - 35n) / 2n, chainId);
  const parity = isProtected ? v - chainId * 2n - 35n : v - 27n;
  const signed = fields.items.slice(0, 6);
  const empty = new Uint8Array(0);
  const preimage = RLP.encode(isProtected ? [...signed, bytesFromScalar(chainId), empty, empty] : signed);
  return {
    type: 'legacy',
    ...commonFields(fields, { raw, v }),
    ...(isProtected ? { chainId } : {}),
    gasPrice: fields.scalar('gasPrice'),
    sender: sender ?? recoverSender(fields, preimage, parity),
  };
}

function decodeTyped(
  raw: Uint8Array,
  names: readonly string[],
  { chainId, sender }: Known,
): SignedTransaction {
  const fields = readFields(raw.subarray(1), names);
  const claimed = fields.scalar('chainId');
  if (claimed !== chainId) throw wrongChain(claimed, chainId);
  const parity = fields.scalar('yParity', 1n);
  const preimage = withType(raw[0] as number, fields.items.slice(0, -3));
  const shared = {
    ...commonFields(fields, { raw, v: parity }),
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

function commonFields(fields: Fields, { raw, v }: { raw: Uint8Array; v: bigint }) {
  const to = fields.target();
  return {
    hash: keccakHash(raw),
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
  readonly items: readonly RlpItem[];
  item(name: string): RlpItem;
  bytes(name: string): Uint8Array;
  /** An unsigned integer without leading zeros, at most 256 bits or the bound. */
  scalar(name: string, bound?: bigint): bigint;
  target(): Address | undefined;
}

function readFields(encoded: Uint8Array, names: readonly string[]): Fields {
  const items = decodeList(encoded);
  if (items.length !== names.length) {
    throw malformed(`transaction has ${items.length} fields instead of ${names.length}`);
  }
  const item = (name: string): RlpItem => items[names.indexOf(name)] as RlpItem;
  const bytes = (name: string): Uint8Array => {
    const value = item(name);
    if (!(value instanceof Uint8Array)) throw malformed(`${name}: a list where bytes belong`);
    return value;
  };
  return {
    items,
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

function decodeList(encoded: Uint8Array): readonly RlpItem[] {
  let decoded: unknown;
  try {
    decoded = RLP.decode(encoded);
  } catch (error) {
    throw malformed(`rlp: ${error instanceof Error ? error.message : 'not decodable'}`);
  }
  if (!Array.isArray(decoded)) throw malformed('rlp: expected a list');
  return decoded as RlpItem[];
}

function readAccessList(item: RlpItem): AccessListEntry[] {
  if (!Array.isArray(item)) throw malformed('accessList: bytes where a list belongs');
  return item.map((entry, index) => {
    const [address, keys] = Array.isArray(entry) ? entry : [];
    const wellFormed =
      Array.isArray(entry) &&
      entry.length === 2 &&
      address instanceof Uint8Array &&
      address.length === 20 &&
      Array.isArray(keys) &&
      keys.every((key): key is Uint8Array => key instanceof Uint8Array && key.length === 32);
    if (!wellFormed) throw malformed(`accessList[${index}]: must be an address and a list of 32-byte keys`);
    return {
      address: addressFromBytes(address),
      storageKeys: (keys as Uint8Array[]).map((key) => hashFromBytes(key)),
    };
  });
}

function recoverSender(fields: Fields, preimage: Uint8Array, parity: bigint): Address {
  const r = fields.scalar('r');
  const s = fields.scalar('s');
  if (r === 0n || r >= SECP256K1_ORDER) throw invalidSignature('r: out of range');
  if (s === 0n || s > SECP256K1_HALF_ORDER) throw invalidSignature('s: out of range (EIP-2)');
  try {
    return recoverAddress(keccak256(preimage), {
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
