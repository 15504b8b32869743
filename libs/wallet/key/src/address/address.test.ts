import { describe, expect, it } from '@jest/globals';
import { RequestError, parseAddress } from '@tetrad/types';
import { formatCoinAddress, parseCoinAddress } from './address-text.js';
import {
  MAX_ACTOR_ID,
  actorIdOf,
  coinAddressFromBytes,
  delegationOf,
  idAddress,
  blsAddress,
  secp256k1Address,
} from './coin-address.js';
import { delegatedFromEthAddress, ethAddressOf } from './eth-address.js';

const SECP = 'f17uoq6tp427uzv7fztkbsnn64iwotfrristwpryy';

function detailOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    if (error instanceof RequestError) return error.data.detail;
    throw error;
  }
  return undefined;
}

describe('text', () => {
  it('of both networks gives the same address', () => {
    const main = parseCoinAddress(SECP);
    const test = parseCoinAddress(`t${SECP.slice(1)}`);
    expect(main.equals(test)).toBe(true);
    expect(formatCoinAddress(main, 'test')).toBe(`t${SECP.slice(1)}`);
  });

  it('of the other network is refused where one network is demanded', () => {
    expect(() => parseCoinAddress(SECP, { requireNetwork: 'test' })).toThrow('Unknown Filecoin network');
    expect(detailOf(() => parseCoinAddress(SECP, { requireNetwork: 'test' }))).toBe(
      'the address is one of the main network, this is the test network',
    );
  });

  it.each([
    ['', 'invalid address length'],
    ['<empty>', 'unknown address network'],
    ['F17uoq6tp427uzv7fztkbsnn64iwotfrristwpryy', 'unknown address network'],
    ['fx7uoq6tp427uzv7fztkbsnn64iwotfrristwpryy', 'unknown address protocol'],
    ['f17UOQ6tp427uzv7fztkbsnn64iwotfrristwpryy', 'illegal base32 data at input byte 1'],
    ['f17uoq6tp427uzv7fztkbsnn64iwotfrristwpry=', 'illegal base32 data at input byte 38'],
    ['f17uoq6tp427uzv7fztkbsnn64iwotfrristwpryyyy', 'illegal base32 data at input byte 41'],
    ['f001', 'invalid encoding'],
    ['f0-1', 'invalid address payload'],
    ['f0+1', 'invalid address payload'],
    ['f0 1', 'invalid address payload'],
    ['f09223372036854775808', 'invalid address payload'],
    ['f018446744073709551615', 'invalid address length'],
    ['f410', 'invalid address payload'],
    ['f4f', 'invalid address payload'],
    ['f4010fkkld55ioe7qg24wvt7fu6pbknb56ht7pt4zamxa', 'invalid encoding'],
  ])('%j is refused: %s', (text, detail) => {
    expect(detailOf(() => parseCoinAddress(text))).toBe(detail);
  });
});

describe('bytes', () => {
  it.each([
    ['', 'cannot marshal undefined address'],
    ['0080', 'invalid address payload'],
    ['008000', 'invalid address payload'],
    ['000001', 'invalid address payload'],
    ['00ffffffffffffffffff01', 'invalid address payload'],
    [`040aff${'00'.repeat(11)}0000000000000001`, 'f410f addresses cannot embed masked-ID payloads'],
  ])('%s is refused: %s', (hex, detail) => {
    expect(detailOf(() => coinAddressFromBytes(Buffer.from(hex, 'hex')))).toBe(detail);
  });

  it('of an actor id end at 2^63 - 1', () => {
    expect(actorIdOf(idAddress(MAX_ACTOR_ID))).toBe(MAX_ACTOR_ID);
    expect(detailOf(() => idAddress(MAX_ACTOR_ID + 1n))).toBe('invalid address payload');
    expect(detailOf(() => idAddress(-1n))).toBe('invalid address payload');
  });
});

describe('Ethereum addresses', () => {
  const eth = parseAddress('0x52963ef50e27e06d72d59fcb4f3c2a687be3cfef');

  it('are f410f addresses and back', () => {
    const address = delegatedFromEthAddress(eth);
    expect(formatCoinAddress(address, 'main')).toBe('f410fkkld55ioe7qg24wvt7fu6pbknb56ht7pt4zamxa');
    expect(ethAddressOf(address)).toBe(eth);
    expect(delegationOf(address)?.namespace).toBe(10n);
  });

  it('that mask an actor id are addresses of that id', () => {
    const masked = parseAddress(`0xff${'00'.repeat(11)}00000000000003f2`);
    expect(formatCoinAddress(delegatedFromEthAddress(masked), 'main')).toBe('f01010');
    expect(ethAddressOf(idAddress(1010n))).toBe(masked);
    const tooHigh = parseAddress(`0xff${'00'.repeat(11)}8000000000000000`);
    expect(() => delegatedFromEthAddress(tooHigh)).toThrow(RequestError);
  });

  it('exist for no other address', () => {
    expect(ethAddressOf(parseCoinAddress(SECP))).toBeUndefined();
    const otherNamespace = coinAddressFromBytes(Uint8Array.of(4, 11, ...new Uint8Array(20)));
    expect(ethAddressOf(otherNamespace)).toBeUndefined();
    const short = coinAddressFromBytes(Uint8Array.of(4, 10, 1, 2, 3));
    expect(ethAddressOf(short)).toBeUndefined();
  });
});

describe('addresses of public keys', () => {
  it('demand the form of the key', () => {
    expect(() => secp256k1Address(new Uint8Array(64))).toThrow(TypeError);
    expect(() => secp256k1Address(new Uint8Array(65))).toThrow(TypeError);
    expect(() => blsAddress(new Uint8Array(47))).toThrow(TypeError);
  });
});
