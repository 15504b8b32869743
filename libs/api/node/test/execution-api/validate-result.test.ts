import { describe, expect, it } from '@jest/globals';
import { nodeStandardMethods } from '../../src/index.js';
import {
  executionApiMethods,
  validateExecutionApiNotification,
  validateExecutionApiResult,
} from './validate-result.js';

const cases = Object.entries(nodeStandardMethods).flatMap(([method, { examples }]) =>
  examples.map(({ summary, result }) => ({ method, summary, result: result as unknown })),
);

function exampleOf(method: keyof typeof nodeStandardMethods, index = 0): Record<string, unknown> {
  return structuredClone(nodeStandardMethods[method].examples[index]?.result) as Record<string, unknown>;
}

describe('the shapes of the execution API', () => {
  it('cover exactly the standard methods of the node', () => {
    expect([...executionApiMethods].sort()).toEqual(Object.keys(nodeStandardMethods).sort());
  });

  it.each(cases)('hold for the example of $method: $summary', ({ method, result }) => {
    validateExecutionApiResult(method, result);
  });

  it('hold for the header that a subscription sends', () => {
    const { size, transactions, uncles, ...header } = exampleOf('eth_getBlockByNumber');
    expect([size, transactions, uncles]).not.toContain(undefined);
    validateExecutionApiNotification('newHeads', header);
    expect(() => validateExecutionApiNotification('newHeads', { ...header, size })).toThrow('size');
  });

  it.each([
    ['a quantity with leading zeros', 'eth_blockNumber', '0x01'],
    ['a quantity as a number', 'eth_blockNumber', 16],
    ['data with an odd digit', 'eth_call', '0x1'],
    ['upper-case hex', 'eth_getCode', '0xAB'],
    ['undefined', 'eth_chainId', undefined],
    ['true as the sync status', 'eth_syncing', true],
    ['a short storage value', 'eth_getStorageAt', '0x2a'],
  ])('refuse %s', (_what, method, result) => {
    expect(() => validateExecutionApiResult(method, result)).toThrow(method);
  });

  it.each(Object.keys(exampleOf('eth_getTransactionReceipt')))('refuse a receipt without %s', (member) => {
    const receipt = exampleOf('eth_getTransactionReceipt');
    delete receipt[member];
    expect(() => validateExecutionApiResult('eth_getTransactionReceipt', receipt)).toThrow();
  });

  it.each(['hash', 'miner', 'size', 'uncles', 'logsBloom'])('refuse a block without %s', (member) => {
    const block = exampleOf('eth_getBlockByNumber');
    delete block[member];
    expect(() => validateExecutionApiResult('eth_getBlockByNumber', block)).toThrow();
  });

  it('refuse members that the API does not have', () => {
    const transaction = { ...exampleOf('eth_getTransactionByHash'), isPrivate: false };
    expect(() => validateExecutionApiResult('eth_getTransactionByHash', transaction)).toThrow();
  });

  it('refuse the parity of a typed transaction on a legacy one, and a mined one with an incomplete position', () => {
    const pending = exampleOf('eth_getTransactionByHash', 1);
    expect(() =>
      validateExecutionApiResult('eth_getTransactionByHash', { ...pending, yParity: '0x1' }),
    ).toThrow();
    expect(() =>
      validateExecutionApiResult('eth_getTransactionByHash', { ...pending, blockNumber: '0x1' }),
    ).toThrow();
  });

  it('say when a method has no shape', () => {
    expect(() => validateExecutionApiResult('eth_unheardOf', null)).toThrow('no shape');
  });
});
