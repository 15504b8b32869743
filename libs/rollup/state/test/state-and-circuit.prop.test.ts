import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BatchProver, WitnessError, publicInputWords } from '@tetrad/rollup-circuits';
import { seededRandom } from '@tetrad/testkit';
import { assembleBatch, type Batch } from '../src/batch.js';
import { isReadable } from '../src/account.js';
import { executeOperation, type Effects } from '../src/execution.js';
import type { MemoryState } from '../src/memory-state.js';
import type { RollupOperation } from '../src/rollup-operation.js';
import { forcedEffects } from '../src/testing/forced-effects.js';
import { DOMAIN, RandomRollup } from '../src/testing/random-rollup.js';

/**
 * The state machine and the circuit on the same random sequences. `TETRAD_ROLLUP_SEQUENCES=1000,20` runs a thousand, of
 * which twenty end with a full proof.
 */
const [SEQUENCES, PROOFS] = (process.env['TETRAD_ROLLUP_SEQUENCES'] ?? '5,1').split(',').map(Number) as [
  number,
  number,
];
const BATCHES = 12;
const SIZE = 2;
const MINUTE = 60_000;

let prover: BatchProver;
beforeAll(async () => {
  prover = await BatchProver.open({ size: SIZE });
});
afterAll(() => prover.close());

describe('on random sequences of operations', () => {
  it(
    'the circuit takes every batch of the state machine and nothing that it rejects, and value is conserved',
    async () => {
      const [seen, refused] = [new Set<string>(), new Set<string>()];
      for (let sequence = 0; sequence < SEQUENCES; sequence += 1) {
        const options = { hasConsents: sequence % 2 === 1 };
        const rollup = new RandomRollup(seededRandom(1000 + sequence), SIZE, options);
        let last: Batch | undefined;
        for (let step = 0; step < BATCHES; step += 1) {
          last = await rollup.step(async (batch, operations) => {
            await prover.execute(batch.witness);
            for (const operation of operations) await agreeOnRejection(rollup.state, operation, refused);
          });
          for (const { kind } of last.publicInputs.operations) seen.add(kind);
          for (const result of last.results) if (result.status === 'REJECTED') seen.add(result.reason);
        }
        for (const tokenId of [0, 1, 2]) expect(rollup.total(tokenId)).toBe(rollup.held.get(tokenId) ?? 0n);
        if (sequence < PROOFS) await expectProof(last as Batch);
      }
      for (const kind of ['createAccount', 'createMoneyOrder', 'redeemMoneyOrder', 'outboundTransfer']) {
        expect(seen).toContain(kind);
      }
      for (const reason of ['NONCE_TOO_LOW', 'BALANCE_TOO_LOW']) expect(seen).toContain(reason);
      for (const kind of ['inboundTransfer', 'noOp', 'setConsent', 'credit']) expect(seen).toContain(kind);
      for (const reason of ['NONCE_TOO_LOW', 'BALANCE_TOO_LOW', 'NOT_CREDITABLE'])
        expect(refused).toContain(reason);
    },
    4 * MINUTE + SEQUENCES * MINUTE,
  );
});

/**
 * Operations that the state machine rejects cannot be proved: the circuit refuses a batch with their effects. The one
 * exception is redeeming past an open order, which harms only the redeemer.
 */
async function agreeOnRejection(
  state: MemoryState,
  operation: RollupOperation,
  refused: Set<string>,
): Promise<void> {
  const view = state.executionView(DOMAIN);
  const execution = executeOperation(view, operation);
  if (execution.status === 'EXECUTED') return;
  const effects = forcedEffects(view, operation);
  if (effects === undefined || !isProvable(operation, effects)) return;
  const plan = { ...state.next, domain: DOMAIN, size: SIZE };
  const { witness } = assembleBatch(state, plan, [{ operation, effects }]);
  const isTaken = await prover.execute(witness).then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof WitnessError)) throw error;
      return false;
    },
  );
  const reason = execution.status === 'REJECTED' ? execution.reason : execution.status;
  expect([reason, isTaken]).toEqual([reason, reason === 'EARLIER_MONEY_ORDER_OPEN']);
  refused.add(reason);
}

/** A credit says what opens the consent of the account, which may be given in the batch itself. */
const isProvable = ({ kind }: RollupOperation, { after }: Effects) =>
  kind !== 'credit' || (after !== undefined && isReadable(after) && after.consentTerms !== undefined);

async function expectProof({ witness, publicInputs }: Batch): Promise<void> {
  const { proof, publicInputs: proved } = await prover.prove(witness);
  expect(proved).toEqual(publicInputWords(publicInputs));
  expect(await prover.verify(publicInputs, proof)).toBe(true);
  expect(await prover.verify({ ...publicInputs, height: publicInputs.height + 1 }, proof)).toBe(false);
}
