import {
  InvalidSignatureError,
  SECP256K1_HALF_ORDER,
  SECP256K1_ORDER,
  keccak256,
  keccakHash,
  recoverAddress,
} from '@tetrad/crypto';
import { RlpError, readRlp, readRlpList, rlpList, rlpScalar, type RlpItem } from '@tetrad/rlp';
import { privacyGroupId } from '@tetrad/transactions';
import {
  TetradError,
  addressFromBytes,
  parsePtmKey,
  scalarFromBytes,
  type Address,
  type Hash,
  type PtmKey,
} from '@tetrad/types';

/** A private transaction of the Enterprise Ethereum Alliance, of the restricted kind; it carries its payload itself. */
export interface RestrictedTransaction {
  /** The signed RLP. */
  readonly raw: Uint8Array;
  /** keccak-256 of the bytes. */
  readonly hash: Hash;
  readonly sender: Address;
  /** Counts the transactions of the sender in the group. */
  readonly nonce: bigint;
  /** Gas price in wei. */
  readonly gasPrice: bigint;
  readonly gasLimit: bigint;
  /** Absent for a contract creation. */
  readonly to?: Address;
  readonly data: Uint8Array;
  readonly privateFrom: PtmKey;
  /** Keys of the recipients; undefined when the transaction names a group. */
  readonly privateFor: readonly PtmKey[] | undefined;
  /** The named group, or the group of sender and recipients. */
  readonly group: PtmKey;
}

/** The bytes are not a restricted transaction for this chain. */
export class RestrictedDecodeError extends TetradError {
  override readonly name = 'RestrictedDecodeError';
  override readonly code = 'MALFORMED_TRANSACTION';
}

const FIELDS = 12;
const MAX_RECIPIENTS = 1_000;
const MAX_UINT64 = 2n ** 64n - 1n;
const RESTRICTED = 'restricted';
const EMPTY_STRING = Uint8Array.of(0x80);
const NAMES = ['nonce', 'gasPrice', 'gas', 'to', 'value', 'data', 'v', 'r', 's'] as const;

/**
 * Reads a signed restricted transaction and recovers its sender.
 *
 * Layout: rlp[nonce, gasPrice, gas, to (20 or 0), value = 0, data, v, r, s, privateFrom (32), recipients, "restricted"]
 *         recipients: a list of keys (32 each), or the id of a group (32)
 *         signed: the same with chainId, 0, 0 in place of v, r, s; without these where v is 27 or 28
 *
 * Source: docs/spec/signing-proxy.md#restricted-transactions (Besu, PrivateTransaction)
 *
 * @throws RestrictedDecodeError with the field in its message
 */
export function decodeRestricted(raw: Uint8Array, chainId: bigint): RestrictedTransaction {
  try {
    const { content } = readRlp(raw);
    const items = readRlpList(readRlp(raw), FIELDS);
    if (items.length !== FIELDS)
      throw malformed(`transaction has ${items.length} fields instead of ${FIELDS}`);
    return decodeFields(raw, { content, items, chainId });
  } catch (error) {
    if (error instanceof RlpError || error instanceof InvalidSignatureError) throw malformed(error.message);
    throw error;
  }
}

/** The restricted transaction in a payload; undefined when the payload is not one. */
export function readRestricted(payload: Uint8Array, chainId: bigint): RestrictedTransaction | undefined {
  // JSON, the payload of most markers, begins with a byte below that of any RLP list.
  if ((payload[0] ?? 0) < 0xc0) return undefined;
  try {
    return decodeRestricted(payload, chainId);
  } catch (error) {
    if (error instanceof RestrictedDecodeError) return undefined;
    throw error;
  }
}

function decodeFields(
  raw: Uint8Array,
  { content, items, chainId }: { content: Uint8Array; items: readonly RlpItem[]; chainId: bigint },
): RestrictedTransaction {
  const scalar = (index: number) => scalarOf(items[index], NAMES[index] as string);
  const [nonce, gasPrice, gasLimit] = [scalar(0), scalar(1), scalar(2)];
  if (nonce >= MAX_UINT64 || gasLimit > MAX_UINT64) throw malformed('nonce, gas: more than 64 bits');
  if (scalar(4) !== 0n) throw malformed('value: must be zero, as ether transfers cannot be private');
  const to = bytesOf(items[3], 'to');
  if (to.length !== 0 && to.length !== 20) throw malformed(`to: ${to.length} bytes instead of 20`);
  const restriction = Buffer.from(bytesOf(items[11], 'restriction')).toString('latin1');
  if (restriction !== RESTRICTED) throw malformed('restriction: must be restricted');
  const privateFrom = keyOf(items[9], 'privateFrom');
  const recipients = items[10] as RlpItem;
  const privateFor = recipients.isList ? keysOf(recipients) : undefined;
  const group =
    privateFor === undefined ? keyOf(recipients, 'privacyGroupId') : privacyGroupId(privateFrom, privateFor);
  return {
    raw,
    hash: keccakHash(raw),
    sender: recover(content, items, chainId),
    nonce,
    gasPrice,
    gasLimit,
    ...(to.length === 0 ? {} : { to: addressFromBytes(to) }),
    data: bytesOf(items[5], 'data'),
    privateFrom,
    privateFor,
    group,
  };
}

function recover(content: Uint8Array, items: readonly RlpItem[], chainId: bigint): Address {
  const [v, r, s] = [6, 7, 8].map((index) => scalarOf(items[index], NAMES[index] as string)) as [
    bigint,
    bigint,
    bigint,
  ];
  if (r === 0n || r >= SECP256K1_ORDER || s === 0n || s > SECP256K1_HALF_ORDER)
    throw malformed('r, s: out of range');
  const isProtected = v !== 27n && v !== 28n;
  const parity = isProtected ? v - 35n - 2n * chainId : v - 27n;
  if (parity !== 0n && parity !== 1n) throw malformed(`v: ${v} is not of chain ${chainId}`);
  const signed = rlpList([
    content.subarray(0, items[5]?.end),
    ...(isProtected ? [rlpScalar(chainId), EMPTY_STRING, EMPTY_STRING] : []),
    content.subarray(items[8]?.end),
  ]);
  const word = (index: number) => padded(bytesOf(items[index], NAMES[index] as string));
  return recoverAddress(keccak256(signed), { r: word(7), s: word(8), parity: parity === 0n ? 0 : 1 });
}

function keysOf(recipients: RlpItem): PtmKey[] {
  return readRlpList(recipients, MAX_RECIPIENTS).map((item, index) => keyOf(item, `privateFor[${index}]`));
}

function keyOf(item: RlpItem | undefined, name: string): PtmKey {
  const bytes = bytesOf(item, name);
  if (bytes.length !== 32) throw malformed(`${name}: ${bytes.length} bytes instead of 32`);
  return parsePtmKey(Buffer.from(bytes).toString('base64'));
}

function bytesOf(item: RlpItem | undefined, name: string): Uint8Array {
  if (item === undefined || item.isList) throw malformed(`${name}: a list where bytes belong`);
  return item.content;
}

function scalarOf(item: RlpItem | undefined, name: string): bigint {
  const bytes = bytesOf(item, name);
  if (bytes[0] === 0) throw malformed(`${name}: leading zeros`);
  if (bytes.length > 32) throw malformed(`${name}: more than 256 bits`);
  return scalarFromBytes(bytes);
}

function padded(bytes: Uint8Array): Uint8Array {
  const word = new Uint8Array(32);
  word.set(bytes, 32 - bytes.length);
  return word;
}

function malformed(message: string): RestrictedDecodeError {
  return new RestrictedDecodeError(message);
}
