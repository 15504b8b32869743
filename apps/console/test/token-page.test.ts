import {
  encodeAbiParameters,
  encodeErrorResult,
  encodeFunctionData,
  parseAbi,
  toEventSelector,
} from 'viem/utils';
import { describe, expect, it } from '@jest/globals';
import { parseAbiFile } from '../page/src/abi/abi-file.js';
import type { KeptAbi } from '../page/src/abi/kept-abi.js';
import { meaningsOfCall, meaningsOfLog, meaningsOfRevert } from '../page/src/abi/meanings.js';
import { standardAbis } from '../page/src/abi/standard-abis.js';
import { joinHoldings, shareOf } from '../page/src/abi/token-holdings.js';
import { loggedAmount, tokenAmount, tokenOf } from '../page/src/abi/token.js';

const ADDRESS = `0x${'cd'.repeat(20)}` as const;
const TOPIC = `0x${'00'.repeat(12)}${'cd'.repeat(20)}`;
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`;
const TRANSFER = toEventSelector('Transfer(address,address,uint256)');
const CALL = encodeFunctionData({
  abi: parseAbi(['function transfer(address to, uint256 value)']),
  args: [ADDRESS, 5n],
});

function file(signature: string): readonly KeptAbi[] {
  const [contract] = parseAbiFile(JSON.stringify(parseAbi<readonly string[]>([signature])), 'mine');
  if (contract === undefined) throw new Error('no contract');
  return [{ id: 1, by: 'mine', use: 'any', contract }];
}
const short = (meanings: ReturnType<typeof meaningsOfCall>) =>
  meanings.map(({ title, by, isStandard }) => [title, by, isStandard]);

describe('what data means without a file', () => {
  it('is what a published standard says', () => {
    expect(short(meaningsOfCall([], CALL))).toEqual([
      ['transfer(address to, uint256 value)', ['ERC-20'], true],
    ]);
    const erc20 = { topics: [TRANSFER, TOPIC, TOPIC], data: word(5n) };
    expect(short(meaningsOfLog([], erc20))).toEqual([
      ['Transfer(address from, address to, uint256 value)', ['ERC-20'], true],
    ]);
    const erc721 = { topics: [TRANSFER, TOPIC, TOPIC, word(7n)], data: '0x' };
    expect(short(meaningsOfLog([], erc721))).toEqual([
      ['Transfer(address from, address to, uint256 tokenId)', ['ERC-721'], true],
    ]);
    const error = 'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)';
    const data = encodeErrorResult({ abi: parseAbi([error]), args: [ADDRESS, 1n, 2n] });
    expect(short(meaningsOfRevert([], data))[0]?.slice(1)).toEqual([['ERC-6093'], true]);
  });

  it('is nothing where data is not wholly the encoding of what the standard has', () => {
    expect(meaningsOfCall([], `${CALL}ff`)).toEqual([]);
    expect(meaningsOfCall([], CALL.slice(0, -2))).toEqual([]);
    expect(meaningsOfCall([], '0x12345678')).toEqual([]);
    expect(meaningsOfLog([], { topics: [TRANSFER, TOPIC, TOPIC], data: '0x' })).toEqual([]);
    expect(meaningsOfLog([], { topics: [], data: '0x' })).toEqual([]);
  });

  it('is what a file says where one matches, and a standard beside one that does not', () => {
    const mine = file('function transfer(address receiver, uint256 coupons)');
    expect(short(meaningsOfCall(mine, CALL))).toEqual([
      ['transfer(address receiver, uint256 coupons)', ['mine'], undefined],
    ]);
    const other = file('event Transfer(address from, address to, uint256 value)');
    const log = { topics: [TRANSFER, TOPIC, TOPIC], data: word(5n) };
    expect(short(meaningsOfLog(other, log)).map(([, by]) => by)).toEqual([['ERC-20'], ['mine']]);
  });

  it('comes from standards of which every entry can be used', () => {
    expect(standardAbis().flatMap(({ contract }) => contract.abi.unused)).toEqual([]);
    expect(standardAbis()).toBe(standardAbis());
  });
});

describe('a token', () => {
  const answer = (type: string, value: unknown) => encodeAbiParameters([{ type }], [value] as never);
  const none = {
    isErc721: undefined,
    isErc1155: undefined,
    name: undefined,
    symbol: undefined,
    decimals: undefined,
    totalSupply: undefined,
  };
  const [yes, no] = [answer('bool', true), answer('bool', false)];
  const supply = { decimals: answer('uint8', 6), totalSupply: answer('uint256', 10n ** 12n) };

  it('is known by what it answers', () => {
    const names = { name: answer('string', 'Coupon'), symbol: answer('string', 'CPN') };
    expect(tokenOf({ ...none, ...names, ...supply })).toEqual({
      standard: 'ERC-20',
      name: 'Coupon',
      symbol: 'CPN',
      decimals: 6,
      totalSupply: 10n ** 12n,
    });
    expect(tokenOf({ ...none, isErc721: yes, isErc1155: no })?.standard).toBe('ERC-721');
    expect(tokenOf({ ...none, isErc721: no, isErc1155: yes })?.standard).toBe('ERC-1155');
  });

  it('is not what answers nothing, everything, or something else', () => {
    expect(tokenOf(none)).toBeUndefined();
    expect(tokenOf({ ...none, isErc721: yes, isErc1155: yes })).toBeUndefined();
    expect(tokenOf({ ...none, ...supply, decimals: word(256n) })).toBeUndefined();
    expect(tokenOf({ ...none, ...supply, totalSupply: `${word(1n)}00` })).toBeUndefined();
    expect(tokenOf({ ...none, ...supply, totalSupply: '0x' })).toBeUndefined();
  });

  it('has names of bounded length, and none where they cannot be read', () => {
    const long = answer('string', 'x'.repeat(100_000));
    expect(tokenOf({ ...none, ...supply, name: long, symbol: word(1n) })).toMatchObject({
      name: 'x'.repeat(60),
      symbol: undefined,
    });
  });

  it('has amounts with all their digits', () => {
    expect(tokenAmount(1_234_567_890n, 6)).toBe('1,234.56789');
    expect(tokenAmount(5n, 0)).toBe('5');
    expect(tokenAmount(1n, 255)).toBe(`0.${'0'.repeat(254)}1`);
    expect(tokenAmount(2n ** 256n - 1n, 18)).toMatch(/^115,792,.*\.584007913129639935$/);
  });

  it('logs amounts in data alone', () => {
    expect(loggedAmount({ topics: [TRANSFER, TOPIC, TOPIC], data: word(5n) })).toBe(5n);
    expect(loggedAmount({ topics: [TRANSFER, TOPIC, TOPIC, word(7n)], data: '0x' })).toBeUndefined();
    expect(loggedAmount({ topics: [TRANSFER, TOPIC, TOPIC], data: '0x05' })).toBeUndefined();
  });
});

describe('holdings of several pages', () => {
  const row = (address: string, balance?: bigint) => ({ address, balance });

  it('have each account once, as the first page has it, those with the most first', () => {
    const pages = [
      [row('a', 5n), row('b', 0n)],
      [row('a', 4n), row('c', 9n), row('d')],
    ];
    expect(joinHoldings(pages)).toEqual({
      holders: [row('c', 9n), row('a', 5n), row('d')],
      named: 4,
      sum: 14n,
    });
  });

  it('have shares that are never rounded up to the whole', () => {
    expect(shareOf(99_999n, 100_000n)).toBe('99.99%');
    expect(shareOf(1n, 3n)).toBe('33.33%');
    expect(shareOf(7n, 7n)).toBe('100.00%');
    expect(shareOf(1n, 0n)).toBeUndefined();
    expect(shareOf(1n, undefined)).toBeUndefined();
  });
});
