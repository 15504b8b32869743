import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { publishedBatch } from '@tetrad/rollup-chain';
import { encrypt, operationHash, sign } from '@tetrad/rollup-crypto';
import { Sequencer } from '@tetrad/rollup-sequencer';
import { MemoryState, applyBatch, type RollupOperation } from '@tetrad/rollup-state';
import { AccountHolder } from '../../account-holder.js';
import {
  DOMAIN,
  TOKEN,
  blockHash,
  startOperator,
  userOf,
  type RunningOperator,
} from '../../running-operator.js';

const OPERATOR_SECRET = 23n;
const SIZE = 2;

let operator: RunningOperator;
/** Submits her own batches, with arbitrary content. */
const mallory = userOf(1, 1);
const malloryHere = new AccountHolder(1, 1);
const alice = new AccountHolder(2, 2);
/** The state as the submitters of the batches know it. */
const state = new MemoryState();

/** A batch of another submitter that the chain accepted. */
async function adopt(...operations: readonly RollupOperation[]): Promise<void> {
  const batch = applyBatch(state, { ...state.next, domain: DOMAIN, size: SIZE }, operations);
  expect(batch.results.map(({ status }) => status)).toEqual(operations.map(() => 'EXECUTED'));
  state.commit(batch);
  const { height } = batch.publicInputs;
  const at = { blockNumber: 100 + height, blockHash: blockHash(height), transactionHash: blockHash(height) };
  const sequencer = new Sequencer(operator.store, {
    domain: DOMAIN,
    batchSize: SIZE,
    operatorSecrets: [OPERATOR_SECRET],
  });
  await sequencer.adopt({ height, at, ...publishedBatch(batch.publicInputs, batch.ciphertexts) });
}

/** A payment to herself, with a text that says something else. */
function unreadablePayment(nonce: number): RollupOperation {
  const payment = mallory.pay(mallory, TOKEN, 0n, nonce);
  if (payment.kind !== 'createMoneyOrder') throw new TypeError('is not a payment');
  const changed = { ...payment, ciphertext: encrypt([9n, 9n, 9n, 9n, 9n], mallory.jointKey, 77n) };
  return { ...changed, signature: sign(mallory.secretKey, operationHash(DOMAIN, changed)) };
}

beforeAll(async () => {
  operator = await startOperator();
  const creation = mallory.create();
  if (creation.kind !== 'createAccount') throw new TypeError('is not a creation');
  await operator.store.accept({ hash: operationHash(DOMAIN, creation), operation: creation });
  await adopt(creation);
});
afterAll(() => operator.stop());

describe('an account that the operator knows from a batch of another submitter', () => {
  it('is served as any other', async () => {
    expect(await operator.result('pazkp_getAccountNonce', [1])).toMatchObject({ nonce: 0 });
    expect(await operator.result('pazkp_getAccountState', [1])).toMatchObject({ nonce: 0 });
  });

  it('is refused by name once its holder wrote what the operator cannot read', async () => {
    await adopt(unreadablePayment(1));
    for (const method of ['pazkp_getAccountNonce', 'pazkp_getAccountState'])
      expect(await operator.rejection(method, [1])).toBe('ROLLUP_ACCOUNT_OPAQUE');
    const payment = malloryHere.payment(malloryHere, TOKEN, 1n, 2);
    expect(await operator.rejection('pazkp_createMoneyOrder', payment)).toBe('ROLLUP_ACCOUNT_OPAQUE');
    const transfer = malloryHere.transfer(`0x${'a1'.repeat(20)}`, TOKEN, 1n, 2);
    expect(await operator.rejection('pazkp_createOutboundTransfer', transfer)).toBe('ROLLUP_ACCOUNT_OPAQUE');
  });

  it('does not keep others from being served', async () => {
    expect(await operator.result('pazkp_createAccount', alice.registration())).toEqual({
      status: 'REGISTERED',
    });
    expect(await operator.finalize()).toBe(3);
    expect(await operator.result('pazkp_getAccountState', [2])).toMatchObject({ nonce: 0 });
    const payment = alice.payment(malloryHere, TOKEN, 1n, 1);
    expect(await operator.result('pazkp_createMoneyOrder', payment)).toHaveProperty('operationHash');
  });
});
