import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BatchProver, WitnessError, type BatchWitness, type OperationWitness } from '@tetrad/rollup-circuits';
import { FIELD_MODULUS, multiplyGenerator, totalIndex } from '@tetrad/rollup-crypto';
import { seededRandom } from '@tetrad/testkit';
import { applyBatch, type Batch } from '../src/batch.js';
import { MemoryState } from '../src/memory-state.js';
import type { RollupOperation } from '../src/rollup-operation.js';
import { RollupUser, deposit, depositOrder } from '../src/testing/rollup-user.js';

/** Every private input is flipped: the circuit must refuse it, unless the kind has no use for the input. */

const domain = 2n ** 248n - 159n;
const random = seededRandom(3);
const draw = () => BigInt(Math.floor(random() * 2 ** 48)) ** 5n;
const operatorKey = multiplyGenerator(17n);
const [alice, bob] = [1, 2].map((id) => new RollupUser(id, operatorKey, domain, draw)) as [
  RollupUser,
  RollupUser,
];

let prover: BatchProver;
const batches = new Map<string, Batch>();

beforeAll(async () => {
  prover = await BatchProver.open({ size: 1 });
  const state = new MemoryState();
  const apply = (operation: RollupOperation | undefined) => {
    const operations = operation === undefined ? [] : [operation];
    const batch = applyBatch(state, { ...state.next, domain, size: 1 }, operations);
    state.commit(batch);
    if (batch.results.some(({ status }) => status !== 'EXECUTED'))
      throw new Error('an operation was not executed');
    batches.set(operation?.kind ?? 'noOp', batch);
  };
  const incoming = deposit(0, alice, 3, 1000n);
  apply(bob.create());
  apply(alice.create());
  apply(incoming);
  apply(alice.redeem(depositOrder(incoming), totalIndex(3, 0), 1));
  apply(alice.pay(bob, 3, 400n, 2));
  apply(alice.transferOut('0xca843569e3427144cead5e4d5999a3d0ccf92b8e', 3, 7n, 3));
  apply(undefined);
});

afterAll(() => prover.close());

/** Inputs that a kind has no use for. All others bind. */
const payment = ['from_id', 'to_id', 'amount', 'order_blinding', 'to_address', 'total_index'];
const paths = ['order_path', 'batch_path'];
const account = ['joint_key_hash', 'nonce', 'redemption_index', 'account_blinding', 'account_path'];
const balance = ['balance', 'balance_path'];
const unused: Readonly<Record<string, readonly string[]>> = {
  createAccount: [...payment, ...paths, 'token_id'],
  createMoneyOrder: ['joint_key', 'to_address', 'total_index', ...paths],
  redeemMoneyOrder: ['joint_key', 'to_address'],
  outboundTransfer: ['joint_key', 'to_id', 'order_blinding', 'total_index', ...paths],
  inboundTransfer: [
    ...account,
    ...balance,
    ...paths,
    'joint_key',
    'order_blinding',
    'to_address',
    'total_index',
    'signature',
  ],
  noOp: [...payment, ...paths, ...account, ...balance, 'joint_key', 'token_id', 'signature'],
};

interface Flip {
  readonly name: string;
  readonly index: number;
  readonly witness: OperationWitness;
}

/** The witness with each word of each input one higher. */
function flips(witness: OperationWitness): Flip[] {
  const { signature, ...lists } = witness;
  const up = (word: bigint) => (word + 1n) % FIELD_MODULUS;
  const own = Object.entries(lists).flatMap(([name, value]) =>
    typeof value === 'bigint'
      ? [{ name, index: 0, witness: { ...witness, [name]: up(value) } }]
      : (value as readonly bigint[]).map((word, index) => ({
          name,
          index,
          witness: { ...witness, [name]: (value as readonly bigint[]).with(index, up(word)) },
        })),
  );
  const parts = (['r', 's'] as const).flatMap((part) =>
    [0, 1].map((index) => ({
      name: 'signature',
      index,
      witness: {
        ...witness,
        signature: {
          ...signature,
          [part]: signature[part].with(index, up(signature[part][index] as bigint)),
        },
      },
    })),
  );
  return [...own, ...parts];
}

/** Of a list that is the same for all kinds the first and the last; one kind takes them all. */
const isSampled = ({ name, index }: Flip, length: number) =>
  index === 0 ||
  index === length - 1 ||
  !['account_path', 'balance_path', 'ciphertext', 'order_path', 'batch_path'].includes(name);

const holds = async (witness: BatchWitness) => {
  try {
    await prover.execute(witness);
    return true;
  } catch (error) {
    if (!(error instanceof WitnessError)) throw error;
    return false;
  }
};

describe('the circuit', () => {
  it.each(Object.keys(unused))('is bound by every input that %s has a use for', async (kind) => {
    const { witness } = batches.get(kind) as Batch;
    const [operation] = witness.operations as [OperationWitness];
    expect(await holds(witness)).toBe(true);
    const wrong: string[] = [];
    for (const flip of flips(operation)) {
      const value = operation[flip.name as keyof OperationWitness];
      if (kind !== 'redeemMoneyOrder' && !isSampled(flip, Array.isArray(value) ? value.length : 1)) continue;
      const expected = (unused[kind] as string[]).includes(flip.name);
      if ((await holds({ ...witness, operations: [flip.witness] })) !== expected)
        wrong.push(`${flip.name} ${flip.index}`);
    }
    expect(wrong).toEqual([]);
  });

  it('is bound by the roots and the path of the history', async () => {
    const { witness } = batches.get('createMoneyOrder') as Batch;
    expect(await holds({ ...witness, accountRoot: witness.accountRoot + 1n })).toBe(false);
    expect(await holds({ ...witness, historyRoot: witness.historyRoot + 1n })).toBe(false);
    for (const [index, word] of witness.historyPath.entries()) {
      expect(await holds({ ...witness, historyPath: witness.historyPath.with(index, word + 1n) })).toBe(
        false,
      );
    }
  });

  it('is bound by every public input', async () => {
    const { witness } = batches.get('outboundTransfer') as Batch;
    const { publicInputs } = witness;
    const [operation] = publicInputs.operations;
    const names = [
      'previousStateRoot',
      'nextStateRoot',
      'height',
      'domain',
      'inboundFrom',
      'inboundTo',
      'ordersRoot',
    ] as const;
    const changed = [
      ...names.map((name) => ({
        [name]: (publicInputs[name] as bigint) + (typeof publicInputs[name] === 'bigint' ? 1n : (1 as never)),
      })),
      ...(['toAddress', 'leaf', 'order', 'amount'] as const).map((name) => ({
        operations: [{ ...operation!, [name]: operation![name] + 1n }],
      })),
      ...(['accountId', 'tokenId'] as const).map((name) => ({
        operations: [{ ...operation!, [name]: operation![name] + 1 }],
      })),
      { operations: [{ ...operation!, kind: 'noOp' as const }] },
    ];
    expect(changed).toHaveLength(14);
    for (const change of changed) {
      expect([change, await holds({ ...witness, publicInputs: { ...publicInputs, ...change } })]).toEqual([
        change,
        false,
      ]);
    }
  });

  it('is bound by the commitment to the ciphertexts and by the point and value of their polynomial', async () => {
    const { witness } = batches.get('createMoneyOrder') as Batch;
    const { publicInputs } = witness;
    for (const [name, word] of Object.entries(publicInputs.ciphertexts)) {
      const ciphertexts = { ...publicInputs.ciphertexts, [name]: word + 1n };
      expect([name, await holds({ ...witness, publicInputs: { ...publicInputs, ciphertexts } })]).toEqual([
        name,
        false,
      ]);
    }
  });
});
