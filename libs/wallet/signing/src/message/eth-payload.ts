import { RlpError, encodeRlp, readRlp, readRlpList, type RlpItem } from '@tetrad/rlp';
import { CborReader } from '@tetrad/rlp/cbor';
import {
  addressFromBytes,
  addressToBytes,
  bytesFromScalar,
  scalarFromBytes,
  type Address,
} from '@tetrad/types';
import { actorIdOf, ethAddressOf, type CoinAddress } from '@tetrad/wallet-key';
import { MAX_PARAMS_BYTES, assertInRange, type CoinMessage } from './coin-message.js';
import { isScalar } from './eth-envelope.js';
import { CoinMessageError, type MessageField } from './message-error.js';

/** EIP-155 chain ids of the coin network: main, and the calibration test network. */
export const ETH_CHAIN_ID = { main: 314n, test: 314159n } as const;

/** Method of a contract that its Ethereum calls arrive at. */
const INVOKE_CONTRACT = 3844450837n;
/** Method of the Ethereum address manager that creates a contract. */
const CREATE_EXTERNAL = 4n;
const ETH_ADDRESS_MANAGER = 10n;

const EIP_1559 = 0x02;
const FIELDS = 9;
const EMPTY = new Uint8Array(0);

/**
 * What a delegated sender signs: the unsigned Ethereum transaction (EIP-1559) that corresponds to the message.
 *
 * Layout: 02 (1) ‖ rlp[chainId, nonce, gasPremium, gasFeeCap, gasLimit, to (0 or 20), value, input, []]
 *
 * Source: lotus, chain/types/ethtypes/eth_transactions.go, getEthParamsAndRecipient
 *
 * @throws CoinMessageError (FIELD_OUT_OF_RANGE, NOT_AN_ETH_MESSAGE), in the words of lotus
 */
export function ethPayloadOf(message: CoinMessage, chainId: bigint): Uint8Array {
  assertInRange(message);
  if (message.version !== 0n) throw refused(`unsupported msg version: ${message.version}`, 'Version');
  const input = inputOf(message.params);
  const to = recipientOf(message);
  const amounts = [
    scalar('GasPremium', message.gasPremium),
    scalar('GasFeeCap', message.gasFeeCap),
    scalar('GasLimit', message.gasLimit),
  ];
  const fields = [bytesFromScalar(chainId), bytesFromScalar(message.nonce), ...amounts];
  const list = encodeRlp([...fields, to, scalar('Value', message.value), input, []]);
  return Buffer.concat([Uint8Array.of(EIP_1559), list]);
}

/** An unsigned Ethereum transaction, read back from what a delegated sender signs. */
export interface EthPayload {
  readonly chainId: bigint;
  readonly nonce: bigint;
  readonly gasPremium: bigint;
  readonly gasFeeCap: bigint;
  readonly gasLimit: bigint;
  /** Undefined when a contract is created. */
  readonly to: Address | undefined;
  readonly value: bigint;
  readonly input: Uint8Array;
}

/** The transaction that the bytes are, or undefined when they are not exactly one. */
export function decodeEthPayload(bytes: Uint8Array): EthPayload | undefined {
  if (bytes[0] !== EIP_1559) return undefined;
  const fields = decodeFields(bytes.subarray(1));
  if (fields?.length !== FIELDS) return undefined;
  const [chainId, nonce, gasPremium, gasFeeCap, gasLimit, to, value, input, accessList] = fields;
  if (accessList?.isList !== true || accessList.content.length > 0 || input?.isList !== false)
    return undefined;
  const scalars = [chainId, nonce, gasPremium, gasFeeCap, gasLimit, value];
  if (!scalars.every(isScalar)) return undefined;
  if (to?.isList !== false || (to.content.length !== 0 && to.content.length !== 20)) return undefined;
  const [c, n, p, f, g, v] = scalars.map((item) => scalarFromBytes(item?.content ?? EMPTY)) as Six<bigint>;
  const recipient = to.content.length === 0 ? undefined : addressFromBytes(to.content);
  return {
    chainId: c,
    nonce: n,
    gasPremium: p,
    gasFeeCap: f,
    gasLimit: g,
    to: recipient,
    value: v,
    input: input.content,
  };
}

type Six<Item> = [Item, Item, Item, Item, Item, Item];

function decodeFields(bytes: Uint8Array): readonly RlpItem[] | undefined {
  try {
    return readRlpList(readRlp(bytes), FIELDS);
  } catch (error) {
    if (error instanceof RlpError) return undefined;
    throw error;
  }
}

function scalar(field: MessageField, value: bigint): Uint8Array {
  if (value < 0n) throw refused(`'${field}' field cannot be negative`, field);
  return bytesFromScalar(value);
}

/** Parameters of an Ethereum message are nothing, or one byte string that holds the input. */
function inputOf(params: Uint8Array): Uint8Array {
  if (params.length === 0) return EMPTY;
  const fault = () => refused('failed to read params byte array', 'Params');
  const reader = new CborReader(params, { fault, canonical: true });
  const input = reader.bytes('Params', MAX_PARAMS_BYTES);
  if (reader.left > 0) throw refused('extra data found in params', 'Params');
  if (input.length === 0) throw refused('non-empty params encode empty byte array', 'Params');
  return input;
}

function recipientOf({ to, method }: CoinMessage): Uint8Array {
  if (isEthAddressManager(to)) {
    if (method !== CREATE_EXTERNAL) throw refused('unsupported EAM method', 'Method');
    return EMPTY;
  }
  if (method !== INVOKE_CONTRACT) {
    const allowed = `InvokeContract(${INVOKE_CONTRACT}) or CreateExternal(${CREATE_EXTERNAL})`;
    throw refused(`invalid methodnum ${method}: only allowed method is ${allowed}`, 'Method');
  }
  const ethAddress = ethAddressOf(to);
  if (ethAddress === undefined) throw refused('invalid Filecoin Eth address', 'To');
  return addressToBytes(ethAddress);
}

function isEthAddressManager(address: CoinAddress): boolean {
  return actorIdOf(address) === ETH_ADDRESS_MANAGER;
}

function refused(message: string, field: MessageField): CoinMessageError {
  return new CoinMessageError('NOT_AN_ETH_MESSAGE', message, field);
}
