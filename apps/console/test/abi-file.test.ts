import { describe, expect, it } from '@jest/globals';
import { MAX_FILE } from '../page/src/abi/bounded-json.js';
import { parseAbiFile } from '../page/src/abi/abi-file.js';
import { artifactOf, compileContract } from './compiled-contract.js';

const read = (value: unknown) => parseAbiFile(JSON.stringify(value), 'file.json');
const transfer = {
  type: 'function',
  name: 'transfer',
  stateMutability: 'nonpayable',
  inputs: [
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
  ],
  outputs: [{ name: '', type: 'bool' }],
};
const taking = (...inputs: unknown[]) => ({ ...transfer, inputs });

describe('an ABI file', () => {
  it('is an array, an artifact, or the standard output of the compiler', () => {
    const output = compileContract('Book');
    const { abi, evm } = artifactOf(output);
    const forms = [
      read(abi),
      read({ abi, bytecode: `0x${evm.bytecode.object}`, contractName: 'Book' }),
      read({ abi, bytecode: { object: evm.bytecode.object } }),
      parseAbiFile(output, 'out.json'),
      read({ id: 'build', output: JSON.parse(output) as unknown }),
    ];
    for (const [contract, ...others] of forms) {
      expect(others).toEqual([]);
      expect(contract?.abi.functions.map(({ signature }) => signature)).toContain(
        'check(uint256[],(address,uint96,string)[2])',
      );
      expect(contract?.abi.events.map(({ name, indexed }) => [name, ...indexed])).toEqual([
        ['Written', true, true, false, false],
      ]);
      expect(contract?.abi.unused).toEqual([expect.stringContaining('Cleared is anonymous')]);
    }
    expect(forms.map(([contract]) => contract?.name)).toEqual([
      'file.json',
      'Book',
      'file.json',
      'Book.sol:Book',
      'Book.sol:Book',
    ]);
    expect(forms.map(([contract]) => contract?.creationCode?.length ?? 0)).toEqual([
      0,
      ...Array<number>(4).fill(2 + evm.bytecode.object.length),
    ]);
    expect(forms.map(([contract]) => contract?.layout?.variables.length)).toEqual([
      undefined,
      undefined,
      undefined,
      14,
      14,
    ]);
  });

  it('of compilers before 0.5, and of entries without a type', () => {
    const [contract] = read([
      { name: 'get', constant: true, payable: false, inputs: [], outputs: [] },
      { name: 'pay', payable: true, inputs: [], outputs: [], type: 'function' },
      { type: 'fallback', payable: true },
    ]);
    expect(contract?.abi.functions).toMatchObject([
      { name: 'get', isRead: true, isPayable: false },
      { name: 'pay', isRead: false, isPayable: true },
    ]);
  });

  it('has the selectors that clients compute', () => {
    expect(read([transfer])[0]?.abi.functions[0]).toMatchObject({
      signature: 'transfer(address,uint256)',
      selector: '0xa9059cbb',
    });
  });

  it('may have entries of types that only the compiler knows: they are left out, and said', () => {
    const [contract] = read([taking({ name: 'x', type: 'struct Lib.Data storage' }), transfer]);
    expect(contract?.abi.functions).toHaveLength(1);
    expect(contract?.abi.unused).toEqual(['0.inputs.0.type: struct Lib.Data storage is no type of the ABI']);
  });
});

/** A tuple in a tuple, and so on. */
function nested(levels: number): object {
  let type: object = { name: 'x', type: 'uint8' };
  for (let level = 0; level < levels; level += 1) type = { name: 'x', type: 'tuple', components: [type] };
  return type;
}

describe('a file of a stranger is refused by the field', () => {
  it.each([
    ['no object', 5, 'neither an ABI nor an object with one'],
    ['neither', {}, 'neither abi nor contracts'],
    ['an ABI of another form', { abi: {} }, 'abi: '],
    ['a kind that there is not', [{ ...transfer, type: 'modifier' }], '0.type: '],
    [
      'a name with a signature in it',
      [{ ...transfer, name: 'a(uint256) /*' }],
      '0.name: must be an identifier',
    ],
    ['a name of markup', [{ ...transfer, name: '<img src=x onerror=alert(1)>' }], '0.name'],
    ['no name', [{ ...transfer, name: undefined }], '0.name: a function has one'],
    ['a type that is not text', [taking({ name: 'x', type: 5 })], '0.inputs.0.type'],
    ['a tuple without components', [taking({ name: 'x', type: 'tuple' })], '0.inputs.0.components'],
    [
      'components of no tuple',
      [taking({ name: 'x', type: 'uint8', components: [] })],
      '0.inputs.0.components',
    ],
    ['a long name', [taking({ name: 'x'.repeat(201), type: 'uint8' })], '0.inputs.0.name'],
    [
      'many dimensions',
      [taking({ name: 'x', type: `uint8${'[1]'.repeat(9)}` })],
      '0.inputs.0.type: more than 8',
    ],
    ['tuples in one another', [taking(nested(17))], 'more than 16 tuples in one another'],
    ['many parameters', [taking(...Array(501).fill({ type: 'uint8' }))], '0.inputs: '],
    [
      'many components',
      [taking(...Array(30).fill({ type: 'tuple', components: Array(20).fill({ type: 'bool' }) }))],
      'the entry has more than 500 parameters',
    ],
    ['10,000 functions', Array(10_000).fill(transfer), 'has 10000 entries, and at most 2000 are read'],
    [
      'four indexed inputs',
      [{ ...taking(...Array(4).fill({ type: 'bool', indexed: true })), type: 'event' }],
      '0.inputs: an event has at most three',
    ],
    [
      'many contracts',
      { contracts: { a: Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [at, { abi: [] }])) } },
      'contracts: has 1001 contracts',
    ],
    [
      'a broken contract of several',
      { contracts: { 'a.sol': { A: { abi: [] }, B: { abi: [{ type: 'x' }] } } } },
      'contracts.a.sol.B.abi.0.type',
    ],
    [
      'a layout of another form',
      { abi: [], storageLayout: { storage: [{}], types: {} } },
      'storageLayout.storage.0.label',
    ],
    [
      'a layout without a type',
      { abi: [], storageLayout: { storage: [{ label: 'x', slot: '0', offset: 0, type: 't_x' }], types: {} } },
      'storageLayout.storage.0.type: t_x is not among the types',
    ],
  ])('%s', (_, value, problem) => {
    expect(() => read(value)).toThrow(problem);
  });

  it.each([
    ['no JSON', '[', 'not JSON'],
    ['501 brackets', `${'['.repeat(501)}${']'.repeat(501)}`, 'more than 500 levels deep'],
    ['a million brackets', '['.repeat(1_000_000), 'more than 500 levels deep'],
    ['too much', ' '.repeat(MAX_FILE + 1), `more than ${MAX_FILE} characters`],
    ['an ABI twice', '{"abi":[],"abi":[{"type":"fallback"}]}', 'has a key twice'],
    ['an ABI twice, spelt differently', '{"abi":[],"\\u0061bi":[]}', 'has a key twice'],
    [
      'many entries in all',
      JSON.stringify({
        contracts: {
          a: Object.fromEntries(
            Array.from({ length: 11 }, (_, at) => [
              at,
              { abi: Array(1_999).fill({ type: 'error', name: 'E' }) },
            ]),
          ),
        },
      }),
      'more than 20000 entries',
    ],
  ])('%s', (_, text, problem) => {
    expect(() => parseAbiFile(text, 'file.json')).toThrow(problem);
  });

  it('and colons and brackets in texts are text', () => {
    const abi = [{ ...transfer, inputs: [{ name: '::{"a":1}[\\"', type: 'bool', internalType: 'a:b' }] }];
    expect(read({ abi, __proto__x: 1 })[0]?.abi.functions[0]?.inputs[0]?.name).toBe('::{"a":1}[\\"');
    expect(parseAbiFile('{"abi":[],"__proto__":{"abi":5}}', 'x')[0]?.abi.functions).toEqual([]);
  });
});
