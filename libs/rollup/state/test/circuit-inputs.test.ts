import { afterAll, describe, expect, it } from '@jest/globals';
import {
  SizedProvers,
  WitnessError,
  type BatchWitness,
  type OperationWitness,
} from '@tetrad/rollup-circuits';
import { FIELD_MODULUS, type OperationKind } from '@tetrad/rollup-crypto';
import type { Batch } from '../src/batch.js';
import { batchOfEachKind, placeOf, sizeOf } from './batch-of-each-kind.js';
import { UNUSED_INPUTS } from './unused-inputs.js';

/** Every private input is flipped: the circuit must refuse it, unless the kind has no use for the input. */

const provers = new SizedProvers();
const batches: ReadonlyMap<string, Batch> = batchOfEachKind();

afterAll(() => provers.close());

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
      name: `signature.${part}`,
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
    await (await provers.open(witness.operations.length)).execute(witness);
    return true;
  } catch (error) {
    if (!(error instanceof WitnessError)) throw error;
    return false;
  }
};

describe('the circuit', () => {
  it.each(Object.keys(UNUSED_INPUTS) as OperationKind[])(
    'is bound by every input that %s has a use for',
    async (kind) => {
      const { witness } = batches.get(kind) as Batch;
      const place = placeOf(kind);
      const operation = witness.operations[place] as OperationWitness;
      expect(witness.operations).toHaveLength(sizeOf(kind));
      expect(await holds(witness)).toBe(true);
      const wrong: string[] = [];
      for (const flip of flips(operation)) {
        const value = operation[flip.name as keyof OperationWitness];
        if (kind !== 'redeemMoneyOrder' && !isSampled(flip, Array.isArray(value) ? value.length : 1))
          continue;
        const expected = UNUSED_INPUTS[kind].includes(flip.name);
        if (
          (await holds({ ...witness, operations: witness.operations.with(place, flip.witness) })) !== expected
        )
          wrong.push(`${flip.name} ${flip.index}`);
      }
      expect(wrong).toEqual([]);
    },
  );

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
