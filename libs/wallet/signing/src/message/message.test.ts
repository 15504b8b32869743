import { describe, expect, it } from '@jest/globals';
import { hexFromBytes, parseAddress, type Address } from '@tetrad/types';
import { delegatedFromEthAddress, formatCoinAddress, idAddress, parseCoinAddress } from '@tetrad/wallet-key';
import { blake2b256 } from '@tetrad/crypto';
import { MAX_PARAMS_BYTES, type CoinMessage } from './coin-message.js';
import { messageContentId } from './content-id.js';
import { decodeEthPayload, ethPayloadOf } from './eth-payload.js';
import { BLOCK_GAS_LIMIT, TOTAL_SUPPLY, findInclusionFault } from './inclusion-rules.js';
import { decodeCoinMessage, encodeCoinMessage } from './message-codec.js';
import { CoinMessageError } from './message-error.js';
import { recognizeChainMessage } from './recognize.js';
import { bytesToSign } from './signed-bytes.js';

const SECP = parseCoinAddress('f1d2xrzcslx7xlbbylc5c3d5lvandqw4iwl6epxba');
const ETH = delegatedFromEthAddress(parseAddress('0x2b87d1cb599bc2a606db9a0169fcec96af04ad3a'));
const INVOKE = 3844450837n;

const MESSAGE: CoinMessage = {
  version: 0n,
  to: SECP,
  from: SECP,
  nonce: 1n,
  value: 100_000n,
  gasLimit: 25_000n,
  gasFeeCap: 2n,
  gasPremium: 1n,
  method: 0n,
  params: new Uint8Array(0),
};
const ETH_MESSAGE: CoinMessage = { ...MESSAGE, to: ETH, from: ETH, method: INVOKE };

function errorOf(work: () => unknown): CoinMessageError | undefined {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(CoinMessageError);
    return error as CoinMessageError;
  }
  return undefined;
}

describe('fields', () => {
  const magnitude = 256n ** 127n;

  it.each<[string, Partial<CoinMessage>, boolean]>([
    ['Version', { version: 2n ** 64n - 1n }, true],
    ['Version', { version: 2n ** 64n }, false],
    ['Version', { version: -1n }, false],
    ['Nonce', { nonce: 2n ** 64n - 1n }, true],
    ['Nonce', { nonce: 2n ** 64n }, false],
    ['Nonce', { nonce: -1n }, false],
    ['Value', { value: magnitude - 1n }, true],
    ['Value', { value: 1n - magnitude }, true],
    ['Value', { value: magnitude }, false],
    ['Value', { value: -magnitude }, false],
    ['GasLimit', { gasLimit: 2n ** 63n - 1n }, true],
    ['GasLimit', { gasLimit: -(2n ** 63n) }, true],
    ['GasLimit', { gasLimit: 2n ** 63n }, false],
    ['GasLimit', { gasLimit: -(2n ** 63n) - 1n }, false],
    ['GasFeeCap', { gasFeeCap: magnitude }, false],
    ['GasPremium', { gasPremium: -magnitude }, false],
    ['Method', { method: 2n ** 64n - 1n }, true],
    ['Method', { method: 2n ** 64n }, false],
    ['Params', { params: new Uint8Array(MAX_PARAMS_BYTES) }, true],
    ['Params', { params: new Uint8Array(MAX_PARAMS_BYTES + 1) }, false],
  ])('%s of %p: in range %p', (field, changes, inRange) => {
    const message = { ...MESSAGE, ...changes };
    const error = errorOf(() => encodeCoinMessage(message));
    if (inRange) {
      expect(error).toBeUndefined();
      const { params, ...fields } = decodeCoinMessage(encodeCoinMessage(message));
      const { params: given, ...others } = message;
      expect(fields).toEqual(others);
      // Megabytes, which toEqual compares one property at a time.
      expect(Buffer.compare(params, given)).toBe(0);
    } else {
      expect(error).toMatchObject({ code: 'FIELD_OUT_OF_RANGE', field });
      expect(error?.message).toContain(`'${field}' field must `);
    }
  });
});

describe('bytes that are not a canonical message', () => {
  const good = Buffer.from(encodeCoinMessage(MESSAGE)).toString('hex');
  // 8a ‖ 00 ‖ 55 to ‖ 55 from ‖ 01 nonce ‖ 44000186a0 value ‖ 1961a8 gas limit ‖ 420002 ‖ 420001 ‖ 00 ‖ 40
  const tail = good.slice(4 + 44 + 44);
  const swap = (from: string, to: string) => good.slice(0, -tail.length) + tail.replace(from, to);

  it.each([
    ['nothing', '', undefined],
    ['another array', `89${good.slice(2)}`, undefined],
    ['an array without a length', `9f${good.slice(2)}`, undefined],
    ['a long array head', `980a${good.slice(2)}`, undefined],
    ['a byte behind it', `${good}00`, undefined],
    ['no last field', good.slice(0, -2), 'Params'],
    ['a negative version', `8a20${good.slice(4)}`, 'Version'],
    ['a long head of zero', `8a1800${good.slice(4)}`, 'Version'],
    ['a tag', `8ac000${good.slice(4)}`, 'Version'],
    ['no address', `8a0040${good.slice(48)}`, 'To'],
    ['an unknown protocol', `8a00420501${good.slice(48)}`, 'To'],
    ['a text for bytes', `8a0075${good.slice(6)}`, 'To'],
    ['a long head of the nonce', swap('01', '1801'), 'Nonce'],
    ['a zero in front of the value', swap('44000186a0', '4500000186a0'), 'Value'],
    ['a zero that is not empty', swap('44000186a0', '4100'), 'Value'],
    ['a negative zero', swap('44000186a0', '420100'), 'Value'],
    ['an unknown sign', swap('44000186a0', '44020186a0'), 'Value'],
    ['a value of 129 bytes', swap('44000186a0', `588100${'11'.repeat(128)}`), 'Value'],
    ['a length in too many bytes', swap('44000186a0', '5804000186a0'), 'Value'],
    ['a gas limit of 2^63', swap('1961a8', '1b8000000000000000'), 'GasLimit'],
    ['a gas limit below -2^63', swap('1961a8', '3b8000000000000000'), 'GasLimit'],
    ['a float', swap('1961a8', 'f97a1a'), 'GasLimit'],
    ['a length beyond the bytes', good.replace(/40$/, '5a00200000'), 'Params'],
    ['a length beyond 2 MiB', good.replace(/40$/, '5a00200001'), 'Params'],
    ['a length beyond memory', good.replace(/40$/, '5bffffffffffffffff'), 'Params'],
    ['a reserved head', good.replace(/40$/, '5c'), 'Params'],
  ])('are refused: %s', (_what, bytes, field) => {
    const error = errorOf(() => decodeCoinMessage(Buffer.from(bytes, 'hex')));
    expect(error?.code).toBe('MALFORMED_MESSAGE');
    expect(error?.field).toBe(field);
    if (field !== undefined) expect(error?.message).toContain(`'${field}'`);
  });
});

describe('the bytes that get signed', () => {
  it('are the content id, whatever From says', () => {
    const expected = Buffer.concat([
      Buffer.from('0171a0e40220', 'hex'),
      blake2b256(encodeCoinMessage(MESSAGE)),
    ]);
    expect(Buffer.from(bytesToSign(MESSAGE, SECP, 314n))).toEqual(expected);
    expect(bytesToSign({ ...MESSAGE, from: ETH }, SECP, 314n)).toHaveLength(38);
  });

  it('of a delegated sender are the Ethereum transactions published as WP-43 and WP-44', () => {
    const wp43: CoinMessage = {
      ...ETH_MESSAGE,
      to: idAddress(1010n),
      nonce: 3n,
      value: 0x2dc6c0n,
      gasPremium: 0x02540be400n,
      gasFeeCap: 0x3b9aca00n,
      gasLimit: 0x989680n,
    };
    expect(hexFromBytes(bytesToSign(wp43, ETH, 0x01df5e76n))).toBe(
      '0x02f08401df5e76038502540be400843b9aca008398968094ff000000000000000000000000000000000003f2832dc6c080c0',
    );
    const wp44: CoinMessage = {
      ...ETH_MESSAGE,
      nonce: 1n,
      value: 0xde0b6b3a7640000n,
      gasPremium: 0x012a05f200n,
      gasFeeCap: 0x04a817c800n,
      gasLimit: 0x5208n,
    };
    expect(hexFromBytes(bytesToSign(wp44, ETH, 3n))).toBe(
      '0x02f1030185012a05f2008504a817c800825208942b87d1cb599bc2a606db9a0169fcec96af04ad3a880de0b6b3a764000080c0',
    );
  });
});

describe('a message of a delegated sender', () => {
  it('carries its input as one byte string, and creates contracts at the address manager', () => {
    const call = decodeEthPayload(ethPayloadOf({ ...ETH_MESSAGE, params: Uint8Array.of(0x42, 7, 8) }, 314n));
    expect(call).toMatchObject({ chainId: 314n, nonce: 1n, value: 100_000n, input: Uint8Array.of(7, 8) });
    expect(call?.to).toBe('0x2b87d1cb599bc2a606db9a0169fcec96af04ad3a' as Address);
    const create = { ...ETH_MESSAGE, to: idAddress(10n), method: 4n, params: Uint8Array.of(0x41, 1) };
    expect(decodeEthPayload(ethPayloadOf(create, 314n))).toMatchObject({
      to: undefined,
      input: Uint8Array.of(1),
    });
  });

  it.each<[Partial<CoinMessage>, string, string]>([
    [{ version: 9n }, 'Version', 'unsupported msg version: 9'],
    [
      { method: 0n },
      'Method',
      'invalid methodnum 0: only allowed method is InvokeContract(3844450837) or CreateExternal(4)',
    ],
    [{ to: idAddress(10n) }, 'Method', 'unsupported EAM method'],
    [{ to: SECP }, 'To', 'invalid Filecoin Eth address'],
    [{ params: Uint8Array.of(0x40) }, 'Params', 'non-empty params encode empty byte array'],
    [{ params: Uint8Array.of(0x41, 1, 2) }, 'Params', 'extra data found in params'],
    [{ params: Uint8Array.of(0x82, 1, 2) }, 'Params', 'failed to read params byte array'],
    [{ value: -1n }, 'Value', "'Value' field cannot be negative"],
    [{ gasLimit: -1n }, 'GasLimit', "'GasLimit' field cannot be negative"],
    [{ gasFeeCap: -1n }, 'GasFeeCap', "'GasFeeCap' field cannot be negative"],
    [{ gasPremium: -1n }, 'GasPremium', "'GasPremium' field cannot be negative"],
  ])('is refused with %p', (changes, field, message) => {
    const error = errorOf(() => ethPayloadOf({ ...ETH_MESSAGE, ...changes }, 314n));
    expect(error).toMatchObject({ code: 'NOT_AN_ETH_MESSAGE', field, message });
  });
});

describe('bytes of the chain', () => {
  it('are distinguished from others', () => {
    expect(recognizeChainMessage(encodeCoinMessage(MESSAGE))).toBe('message');
    expect(recognizeChainMessage(messageContentId(MESSAGE))).toBe('message-cid');
    expect(recognizeChainMessage(ethPayloadOf(ETH_MESSAGE, 314n))).toBe('delegated-message');
    for (const bytes of [
      new Uint8Array(0),
      Buffer.from('dataToSign'),
      encodeCoinMessage(MESSAGE).slice(0, -1),
      messageContentId(MESSAGE).slice(0, -1),
      Uint8Array.of(2, 0xc0),
      Uint8Array.of(...ethPayloadOf(ETH_MESSAGE, 314n), 0),
      new Uint8Array(100_000).fill(0xc1).fill(2, 0, 1),
    ]) {
      expect(recognizeChainMessage(bytes)).toBeUndefined();
    }
  });
});

describe('the rules for a block', () => {
  const zero = parseCoinAddress(`f3y${'a'.repeat(75)}by2smx7a`);

  it('pass an ordinary message', () => {
    expect(findInclusionFault(MESSAGE)).toBeUndefined();
    expect(
      findInclusionFault({ ...MESSAGE, value: TOTAL_SUPPLY, gasLimit: BLOCK_GAS_LIMIT }),
    ).toBeUndefined();
  });

  it.each<[Partial<CoinMessage>, string, string]>([
    [{ version: 1n }, 'Version', "'Version' unsupported"],
    [{ to: zero }, 'To', "invalid 'To' address"],
    [{ value: -1n }, 'Value', "'Value' field cannot be negative"],
    [{ value: TOTAL_SUPPLY + 1n }, 'Value', "'Value' field cannot be greater than total filecoin supply"],
    [{ gasFeeCap: -1n }, 'GasFeeCap', "'GasFeeCap' field cannot be negative"],
    [{ gasPremium: -1n }, 'GasPremium', "'GasPremium' field cannot be negative"],
    [{ gasPremium: 3n }, 'GasPremium', "'GasFeeCap' less than 'GasPremium'"],
    [
      { gasLimit: BLOCK_GAS_LIMIT + 1n },
      'GasLimit',
      "'GasLimit' field cannot be greater than a block's gas limit",
    ],
    [{ gasLimit: 0n }, 'GasLimit', "'GasLimit' field 0 must be positive"],
    [
      { gasLimit: 7n },
      'GasLimit',
      "'GasLimit' field cannot be less than the cost of storing a message on chain 7 < 8",
    ],
  ])('refuse %p', (changes, field, message) => {
    expect(findInclusionFault({ ...MESSAGE, ...changes }, 8n)).toEqual({ field, message });
  });

  it('know the zero address by its bytes', () => {
    expect(formatCoinAddress(zero, 'main')).toMatch(/^f3ya+by2smx7a$/);
  });
});
