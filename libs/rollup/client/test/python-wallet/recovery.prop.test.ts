import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RollupCodec, publishedBatch, stateProofValues } from '@tetrad/rollup-chain';
import { parseOperationHeader } from '@tetrad/rollup-circuits';
import { multiplyGenerator, type Point } from '@tetrad/rollup-crypto';
import {
  AccountRecovery,
  accountHash,
  proveBalance,
  proveOrder,
  type Account,
  type Batch,
  type RecoverableBatch,
} from '@tetrad/rollup-state';
import { seededRandom } from '@tetrad/testkit';
import { LawfulBatches } from '../../../state/src/testing/lawful-batches.js';
import { DOMAIN } from '../../../state/src/testing/random-rollup.js';
import type { RollupUser } from '../../../state/src/testing/rollup-user.js';
import { PythonWallet, isWithoutPython } from './python-wallet.js';

const SUBMITTER = `0x${'aa'.repeat(20)}`;
const SIZE = 4;
const BATCHES = 20;
const operatorKeys: readonly Point[] = [24n, 23n].map(multiplyGenerator);

/** A batch of random operations, as the contract publishes it. */
interface Published {
  readonly log: { readonly topics: readonly string[]; readonly data: string };
  readonly batch: RecoverableBatch;
}

/** @param leafChange - what is added to the first leaf of the batch, as by an Ethereum client that lies */
function publish(codec: RollupCodec, made: Batch, leafChange = 0n): Published {
  const { height, nextStateRoot } = made.publicInputs;
  const honest = publishedBatch(made.publicInputs, made.ciphertexts);
  const place = honest.leaves.findIndex((leaf) => leaf !== 0n);
  const leaves = honest.leaves.map((leaf, index) => (index === place ? leaf + leafChange : leaf));
  const published = { ...honest, leaves };
  const call = codec.encodeSubmitBatch(published, new Uint8Array());
  const [batch] = codec.abi.decodeFunctionData('submitBatch', call);
  const values = [height, nextStateRoot, SUBMITTER, batch];
  return {
    log: codec.abi.encodeEventLog('TransactionBatchAccepted', values),
    batch: { ...published, height },
  };
}

((await isWithoutPython()) ? describe.skip : describe)('an account that is followed in Python', () => {
  let python: PythonWallet;
  let codec: RollupCodec;

  beforeAll(async () => {
    codec = new RollupCodec();
    python = PythonWallet.start();
  });
  afterAll(() => python.stop());

  /** What TypeScript has of the account, and would withdraw. */
  const expectedOf = ({ secretKey, encryptionKey }: RollupUser, published: readonly Published[]) => {
    const recovery = new AccountRecovery({ domain: DOMAIN, secretKey, encryptionKey, operatorKeys });
    for (const { batch } of published) recovery.apply(batch);
    const account = recovery.own as Account;
    const balances = [...account.balances.keys()].sort((a, b) => a - b);
    const orders = recovery.openOrders;
    return {
      id: account.id,
      leaf: accountHash(account),
      root: published.at(-1)?.batch.nextStateRoot,
      openOrders: orders.map(({ totalIndex, order }) => [totalIndex, Object.values(order).map(BigInt)]),
      calls: [
        codec.encodeCall('withdrawBalances', [
          account.id,
          balances.map((tokenId) => stateProofValues.balance(proveBalance(account, tokenId))),
        ]),
        codec.encodeCall('withdrawOrders', [
          account.id,
          orders.map((order) => stateProofValues.order(proveOrder(recovery, order))),
        ]),
      ],
    };
  };
  const foundOf = async ({ secretKey, encryptionKey }: RollupUser, published: readonly Published[]) => {
    const rollup = [DOMAIN, ...operatorKeys.flatMap(({ x, y }) => [x, y])];
    const logs = published.map(({ log }) => log);
    const found = await python.call('history', [secretKey, encryptionKey], rollup, logs);
    const { openOrders, ...rest } = found as { openOrders: [number, (number | bigint)[]][] };
    return { ...rest, openOrders: openOrders.map(([index, words]) => [index, words.map(BigInt)]) };
  };

  const seen = new Set<string>();
  it.each([1, 2, 3])('is what TypeScript finds, among false and invalid texts, %#', async (seed) => {
    const lawful = new LawfulBatches(seededRandom(seed), SIZE);
    const published = Array.from({ length: BATCHES }, () => publish(codec, lawful.next().batch));
    // The texts of the others say the blinding factor alone, which contracts that freeze refuse.
    const users = lawful.honest.filter(({ id }) => id % 2 === 0);
    expect(users.length).toBeGreaterThan(0);
    for (const user of users) expect(await foundOf(user, published)).toEqual(expectedOf(user, published));
    for (const { batch } of published)
      for (const { kind, accountId } of batch.headers.map(parseOperationHeader))
        if (users.some(({ id }) => id === accountId)) seen.add(kind);
  });

  it('has had a consent, and was credited', () => {
    expect([...seen]).toEqual(expect.arrayContaining(['setConsent', 'credit', 'redeemMoneyOrder']));
  });

  it('is not made of events that are missing or changed', async () => {
    const lawful = new LawfulBatches(seededRandom(4), SIZE);
    const made = Array.from({ length: 3 }, () => lawful.next().batch);
    const [first, second, third] = made.map((batch) => publish(codec, batch)) as [
      ...[Published, Published, Published],
    ];
    const [user] = lawful.honest as [RollupUser];
    await expect(foundOf(user, [first, third])).rejects.toThrow('batch 2 is next, not 3');
    const changed = publish(codec, made[2] as Batch, 1n);
    const refusal = /batch 3 does not lead to its roots|is not what its text says/;
    await expect(foundOf(user, [first, second, changed])).rejects.toThrow(refusal);
  });
});
