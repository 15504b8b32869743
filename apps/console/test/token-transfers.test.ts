import { expect, it } from '@jest/globals';
import { Interface } from 'ethers/abi';
import { transfersOf } from '../page/src/abi/token-transfers.js';

const TOKEN = `0x${'11'.repeat(20)}`;
const [from, to, operator] = ['aa', 'bb', 'cc'].map((byte) => `0x${byte.repeat(20)}`) as [
  string,
  string,
  string,
];
const erc20 = new Interface(['event Transfer(address indexed from, address indexed to, uint256 value)']);
const erc721 = new Interface([
  'event Transfer(address indexed from, address indexed to, uint256 indexed id)',
]);
const erc1155 = new Interface([
  'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
]);
const log = (abi: Interface, name: string, values: readonly unknown[]) => {
  const { topics, data } = abi.encodeEventLog(name, values);
  return { address: TOKEN, logIndex: 0, topics: topics as string[], data };
};

it('transfers are read from the events of the three standards', () => {
  const parties = { token: TOKEN, from, to };
  expect(
    transfersOf([
      log(erc20, 'Transfer', [from, to, 5]),
      log(erc721, 'Transfer', [from, to, 7]),
      log(erc1155, 'TransferSingle', [operator, from, to, 8, 9]),
      log(erc1155, 'TransferBatch', [operator, from, to, [1, 2], [3, 4]]),
    ]),
  ).toEqual([
    { ...parties, amount: 5n, id: undefined },
    { ...parties, amount: undefined, id: 7n },
    { ...parties, amount: 9n, id: 8n },
    { ...parties, amount: 3n, id: 1n },
    { ...parties, amount: 4n, id: 2n },
  ]);
});

it('logs that are not encoded as their standard says are no transfers', () => {
  const whole = log(erc20, 'Transfer', [from, to, 5]);
  const batch = log(erc1155, 'TransferBatch', [operator, from, to, [1, 2], [3]]);
  const wide = [whole.topics[0] ?? '', `0x${'ff'.repeat(32)}`, whole.topics[2] ?? ''];
  expect(
    transfersOf([
      { ...whole, data: '0x' },
      { ...whole, data: `${whole.data}00` },
      { ...whole, topics: wide },
      { ...whole, topics: whole.topics.slice(0, 1) },
      batch,
      { ...batch, data: `0x${'ff'.repeat(64)}` },
    ]),
  ).toEqual([]);
});
