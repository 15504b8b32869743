import { describe, expect, it } from '@jest/globals';
import { parseAddress } from '@tetrad/types';
import { delegatedFromEthAddress, parseCoinAddress } from '@tetrad/wallet-key';
import { bytesToSign } from './message/signed-bytes.js';
import { messageContentId } from './message/content-id.js';
import type { CoinMessage } from './message/coin-message.js';
import { checkMessage } from './message-rules.js';
import type { SigningPolicy } from './signing-policy.js';

const SIGNER = parseCoinAddress('f1d2xrzcslx7xlbbylc5c3d5lvandqw4iwl6epxba');
const OTHER = parseCoinAddress('f17uoq6tp427uzv7fztkbsnn64iwotfrristwpryy');
const DELEGATED = delegatedFromEthAddress(parseAddress('0x2b87d1cb599bc2a606db9a0169fcec96af04ad3a'));
const INVOKE_EVM = 3844450837n;

const POLICY: SigningPolicy = {
  network: 'main',
  delegatedChainId: 314n,
  allowBlindSign: false,
  requireMessageMeta: false,
  strictMessages: false,
  uncheckedMessages: false,
};
const MESSAGE: CoinMessage = {
  version: 0n,
  to: OTHER,
  from: SIGNER,
  nonce: 1n,
  value: 5n,
  method: 0n,
  gasLimit: 25_000n,
  gasFeeCap: 2n,
  gasPremium: 1n,
  params: new Uint8Array(0),
};
const check = (change: Partial<CoinMessage>, policy: Partial<SigningPolicy> = {}) =>
  checkMessage({ ...MESSAGE, ...change }, SIGNER, { ...POLICY, ...policy });

describe('a message to sign', () => {
  it('of the address that signs gives its content id', () => {
    expect(check({})).toEqual({ bytes: messageContentId(MESSAGE) });
  });

  it('of another sender is refused, in the letters of the network', () => {
    const { bytes, rejection } = check({ from: OTHER }, { network: 'test' });
    expect(bytes).toHaveLength(0);
    expect(rejection).toMatchObject({ code: 'INVALID_COIN_MESSAGE', data: { field: 'message.From' } });
    expect(rejection?.message).toMatch(/^'From' field t17uoq\w+ is not the address that signs, t1d2xr\w+$/);
  });

  it('of another sender, or with a negative amount, is signed where the operator checks neither', () => {
    const policy = { uncheckedMessages: true };
    const change = { from: OTHER, value: -1n, gasPremium: -1n };
    expect(check(change, policy)).toEqual({ bytes: messageContentId({ ...MESSAGE, ...change }) });
    expect(check(change, { ...policy, strictMessages: true }).rejection?.data).toEqual({
      field: 'message.Value',
    });
  });

  it.each([
    ['Value', { value: -1n }],
    ['GasLimit', { gasLimit: -1n }],
    ['GasFeeCap', { gasFeeCap: -1n }],
    ['GasPremium', { gasPremium: -1n }],
  ])('is refused with a negative %s', (field, change) => {
    expect(check(change).rejection).toMatchObject({
      message: `'${field}' field cannot be negative`,
      data: { field: `message.${field}` },
    });
  });

  it.each([
    ['Nonce', { nonce: 2n ** 64n }],
    ['GasLimit', { gasLimit: 2n ** 63n }],
    ['Version', { version: -1n }],
  ])('is refused when its encoding has no room for %s', (field, change) => {
    expect(check(change).rejection).toMatchObject({
      code: 'INVALID_COIN_MESSAGE',
      data: { field: `message.${field}` },
    });
  });

  it.each([
    ['GasPremium', { gasPremium: 3n }],
    ['GasLimit', { gasLimit: 0n }],
    ['Version', { version: 1n }],
  ])('that no block would take for its %s is refused when the operator is strict', (field, change) => {
    expect(check(change).rejection).toBeUndefined();
    expect(check(change, { strictMessages: true }).rejection?.data).toEqual({ field: `message.${field}` });
  });

  it('of a delegated sender gives the Ethereum transaction of the policy’s chain', () => {
    const message = { ...MESSAGE, from: DELEGATED, to: DELEGATED, method: INVOKE_EVM };
    const bytesOn = (delegatedChainId: bigint) =>
      checkMessage(message, DELEGATED, { ...POLICY, delegatedChainId }).bytes;
    expect(bytesOn(314n)).toEqual(bytesToSign(message, DELEGATED, 314n));
    expect(bytesOn(314159n)).not.toEqual(bytesOn(314n));
  });

  it('of a delegated sender that corresponds to no Ethereum transaction is refused', () => {
    const message = { ...MESSAGE, from: DELEGATED, to: DELEGATED, method: 7n };
    expect(checkMessage(message, DELEGATED, POLICY).rejection).toMatchObject({
      code: 'INVALID_COIN_MESSAGE',
      data: { field: 'message.Method' },
    });
  });
});
