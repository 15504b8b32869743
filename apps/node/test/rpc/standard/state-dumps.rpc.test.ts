import { describe, expect, it } from '@jest/globals';
import { keccak256 } from 'ethers/crypto';
import { reasonOf, type RunningNode } from '../../running-node.js';
import { MISSING, useStandardChain, type StandardChain } from '../../standard-chain.js';

interface Dump {
  readonly root: string;
  readonly accounts: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly next?: string;
}

let chain: StandardChain;
let node: RunningNode;
let check: StandardChain['check'];
useStandardChain((started) => {
  chain = started;
  ({ node, check } = started);
});

describe('the state', () => {
  it('is dumped whole, with the accounts as debug_dumpAddress has them', async () => {
    const { token, owner, block } = chain;
    const dump = await check<Dump>('debug_dumpBlock', block.number);
    const { stateRoot } = await node.result<{ stateRoot: string }>('eth_getBlockByNumber', [
      block.number,
      false,
    ]);
    expect(dump.root).toBe(stateRoot.slice(2));
    expect(dump.next).toBeUndefined();
    for (const address of [token, owner]) {
      const alone = await node.result<object>('debug_dumpAddress', [address, block.number]);
      expect(dump.accounts[address]).toEqual({ ...alone, key: keccak256(address) });
    }
  });

  it('is read page by page, each account once, in the order of hashed addresses', async () => {
    const number = await node.result<string>('eth_blockNumber');
    const whole = await check<Dump>('debug_dumpBlock', number);
    const seen: string[] = [];
    let start = '0x';
    for (;;) {
      const page = await check<Dump>('debug_accountRange', number, start, 2, true, true);
      const accounts = Object.entries(page.accounts);
      expect(accounts.length).toBeLessThanOrEqual(2);
      for (const [, account] of accounts) {
        expect(account).not.toHaveProperty('code');
        expect(account).not.toHaveProperty('storage');
      }
      seen.push(...accounts.map(([address]) => address));
      if (page.next === undefined) break;
      start = page.next;
    }
    expect(seen.sort()).toEqual(Object.keys(whole.accounts).sort());
    const key = keccak256(chain.token);
    const one = await check<Dump>('debug_accountRange', 'latest', key, 1);
    expect(Object.keys(one.accounts)).toEqual([chain.token]);
    expect(one.accounts[chain.token]).toHaveProperty('storage');
  });

  it('of one contract is read as it was before a transaction, slot by slot', async () => {
    const { token, transfer, block, holder } = chain;
    const { transactionIndex } = await node.result<{ transactionIndex: string }>('eth_getTransactionByHash', [
      transfer,
    ]);
    type Range = { storage: Record<string, { key: string; value: string }>; nextKey: string | null };
    const range = (index: number, start: string, most: number) =>
      check<Range>('debug_storageRangeAt', block.hash, index, token, start, most);
    const before = await range(Number(transactionIndex), '0x00', 100);
    const after = await range(Number(transactionIndex) + 1, '0x00', 100);
    expect(before.nextKey).toBeNull();
    const values = ({ storage }: Range) => Object.values(storage).map(({ value }) => BigInt(value));
    expect(values(before)).not.toContain(1000n);
    expect(values(after)).toContain(1000n);
    for (const [hashed, { key, value }] of Object.entries(after.storage)) {
      expect(hashed).toBe(keccak256(key));
      expect(await node.result('eth_getStorageAt', [token, key, block.hash])).toBe(value);
    }
    const first = await range(Number(transactionIndex) + 1, '0x', 1);
    expect(Object.keys(first.storage)).toEqual(Object.keys(after.storage).sort().slice(0, 1));
    expect(first.nextKey).toBe(Object.keys(after.storage).sort()[1]);
    expect(holder).toBeDefined();
  });

  describe('that blocks have modified', () => {
    const numbered = (number: number) => `0x${number.toString(16)}`;
    const fields = ({ balance, nonce, root, codeHash }: Dump['accounts'][string] = {}) => ({
      balance,
      nonce,
      root,
      codeHash,
    });

    it('is listed as the dumps show it, by height and by hash', async () => {
      const { owner, token, block } = chain;
      const last = Number(block.number);
      const dumpAt = async (number: number) =>
        (await check<Dump>('debug_dumpBlock', numbered(number))).accounts;
      const newer = await dumpAt(last);
      for (const first of [last - 1, 0]) {
        const older = await dumpAt(first);
        const different = Object.keys(newer).filter(
          (address) => JSON.stringify(fields(newer[address])) !== JSON.stringify(fields(older[address])),
        );
        const sorted = different.sort((a, b) => (keccak256(a) < keccak256(b) ? -1 : 1));
        expect(sorted).toEqual(expect.arrayContaining([owner, token]));
        const { hash } = await node.result<{ hash: string }>('eth_getBlockByNumber', [
          numbered(first),
          false,
        ]);
        expect(await check('debug_getModifiedAccountsByNumber', first, last)).toEqual(sorted);
        expect(await check('debug_getModifiedAccountsByHash', hash, block.hash)).toEqual(sorted);
        if (first !== last - 1) continue;
        expect(await check('debug_getModifiedAccountsByNumber', numbered(last))).toEqual(sorted);
        expect(await check('debug_getModifiedAccountsByHash', block.hash)).toEqual(sorted);
      }
    });

    it.each([
      ['ByNumber', () => [0], 'BLOCK_NOT_FOUND', 'block 0 has no parent'],
      ['ByNumber', () => [0xffffff], 'BLOCK_NOT_FOUND', 'start block 16777215 not found'],
      ['ByNumber', () => [0, 0xffffff], 'BLOCK_NOT_FOUND', 'end block 16777215 not found'],
      ['ByHash', () => [MISSING], 'BLOCK_NOT_FOUND', `start block ${MISSING} not found`],
      ['ByHash', () => [chain.block.hash, MISSING], 'BLOCK_NOT_FOUND', `end block ${MISSING} not found`],
      [
        'ByNumber',
        () => [1, 1],
        'INVALID_BLOCK_RANGE',
        'start block height (1) must be less than end block height (1)',
      ] as const,
    ])('is refused where there are no two states: %s', async (name, params, reason, message) => {
      const { error } = await node.call(`debug_getModifiedAccounts${name}`, params());
      expect(error).toMatchObject({ code: -32000, message, data: { reason } });
    });
  });

  it('that cannot be read is refused', async () => {
    const { block, holder } = chain;
    const at = (index: number, address = holder) =>
      node.call('debug_storageRangeAt', [block.hash, index, address, '0x00', 1]);
    expect(reasonOf(await at(0, `0x${'99'.repeat(20)}`))).toBe('STATE_OBJECT_NOT_FOUND');
    expect(reasonOf(await at(10_000))).toBe('TRANSACTION_NOT_FOUND');
    expect(reasonOf(await node.call('debug_storageRangeAt', [MISSING, 0, holder, '0x00', 1]))).toBe(
      'BLOCK_NOT_FOUND',
    );
    expect(reasonOf(await node.call('debug_dumpBlock', ['0xffffff']))).toBe('BLOCK_NOT_FOUND');
    const long = await node.call('debug_accountRange', ['latest', `0x${'00'.repeat(33)}`]);
    expect(long.error).toMatchObject({ code: -32602, data: { field: 'start' } });
  });

  it('has had no bad blocks on a chain of one validator', async () => {
    expect(await check('debug_getBadBlocks')).toEqual([]);
  });
});
