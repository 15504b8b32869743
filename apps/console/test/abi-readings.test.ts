import {
  encodeAbiParameters,
  encodeErrorResult,
  encodeFunctionData,
  parseAbi,
  toEventSelector,
} from 'viem/utils';
import { describe, expect, it } from '@jest/globals';
import { parseAbiFile } from '../page/src/abi/abi-file.js';
import { abisFor, type KeptAbi, type Use } from '../page/src/abi/kept-abi.js';
import {
  readCall,
  readDeployment,
  readLog,
  readResult,
  readRevert,
  readReturned,
} from '../page/src/abi/readings.js';

const ADDRESS = `0x${'cd'.repeat(20)}` as const;
const TOPIC_ADDRESS = `0x${'00'.repeat(12)}${'cd'.repeat(20)}`;
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`;

let id = 0;
/**
 * @param signatures - as people write them
 * @param more - members of the artifact
 */
function file(by: string, signatures: readonly string[], more: object = {}, use: Use = 'any'): KeptAbi {
  const text = JSON.stringify({ abi: parseAbi<readonly string[]>(signatures), ...more });
  const [contract] = parseAbiFile(text, by);
  if (contract === undefined) throw new Error('no contract');
  return { id: (id += 1), by, use, contract };
}
function abis(abi: readonly object[]): readonly KeptAbi[] {
  const [contract] = parseAbiFile(JSON.stringify(abi), 'x');
  if (contract === undefined) throw new Error('no contract');
  return [{ id: 0, by: 'x', use: 'any', contract }];
}
const short = (readings: ReturnType<typeof readCall>) =>
  readings.map(({ title, by, values, remark }) => ({
    title,
    by,
    remark,
    values: values?.map(({ name, content }) => [name, content]),
  }));

const TRANSFER = 'event Transfer(address indexed from, address indexed to, uint256 value)';
const log = {
  topics: [toEventSelector('Transfer(address,address,uint256)'), TOPIC_ADDRESS, TOPIC_ADDRESS],
  data: word(5n),
};

describe('a log', () => {
  it('is decoded by the event of its topic, from topics and data', () => {
    expect(short(readLog([file('token', [TRANSFER])], log))).toEqual([
      {
        title: 'Transfer(address from, address to, uint256 value)',
        by: ['token'],
        remark: undefined,
        values: [
          ['from', '0xCdCDCdCdcdcdcdCdcDcDCdcDcDCdCdcdCdcDCDcD'],
          ['to', '0xCdCDCdCdcdcdcdCdcDcDCdcDcDCdCdcdCdcDCDcD'],
          ['value', '5'],
        ],
      },
    ]);
  });

  it('that does not match its event says so', () => {
    const abis = [file('token', [TRANSFER])];
    const remarkOf = (more: object) => {
      const [reading] = readLog(abis, { ...log, ...more });
      expect(reading?.values).toBeUndefined();
      return reading?.remark;
    };
    expect(remarkOf({ topics: log.topics.slice(0, 2) })).toBe('it has 1 indexed values, and the ABI says 2');
    expect(remarkOf({ data: '0x' })).toBe('the data ends before it');
    expect(remarkOf({ topics: [log.topics[0], `0x${'ff'.repeat(32)}`, TOPIC_ADDRESS] })).toBe(
      'from: has more than 20 bytes',
    );
  });

  it('with further bytes says so, and one of another topic has no meaning', () => {
    const abis = [file('token', [TRANSFER])];
    expect(readLog(abis, { ...log, data: `${log.data}ff` })[0]?.remark).toBe('1 further bytes are not of it');
    expect(readLog(abis, { topics: [], data: log.data })).toEqual([]);
    expect(readLog(abis, { ...log, topics: [word(1n)] })).toEqual([]);
  });

  it('whose event has texts as topics shows their hashes', () => {
    const abis = [file('note', ['event Note(string indexed text, uint8[] indexed list)'])];
    const topics = [toEventSelector('Note(string,uint8[])'), word(7n), word(8n)];
    expect(readLog(abis, { topics, data: '0x' })[0]?.values).toEqual([
      { name: 'text', type: 'hash of string', content: word(7n) },
      { name: 'list', type: 'hash of uint8[]', content: word(8n) },
    ]);
  });

  it('that two files give different meanings has both, and one where they agree', () => {
    const nft = 'event Transfer(address indexed from, address indexed to, uint256 indexed value)';
    const other = 'event Transfer(address indexed src, address indexed dst, uint256 wad)';
    const abis = [file('a', [TRANSFER]), file('b', [TRANSFER]), file('nft', [nft]), file('other', [other])];
    expect(readLog(abis, log).map(({ by, values }) => [by, values !== undefined])).toEqual([
      [['a', 'b'], true],
      [['nft'], false],
      [['other'], true],
    ]);
  });
});

describe('a call', () => {
  /** Two functions of one selector, 0x23b872dd. */
  const COLLIDING = [
    'function transferFrom(address from, address to, uint256 amount)',
    'function gasprice_bit_ether(int128 price)',
  ];
  const input = encodeFunctionData({
    abi: parseAbi(['function transferFrom(address from, address to, uint256 amount)']),
    args: [ADDRESS, ADDRESS, 9n],
  });

  it('whose selector two functions have is never decoded as one of them alone', () => {
    const [one, other, ...rest] = readCall([file('both', COLLIDING)], input);
    expect(rest).toEqual([]);
    expect(one?.values).toHaveLength(3);
    expect(other).toMatchObject({ title: 'gasprice_bit_ether(int128 price)', values: undefined });
    const ambiguous = `0x23b872dd${word(1n).slice(2)}`;
    expect(readCall([file('x', COLLIDING)], ambiguous).map(({ values }) => values?.length)).toEqual([
      undefined,
      1,
    ]);
  });

  it('has one meaning for files that differ in its results alone, which then have two', () => {
    const get = (type: string) => file(type, [`function get() view returns (${type})`]);
    const abis = [get('uint8'), get('uint256')];
    const call = encodeFunctionData({ abi: parseAbi(['function get()']) });
    expect(readCall(abis, call).map(({ by }) => by)).toEqual([['uint8', 'uint256']]);
    expect(readResult(abis, { input: call, output: word(5n) })).toHaveLength(2);
  });

  it('is decoded by both of two functions whose titles a name makes the same', () => {
    const named = (...names: string[]) => names.map((name) => ({ name, type: 'uint256' }));
    const abi = [named('a', 'b'), [{ name: 'a, uint256 b', type: 'uint256' }]].map((inputs) => ({
      type: 'error',
      name: 'E',
      inputs,
    }));
    const kept = abis(abi);
    const [two, one] = kept[0]?.contract.abi.errors ?? [];
    expect(two?.selector).not.toBe(one?.selector);
    // As if the selectors were equal, which takes some hours to find.
    const equal = { ...one, selector: two?.selector } as never;
    const contract = { ...kept[0]?.contract, abi: { ...kept[0]?.contract.abi, errors: [two, equal] } };
    const readings = readRevert([{ ...kept[0], contract } as never], `${two?.selector}${'00'.repeat(64)}`);
    expect(new Set(readings.map(({ title }) => title)).size).toBe(1);
    expect(readings).toHaveLength(2);
  });

  it('is decoded, with what it returned', () => {
    const abis = [file('t', ['function get(uint8 at) view returns (string text, (bool a, int8 b) pair)'])];
    const call = encodeFunctionData({ abi: parseAbi(['function get(uint8 at)']), args: [3] });
    const output = encodeAbiParameters(
      [{ type: 'string' }, { type: 'tuple', components: [{ type: 'bool' }, { type: 'int8' }] }],
      ['<img src=x>', [true, -3]],
    );
    const [reading] = readResult(abis, { input: call, output });
    expect(reading?.values?.map(({ content }) => content)).toEqual([
      '<img src=x>',
      [
        { name: 'a', type: 'bool', content: 'true' },
        { name: 'b', type: 'int8', content: '-3' },
      ],
    ]);
    const entry = abis[0]?.contract.abi.functions[0];
    if (entry === undefined) throw new Error('no function');
    expect(readReturned({ entry, by: 't' }, '0x')).toMatchObject({
      values: undefined,
      remark: 'the data ends before it',
    });
  });

  it('without a selector has no meaning', () => {
    expect(readCall([file('both', COLLIDING)], '0x')).toEqual([]);
    expect(readCall([file('both', COLLIDING)], '0x23b872')).toEqual([]);
  });
});

describe('a revert', () => {
  const abi = parseAbi(['error Error(string)', 'error Panic(uint256)', 'error TooLong(uint256 length)']);

  it('is read by the errors of Solidity without a file', () => {
    const data = encodeErrorResult({ abi, errorName: 'Error', args: ['no'] });
    expect(short(readRevert([], data))).toEqual([
      { title: 'Error(string reason)', by: [], remark: undefined, values: [['reason', 'no']] },
    ]);
    const panic = encodeErrorResult({ abi, errorName: 'Panic', args: [17n] });
    expect(readRevert([], panic)[0]?.values?.[0]?.content).toBe('17');
  });

  it('of a custom error needs a file, and does not match in another length', () => {
    const data = encodeErrorResult({ abi, errorName: 'TooLong', args: [99n] });
    expect(readRevert([], data)).toEqual([]);
    const abis = [file('t', ['error TooLong(uint256 length)'])];
    expect(readRevert(abis, data)[0]?.values?.[0]?.content).toBe('99');
    expect(readRevert(abis, data.slice(0, 20))[0]?.values).toBeUndefined();
    expect(readRevert(abis, '0x')).toEqual([]);
  });
});

describe('a deployment', () => {
  it('is read where a file has its code', () => {
    const abis = [file('t', ['constructor(uint8 size)'], { bytecode: '0x6001' })];
    expect(short(readDeployment(abis, `0x6001${word(7n).slice(2)}`))).toEqual([
      { title: 'constructor(uint8 size)', by: ['t'], remark: undefined, values: [['size', '7']] },
    ]);
    expect(readDeployment(abis, '0x6002')).toEqual([]);
  });
});

describe('the files of a contract', () => {
  it('are its own and then those for any, never those of another', () => {
    const mine = file('mine', [TRANSFER], {}, ADDRESS);
    const any = file('any', [TRANSFER], {}, 'any');
    const other = file('other', [TRANSFER], {}, `0x${'ab'.repeat(20)}`);
    const unused = { ...any, by: 'unused', use: undefined };
    const all = [any, other, unused, mine];
    expect(abisFor(all, ADDRESS.toUpperCase().replace('X', 'x')).map(({ by }) => by)).toEqual([
      'mine',
      'any',
    ]);
    expect(abisFor(all, undefined).map(({ by }) => by)).toEqual(['any']);
  });
});
