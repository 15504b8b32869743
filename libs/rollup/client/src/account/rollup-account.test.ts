import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { encodeJointKey, encodePoint, encodeWord, multiplyGenerator } from '@tetrad/rollup-crypto';
import { RpcCallError } from '@tetrad/rpc';
import { parseAddress } from '@tetrad/types';
import type { RollupContract } from '../chain/rollup-contract.js';
import { deriveRollupKeys, jointKeyOf } from '../keys/rollup-keys.js';
import type { OperatorClient } from '../operator/operator-client.js';
import { openJournalFile } from './journal-file.js';
import { retryAfterOf } from './retry-after.js';
import { RollupAccount } from './rollup-account.js';

const keys = deriveRollupKeys(new Uint8Array(32).fill(7));
const jointKey = jointKeyOf(keys, multiplyGenerator(3n));
const own = { id: 4, publicKey: encodePoint(keys.publicKey), jointEncryptionKey: encodeJointKey(jointKey) };
const contract = { domain: 9n, knowsOperatorKey: async () => true } as unknown as RollupContract;
const toEthereumAddress = parseAddress('0xca843569e3427144cead5e4d5999a3d0ccf92b8e');

const received = (moneyOrderTotalIndex: number, amount: bigint) => ({
  moneyOrder: { fromAccountId: 0, toAccountId: 4, tokenId: 0, amount, blindingFactor: encodeWord(1n) },
  moneyOrderTotalIndex,
  batchHeight: 1,
});
const page = (...items: readonly unknown[]) => ({ hasMoreResults: false, items });
const answers: Readonly<Record<string, unknown>> = {
  pazkp_findAccountByPublicKey: own,
  pazkp_getAccountNonce: { id: 4, nonce: 0, redemptionIndex: 0 },
  pazkp_listMoneyOrderRedemptions: page(),
  pazkp_listMoneyOrderCreations: page(),
  pazkp_listOutboundTransferCreations: page(),
  pazkp_listMoneyOrdersReceived: page(received(70_000, 0n), received(70_001, 5n)),
};

/** Method → reason, or more data of the error. */
let refused: Readonly<Record<string, string | object>>;
let folder: string;
let account: RollupAccount;
let asked: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-account-'));
  const call = async (method: string) => {
    asked.push(method);
    const refusal = refused[method];
    if (refusal !== undefined) {
      const data = typeof refusal === 'string' ? { reason: refusal } : refusal;
      throw new RpcCallError({ code: -32000, message: 'refused', data });
    }
    return answers[method];
  };
  [asked, refused] = [[], {}];
  const operator = { call } as unknown as OperatorClient;
  const openJournal = () => openJournalFile(join(folder, 'journal.json'));
  account = await RollupAccount.open({ operator, contract, keys, openJournal, fromBlock: 0 });
  asked = [];
});
afterEach(async () => {
  await account.close();
  await rm(folder, { recursive: true, force: true });
});

describe('an operation of amount 0', () => {
  const token = { tokenId: 0, amount: 0n };
  const order = { fromAccountId: 0, toAccountId: 4, ...token, blindingFactor: 1n };

  it.each([
    ['send', () => account.send({ toAccountId: 5, ...token })],
    ['withdraw', () => account.withdraw({ toEthereumAddress, ...token })],
    ['redeem', () => account.redeem(70_000)],
  ])('is not signed by %s', async (_, make) => {
    jest.spyOn(account, 'received').mockResolvedValue(order);
    await expect(make()).rejects.toThrow('amount: must be from 1 to 2^64 - 1 units of the rollup, not 0');
    expect(asked).toEqual([]);
    const journal = await readFile(join(folder, 'journal.json'), 'utf8').catch(() => '');
    expect(journal).not.toContain('pazkp_');
  });

  it('is not among the orders to redeem', async () => {
    const indexes: number[] = [];
    for await (const { moneyOrderTotalIndex } of account.redeemable()) indexes.push(moneyOrderTotalIndex);
    expect(indexes).toEqual([70_001]);
  });
});

describe('a transfer that the operator refuses', () => {
  const transfer = { toEthereumAddress, tokenId: 0, amount: 1n };

  it('for a reason that other operations are refused for is not open any more', async () => {
    refused = { pazkp_createOutboundTransfer: 'AMOUNT_TOO_LOW' };
    for (let round = 0; round < 2; round += 1)
      await expect(account.withdraw(transfer)).rejects.toThrow('refused');
    expect(await account.settle()).toEqual([]);
  });

  it.each(['QUOTA_EXCEEDED', 'QUEUE_FULL'])(
    'for the time being, by %s, is not open, and may come again',
    async (reason) => {
      refused = { pazkp_createOutboundTransfer: { reason, retryAfterMs: 90_000 } };
      const error: unknown = await account.withdraw(transfer).catch((cause: unknown) => cause);
      expect(error).toMatchObject({ message: 'refused' });
      expect(retryAfterOf(error)).toBe(90_000);
      expect(await account.settle()).toEqual([]);
      refused = { pazkp_createOutboundTransfer: { reason, retryAfterMs: 10 ** 300 } };
      expect(retryAfterOf(await account.withdraw(transfer).catch((cause: unknown) => cause))).toBe(
        86_400_000,
      );
      refused = { pazkp_createOutboundTransfer: { reason, retryAfterMs: 'soon' } };
      expect(retryAfterOf(await account.withdraw(transfer).catch((cause: unknown) => cause))).toBeUndefined();
    },
  );

  it('for an amount below the minimum of transfers is not open any more', async () => {
    refused = { pazkp_createOutboundTransfer: { reason: 'TRANSFER_AMOUNT_TOO_LOW', minAmount: '1000' } };
    await expect(account.withdraw(transfer)).rejects.toThrow('refused');
    expect(await account.settle()).toEqual([]);
  });

  it('for a reason that is not known stays open, and is asked for', async () => {
    refused = { pazkp_createOutboundTransfer: 'SOMETHING_NEW' };
    await expect(account.withdraw(transfer)).rejects.toThrow('is not known');
    await expect(account.withdraw(transfer)).rejects.toThrow('an earlier operation is not settled');
  });
});
