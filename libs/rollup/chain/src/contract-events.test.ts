import { beforeAll, describe, expect, it } from '@jest/globals';
import { RollupCodec } from './contract/rollup-contract.js';
import { hashFromBytes, parseAddress, parseHash, type Address, type Hash } from '@tetrad/types';
import { readEvents } from './contract-events.js';
import type { EthereumLog } from './ethereum-methods.js';
import { revertDataOf } from './ethereum-client.js';

const CONTRACT = parseAddress('0x5fbdb2315678afecb367f032d93f642f64180aa3');
const OTHER = parseAddress('0x00000000000000000000000000000000000f00d5');
const hash = (byte: number): Hash => hashFromBytes(new Uint8Array(32).fill(byte));
const range = { from: 10, to: 20 };

describe('events of the contract', () => {
  let codec: RollupCodec;
  beforeAll(async () => {
    codec = new RollupCodec();
  });

  const deposit = (index: number, place: Partial<EthereumLog> = {}): EthereumLog => {
    const { topics, data } = codec.abi.encodeEventLog('InboundTransferRegistered', [index, 1, 0, 5n, OTHER]);
    return {
      address: CONTRACT,
      topics: topics.map(parseHash),
      data,
      blockNumber: 12,
      blockHash: hash(12),
      transactionHash: hash(1),
      logIndex: index,
      ...place,
    };
  };
  const read = (logs: readonly EthereumLog[], address: Address = CONTRACT) =>
    readEvents(codec, logs, { address, range });

  it('come in the order of the chain, however the client orders them', () => {
    const later = { blockNumber: 13, blockHash: hash(13), logIndex: 0 };
    const events = read([deposit(2, later), deposit(1), deposit(0)]);
    expect(events.map(({ event }) => event.kind === 'inbound' && event.index)).toEqual([0, 1, 2]);
    expect(events[2]).toMatchObject({ blockNumber: 13, blockHash: hash(13), logIndex: 0 });
  });

  it('leave out what says nothing about the rollup', () => {
    const { topics, data } = codec.abi.encodeEventLog('OperatorChanged', [OTHER, CONTRACT]);
    expect(read([{ ...deposit(0), topics: topics.map(parseHash), data }])).toEqual([]);
    expect(read([{ ...deposit(0), topics: [hash(9)], data: '0x' }])).toEqual([]);
  });

  it.each([
    ['is of another contract', [{ address: OTHER }]],
    ['was not asked for', [{ blockNumber: 21 }]],
    ['was not asked for', [{ blockNumber: 9 }]],
    ['was taken back', [{ removed: true }]],
    ['is there twice', [{}, {}]],
    ['is of another block', [{}, { logIndex: 3, blockHash: hash(13) }]],
  ])('refuse a log that %s', (problem, places) => {
    expect(() => read(places.map((place) => deposit(0, place)))).toThrow(problem);
  });
});

describe('what a revert carries', () => {
  it.each([
    ['geth, anvil and ours', '0x08c379a0'],
    ['Hardhat', { message: 'reverted', data: '0x08c379a0' }],
    ['Parity and Nethermind', 'Reverted 0x08c379a0'],
  ])('is found where %s put it', (_, data) => {
    expect(Buffer.from(revertDataOf(data)!).toString('hex')).toBe('08c379a0');
  });

  it.each([undefined, null, 7, 'no hex', '0x1', {}, { data: 5 }])('is nothing in %p', (data) => {
    expect(revertDataOf(data)).toBeUndefined();
  });
});
