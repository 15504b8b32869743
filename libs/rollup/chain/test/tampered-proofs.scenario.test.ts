import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  loadCircuit,
  openProverLibrary,
  type Circuit,
  type ProverLibrary,
  type VerifierKind,
} from '@tetrad/rollup-circuits';
import { FIELD_MODULUS, encodeWord, type OperationKind } from '@tetrad/rollup-crypto';
import { seededRandom } from '@tetrad/testkit';
import { hexFromBytes, type Address } from '@tetrad/types';
import { Interface } from 'ethers/abi';
import { writeValues } from '../../circuits/test/acir/solved-values.js';
import { batchOfEachKind, sizeOf } from '../../state/test/batch-of-each-kind.js';
import { changedHints } from '../../state/test/changed-hints.js';
import { forgeriesOf } from '../../state/test/forgeries.js';
import { AttackedCircuit } from '../../state/test/solved-batch.js';
import { deployVerifier } from '../src/contract/deploy-rollup.js';
import { describeWithAnvil, startChain, type TestChain } from './anvil-chain.js';
import { changedLengths, changedWords } from './proof-words.js';

/**
 * Proofs that are not those of an honest prover, on the contracts that verify them. `TETRAD_ROLLUP_ATTACKS=all` changes each word in
 * each way, and proves each forgery; otherwise each word is changed in one way, and few are proved.
 */
const ALL = process.env['TETRAD_ROLLUP_ATTACKS'] === 'all';
const KINDS: readonly VerifierKind[] = ['standard', 'optimized'];
const VERIFIER = new Interface(['function verify(bytes, bytes32[]) view returns (bool)']);
/** Kinds of which one forgery each is proved where not all are. */
const FORGED: readonly OperationKind[] = ['createAccount', 'redeemMoneyOrder', 'outboundTransfer'];
const PUBLIC_INPUTS = 14;
const MINUTE = 60_000;

describeWithAnvil('the verifiers of both kinds', () => {
  let chain: TestChain;
  let library: ProverLibrary;
  let built: Circuit;
  let circuit: AttackedCircuit;
  const verifiers = new Map<VerifierKind, Address>();

  beforeAll(async () => {
    chain = await startChain(['--hardfork', 'cancun']);
    [library, built, circuit] = await Promise.all([
      openProverLibrary({ threads: 1 }),
      loadCircuit(1),
      AttackedCircuit.open(1),
    ]);
    for (const kind of KINDS) verifiers.set(kind, await deployVerifier(chain.create, 1, kind));
  });
  afterAll(async () => {
    await library?.close();
    await chain?.stop();
  });

  const solve = (kind: OperationKind) => circuit.solve(batchOfEachKind().get(kind)!.witness);
  const kinds = [...batchOfEachKind().keys()].filter((kind) => sizeOf(kind) === 1);
  const claimsOf = (values: readonly bigint[]) => values.slice(0, PUBLIC_INPUTS).map(encodeWord);

  async function prove(values: readonly bigint[]): Promise<Uint8Array> {
    const bytecode = gunzipSync(Buffer.from(built.bytecode, 'base64'));
    return (await library.prove(bytecode, built.verificationKey, writeValues(values))).proof;
  }

  /** Which contracts take a proof. */
  async function takenBy(proof: Uint8Array, claims: readonly Uint8Array[]): Promise<VerifierKind[]> {
    const data = VERIFIER.encodeFunctionData('verify', [proof, claims.map(hexFromBytes)]);
    const answers = await Promise.all(
      KINDS.map(async (kind) => {
        const to = verifiers.get(kind) as Address;
        const answer = await chain.ask<string>('eth_call', [{ to, data }, 'latest']).catch((error: Error) => {
          // A precompiled contract takes all gas for a point off the curve.
          if (!/revert|OutOfGas/i.test(error.message)) throw error;
          return '0x0';
        });
        return BigInt(answer) === 1n ? [kind] : [];
      }),
    );
    return answers.flat();
  }

  it(
    'refuse a proof of which any word is another, or the length is',
    async () => {
      const values = await solve('createMoneyOrder');
      const [proof, claims] = [await prove(values), claimsOf(values)];
      expect(await takenBy(proof, claims)).toEqual(KINDS);
      const words = changedWords(proof);
      // The standard contract asks for each word, so none is left out here.
      expect(words).toHaveLength(262);
      const changed = ALL ? words.flat() : words.flatMap((ways, index) => ways[index % ways.length] ?? []);
      for (const { name, proof: other } of [...changed, ...changedLengths(proof)])
        expect([name, await takenBy(other, claims)]).toEqual([name, []]);
      expect(changed.length).toBeGreaterThanOrEqual(ALL ? 10 * 262 : 262);
    },
    (ALL ? 20 : 3) * MINUTE,
  );

  it(
    'refuse what is proved of a witness that was forged after it was solved, as bb does',
    async () => {
      const { names, system } = circuit;
      let count = 0;
      for (const kind of ALL ? kinds : FORGED) {
        const values = await solve(kind);
        for (const [place, { name, changes }] of forgeriesOf(kind, names, values).entries()) {
          if (!ALL && place !== 1) continue;
          const forged = system.attempt(values, changes).values;
          const proof = await prove(forged).catch((error: Error) => {
            // It is the one thing that bb looks at before it proves.
            if (!/Point is not on curve/.test(error.message)) throw error;
            return undefined;
          });
          count += 1;
          if (proof === undefined) continue;
          for (const claims of [claimsOf(forged), claimsOf(values)]) {
            expect([name, await takenBy(proof, claims)]).toEqual([name, []]);
            expect([name, await library.verify(built.verificationKey, claims, proof)]).toEqual([name, false]);
          }
        }
      }
      expect(count).toBeGreaterThan(ALL ? 27 : FORGED.length - 1);
    },
    (ALL ? 30 : 3) * MINUTE,
  );

  it(
    'take a proof with a changed hint only if it has no effect, for the same public inputs',
    async () => {
      const random = seededRandom(42);
      const draw = () => BigInt(Math.floor(random() * 2 ** 48)) ** 5n % FIELD_MODULUS;
      const seen = { taken: 0, refused: 0 };
      for (const kind of ALL ? kinds : (['noOp'] as const)) {
        const values = await solve(kind);
        const tried = changedHints(circuit.acir, values, draw).map(({ name, changes, outputs }) => ({
          name,
          attempt: circuit.system.attempt(values, changes),
          // Halves of the challenge: only the sum of products itself bounds them.
          isHalf: outputs === 2 && changes.size === 2,
        }));
        const taken = tried.filter(({ attempt }) => attempt.violated.length === 0);
        const refused = tried.filter(({ attempt }) => attempt.violated.length > 0);
        const some = ALL
          ? [...taken, ...refused.filter(({ isHalf }, place) => isHalf || place % 20 === 0)]
          : [...taken.slice(0, 1), ...refused.filter(({ isHalf }) => isHalf).slice(0, 2)];
        for (const { name, attempt } of some) {
          const isSound = attempt.violated.length === 0;
          const proof = await prove(attempt.values);
          expect([name, await takenBy(proof, claimsOf(values))]).toEqual([name, isSound ? KINDS : []]);
          seen[isSound ? 'taken' : 'refused'] += 1;
        }
      }
      expect(seen.taken).toBeGreaterThan(0);
      expect(seen.refused).toBeGreaterThan(1);
    },
    (ALL ? 30 : 3) * MINUTE,
  );
});
