import { describe, expect, it } from '@jest/globals';
import { keccakHash } from '@tetrad/crypto';
import { getBytes } from 'ethers/utils';
import { reasonOf, type RunningNode } from '../../running-node.js';
import { MISSING, useStandardChain, type StandardChain } from '../../standard-chain.js';

let chain: StandardChain;
let node: RunningNode;
let check: StandardChain['check'];
useStandardChain((started) => {
  chain = started;
  ({ node, check } = started);
});

describe('the state', () => {
  it('is read at a block by number, tag and hash', async () => {
    const { owner, token, block, bytecode } = chain;
    expect(await check('eth_getBalance', owner, 'latest')).toMatch(/^0x[1-9a-f]/);
    expect(await check('eth_getBalance', owner, { blockHash: block.hash })).toMatch(/^0x/);
    expect(await check('eth_getBalance', `0x${'01'.repeat(20)}`, 'earliest')).toBe('0x0');
    const code = await check<string>('eth_getCode', token, 'latest');
    expect(bytecode.length).toBeGreaterThan(code.length);
    expect(await check('eth_getCode', token, '0x0')).toBe('0x');
    expect(await check('eth_getStorageAt', token, '0x0', 'latest')).toMatch(/^0x[0-9a-f]{64}$/);
    expect(Number(await check('eth_getTransactionCount', owner, 'latest'))).toBeGreaterThanOrEqual(3);
    expect(reasonOf(await node.call('eth_getBalance', [owner, '0xffffff']))).toBe('BLOCK_NOT_FOUND');
    expect(reasonOf(await node.call('eth_getBalance', [owner, { blockHash: MISSING }]))).toBe(
      'BLOCK_NOT_FOUND',
    );
  });

  it('is read in many slots of many accounts at once, under their addresses in lower case', async () => {
    const { owner, token, block } = chain;
    const single = await node.result('eth_getStorageAt', [token, '0x0', block.number]);
    const zero = `0x${'00'.repeat(32)}`;
    const requests = {
      [token]: ['0x0', `0x${'ff'.repeat(32)}`],
      [owner.toUpperCase().replace('X', 'x')]: ['0x1'],
    };
    expect(await check('eth_getStorageValues', requests, block.number)).toEqual({
      [token.toLowerCase()]: [single, zero],
      [owner.toLowerCase()]: [zero],
    });
    const missing = await node.call('eth_getStorageValues', [{ [token]: [] }, { blockHash: MISSING }]);
    expect(reasonOf(missing)).toBe('BLOCK_NOT_FOUND');
  });

  it.each([
    ['no account', () => ({}), /empty request/],
    ['1,025 slots', () => ({ [chain.token]: Array<string>(1_025).fill('0x0') }), /at most 1024 slots/],
    [
      'an account twice',
      () => ({
        [chain.owner.toLowerCase()]: ['0x0'],
        [chain.owner.toLowerCase().replace(/[a-f]/g, (letter) => letter.toUpperCase())]: [],
      }),
      /each account once/,
    ],
    ['no address', () => ({ '0x12': ['0x0'] }), /must be an address/],
  ])('is not read for %s', async (_what, requests, problem) => {
    const { error } = await node.call('eth_getStorageValues', [requests()]);
    expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(problem) });
  });

  it('is proven against the state root of its block', async () => {
    const { token, block } = chain;
    const asked = ['0x0', `0x${'0'.repeat(63)}a`, '0x00ff', '0x0'];
    const proof = await check<{ accountProof: string[]; storageProof: { key: string }[] }>(
      'eth_getProof',
      token,
      asked,
      block.number,
    );
    const { stateRoot } = await node.result<{ stateRoot: string }>('eth_getBlockByNumber', [
      block.number,
      false,
    ]);
    expect(keccakHash(getBytes(proof.accountProof[0] as string))).toBe(stateRoot);
    // Clients look for the key that they asked for.
    expect(proof.storageProof.map(({ key }) => key)).toEqual(asked);
  });
});
