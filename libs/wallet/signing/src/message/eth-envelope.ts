import { RlpError, readRlp, readRlpList, type RlpItem } from '@tetrad/rlp';

/** What a delegated key signs for Ethereum that lets another person act: its hash is what a signature is over. */
export type EthEnvelope = 'eth-transaction' | 'eth-authorization' | 'eth-typed-data';

/** Transactions have six fields at least; no type that is known has more than 14 with its signature. */
const FEWEST_FIELDS = 6;
const MAX_FIELDS = 32;
/** Six fields before EIP-155, and chain id, 0, 0 behind them since. */
const LEGACY_FIELDS = [6, 9];
/** A legacy list begins here, a typed one with a byte below 0x80. Source: EIP-2718 */
const LIST = 0xc0;
const MAX_TYPE = 0x7f;
/** Source: EIP-7702 */
const AUTHORIZATION = 0x05;
/** Layout: 19 (1) ‖ 01 (1) ‖ domain separator (32) ‖ struct hash (32). Source: EIP-712 */
const TYPED_DATA = { prefix: [0x19, 0x01], length: 66 } as const;
const ADDRESS_BYTES = 20;
const MAX_SCALAR_BYTES = 32;

/**
 * Recognizes the unsigned forms of Ethereum:
 *
 *   rlp[nonce, gasPrice, gasLimit, to, value, data]              legacy, before EIP-155
 *   rlp[nonce, gasPrice, gasLimit, to, value, data, chainId, 0, 0]    legacy, EIP-155
 *   type (1) ‖ rlp[6 to 32 fields]                               EIP-2718: types 1 to 4, and any that come later
 *   05 (1) ‖ rlp[chainId, address, nonce]                        authorization of code, EIP-7702
 *   19 01 ‖ domain separator (32) ‖ struct hash (32)             typed data, such as a permit
 *
 * The fields of typed transactions are not examined: chains accept different ones, and a false refusal is less harmful
 * than a missed transaction. Cost: linear, one level of lists.
 */
export function recognizeEthEnvelope(bytes: Uint8Array): EthEnvelope | undefined {
  const [first = MAX_TYPE + 1] = bytes;
  if (first >= LIST) return isLegacy(listOf(bytes)) ? 'eth-transaction' : undefined;
  if (isTypedData(bytes)) return 'eth-typed-data';
  if (first > MAX_TYPE || (bytes[1] ?? 0) < LIST) return undefined;
  const fields = listOf(bytes.subarray(1)) ?? [];
  if (first === AUTHORIZATION && isAuthorization(fields)) return 'eth-authorization';
  return fields.length >= FEWEST_FIELDS ? 'eth-transaction' : undefined;
}

/** The items of the list that the bytes are, to the last byte. */
function listOf(bytes: Uint8Array): readonly RlpItem[] | undefined {
  try {
    return readRlpList(readRlp(bytes), MAX_FIELDS);
  } catch (error) {
    if (error instanceof RlpError) return undefined;
    throw error;
  }
}

function isLegacy(fields: readonly RlpItem[] | undefined): boolean {
  if (fields === undefined || !LEGACY_FIELDS.includes(fields.length)) return false;
  const [nonce, gasPrice, gasLimit, to, value, data, ...chain] = fields;
  const isRecipient = to?.isList === false && [0, ADDRESS_BYTES].includes(to.content.length);
  return (
    isRecipient && data?.isList === false && [nonce, gasPrice, gasLimit, value, ...chain].every(isScalar)
  );
}

function isAuthorization(fields: readonly RlpItem[]): boolean {
  const [chainId, address, nonce] = fields;
  const names = address?.isList === false && address.content.length === ADDRESS_BYTES;
  return fields.length === 3 && names && isScalar(chainId) && isScalar(nonce);
}

function isTypedData(bytes: Uint8Array): boolean {
  const { prefix, length } = TYPED_DATA;
  return bytes.length === length && prefix.every((byte, at) => bytes[at] === byte);
}

/** Big-endian without zeros in front, 256 bits at most. */
export function isScalar(item: RlpItem | undefined): boolean {
  return item?.isList === false && item.content.length <= MAX_SCALAR_BYTES && item.content[0] !== 0;
}
