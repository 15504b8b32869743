import { keccak256, encodeAbiParameters, stringToHex } from 'viem/utils';
import { describe, expect, it } from '@jest/globals';
import { PROXY_SLOTS, addressInWord, knownAs } from '../page/src/abi/known-contracts.js';
import { placesUnder } from '../page/src/abi/storage-keys.js';
import { parseStorageLayout } from '../page/src/abi/storage-layout.js';
import { MAX_PLACES, contentSlot, placesOf, type Place } from '../page/src/abi/storage-places.js';
import { textIn, valueIn } from '../page/src/abi/storage-values.js';

const inplace = (label: string, bytes: number, more: object = {}) => ({
  encoding: 'inplace',
  label,
  numberOfBytes: String(bytes),
  ...more,
});
const at = (label: string, slot: number, offset: number, type: string) => ({
  label,
  slot: String(slot),
  offset,
  type,
});
const TYPES = {
  t_uint8: inplace('uint8', 1),
  t_int16: inplace('int16', 2),
  t_bool: inplace('bool', 1),
  t_address: inplace('address', 20),
  t_bytes4: inplace('bytes4', 4),
  t_uint256: inplace('uint256', 32),
  't_userDefinedValueType(Id)5': inplace('Id', 2),
  't_struct(Pair)9_storage': inplace('struct Pair', 64, {
    members: [at('small', 0, 0, 't_uint8'), at('large', 1, 0, 't_uint256')],
  }),
  't_mapping(t_uint256,t_uint8)': {
    encoding: 'mapping',
    label: 'mapping(uint256 => uint8)',
    numberOfBytes: '32',
    key: 't_uint256',
    value: 't_uint8',
  },
  't_mapping(t_string_memory_ptr,t_uint8)': {
    encoding: 'mapping',
    label: 'mapping(string => uint8)',
    numberOfBytes: '32',
    key: 't_string_memory_ptr',
    value: 't_uint8',
  },
  't_mapping(t_id,t_uint8)': {
    encoding: 'mapping',
    label: 'mapping(Id => uint8)',
    numberOfBytes: '32',
    key: 't_userDefinedValueType(Id)5',
    value: 't_uint8',
  },
  t_string_memory_ptr: { encoding: 'bytes', label: 'string', numberOfBytes: '32' },
  't_array(t_int16)dyn_storage': {
    encoding: 'dynamic_array',
    label: 'int16[]',
    numberOfBytes: '32',
    base: 't_int16',
  },
  't_array(t_struct(Pair)9_storage)4_storage': inplace('struct Pair[4]', 256, {
    base: 't_struct(Pair)9_storage',
  }),
};
const layoutOf = (...storage: readonly object[]) => parseStorageLayout({ storage, types: TYPES }, '');

const word = (hex: string) => `0x${hex.padStart(64, '0')}`;

describe('variables that share a slot', () => {
  const layout = layoutOf(
    at('small', 0, 0, 't_uint8'),
    at('signed', 0, 1, 't_int16'),
    at('is', 0, 3, 't_bool'),
    at('who', 0, 4, 't_address'),
    at('four', 0, 24, 't_bytes4'),
    at('id', 0, 28, 't_userDefinedValueType(Id)5'),
  );
  const stored = word(`beef${'01020304'}${'cd'.repeat(20)}01fffb07`);

  it('are cut out of it, each by its type', () => {
    expect(placesOf(layout).map((place) => [place.label, valueIn(stored, place)])).toEqual([
      ['small', '7'],
      ['signed', '-5'],
      ['is', 'true'],
      ['who', '0xCdCDCdCdcdcdcdCdcDcDCdcDcDCdCdcdCdcDCDcD'],
      ['four', '0x01020304'],
      ['id', '0xbeef'],
    ]);
  });

  it('beyond their slot, as a file may say, are not read from another', () => {
    const place = { ...placesOf(layout)[3], offset: 20 } as Place;
    expect(valueIn(stored, place)).toBe('is not in one slot');
  });
});

describe('texts', () => {
  it('are in their slot when they are short, and elsewhere when they are long', () => {
    expect(textIn(`0x${'61'.padEnd(62, '0')}02`)).toEqual({ kind: 'short', content: '0x61' });
    expect(textIn(word('41'))).toEqual({ kind: 'long', length: 32n, slots: 1 });
    expect(textIn(word('43'))).toEqual({ kind: 'long', length: 33n, slots: 2 });
    // What no compiler writes: bounds hold.
    expect(textIn(word('fe'))).toMatchObject({ kind: 'short', content: `0x${'00'.repeat(31)}` });
    expect(textIn(`0x${'ff'.repeat(32)}`)).toMatchObject({ kind: 'long', slots: 64 });
  });
});

describe('places', () => {
  const layout = layoutOf(
    at('pair', 3, 0, 't_struct(Pair)9_storage'),
    at('byNumber', 5, 0, 't_mapping(t_uint256,t_uint8)'),
    at('byName', 6, 0, 't_mapping(t_string_memory_ptr,t_uint8)'),
    at('list', 7, 0, 't_array(t_int16)dyn_storage'),
    at('byId', 12, 0, 't_mapping(t_id,t_uint8)'),
    at('pairs', 8, 0, 't_array(t_struct(Pair)9_storage)4_storage'),
  );
  const place = (label: string) => placesOf(layout).find((one) => one.label === label) as Place;
  const slots = (label: string, key: string) =>
    placesUnder(layout, place(label), key).places.map((one) => [one.label, one.slot, one.offset]);

  it('of structs are those of their members', () => {
    expect(
      placesOf(layout)
        .slice(0, 2)
        .map(({ label, slot }) => [label, slot]),
    ).toEqual([
      ['pair.small', 3n],
      ['pair.large', 4n],
    ]);
  });

  it('of mappings are hashes of key and slot', () => {
    const pair = encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [9n, 5n]);
    expect(slots('byNumber', '9')).toEqual([['byNumber[9]', BigInt(keccak256(pair)), 0]]);
    const text = `${stringToHex('näme')}${word('6').slice(2)}` as const;
    expect(slots('byName', 'näme')).toEqual([['byName[näme]', BigInt(keccak256(text)), 0]]);
  });

  it('of arrays are packed, or whole slots for structs', () => {
    const first = contentSlot(7n);
    expect(slots('list', '15')).toEqual([['list[15]', first, 30]]);
    expect(slots('list', '16')).toEqual([['list[16]', first + 1n, 0]]);
    expect(slots('pairs', '3')).toEqual([
      ['pairs[3].small', 14n, 0],
      ['pairs[3].large', 15n, 0],
    ]);
  });

  it.each([
    ['byNumber', '-1', 'key: is beyond the range of uint256'],
    ['byNumber', 'x'.repeat(1_001), 'a key has at most 1000 characters'],
    ['byId', '1', 'keys of type Id cannot be written here'],
    ['list', 'x', 'index: must be a number'],
    ['list', String(2n ** 256n), 'index: is too large'],
    ['pairs', '4', 'index: the array has 4 elements'],
  ])('of %s at %s are refused: %s', (label, key, problem) => {
    expect(() => placesUnder(layout, place(label), key)).toThrow(problem);
  });

  it('of structs that hold themselves end', () => {
    const members = [at('a', 0, 0, 't_self'), at('b', 1, 0, 't_self'), at('c', 2, 0, 't_uint8')];
    const types = { t_self: inplace('struct Self', 96, { members }), t_uint8: TYPES.t_uint8 };
    const self = parseStorageLayout({ storage: [at('x', 0, 0, 't_self')], types }, '');
    expect(placesOf(self).length).toBeLessThanOrEqual(MAX_PLACES);
  });
});

describe('what is known of an address', () => {
  const network = {
    nodes: [{ name: 'bank-a', address: `0x${'Ab'.repeat(20)}`, hasManager: false }],
    rollup: { contract: `0x${'cd'.repeat(20)}` },
    labels: [{ address: `0x${'Fe'.repeat(20)}`, label: 'Treasury' }],
  };
  it.each([
    ['fe'.repeat(20), 'Treasury'],
    ['cd'.repeat(20), 'the contract of the rollup'],
    ['ef'.repeat(20), 'the management contract of an extension'],
    ['ab'.repeat(20), 'the account of the key of node bank-a'],
    ['7a'.padStart(40, '0'), 'the address of the precompile of privacy markers'],
    ['11'.padStart(40, '0'), 'the address of the precompile of BLS12-381'],
    ['100'.padStart(40, '0'), 'the address of the precompile of P-256 verification'],
    ['12'.padStart(40, '0'), undefined],
  ])('%s: %s', (address, known) => {
    expect(knownAs(network, [`0x${'ef'.repeat(20)}`], `0x${address}`)).toBe(known);
  });

  it('is where a proxy leads, by the slots of EIP-1967', () => {
    expect(PROXY_SLOTS[0]?.slot.toString(16)).toBe(
      '360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
    );
    expect(addressInWord(word('cd'.repeat(20)))).toBe(`0x${'cd'.repeat(20)}`);
    expect(addressInWord(word('0'))).toBeUndefined();
    expect(addressInWord(`0x${'cd'.repeat(32)}`)).toBeUndefined();
  });
});
