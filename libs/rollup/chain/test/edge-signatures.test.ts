import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  BatchProver,
  openProverLibrary,
  publicInputWords,
  type ProverLibrary,
} from '@tetrad/rollup-circuits';
import {
  GROUP_ORDER,
  encodeWord,
  modulo,
  multiplyGenerator,
  operationHash,
  signatureChallenge,
} from '@tetrad/rollup-crypto';
import { MemoryState, applyBatch } from '@tetrad/rollup-state';
import { seededRandom } from '@tetrad/testkit';
import { RollupUser } from '../../state/src/testing/rollup-user.js';
import { describeWithAnvil } from './anvil-chain.js';
import { EvmContract } from './evm-contract.js';

const DOMAIN = 31337n;

/**
 * A request that the contract takes and the circuit does not would freeze a rollup whose operator works: keys and nonces near
 * which formulas of the curve have exceptions.
 */
describeWithAnvil('a signature that the contract takes', () => {
  let contract: EvmContract;
  let prover: BatchProver;
  let library: ProverLibrary;
  beforeAll(async () => {
    // Compiling keeps this process from answering a prover that starts, which waits for five seconds.
    contract = await EvmContract.create('proofs.sol', 'Proofs');
    [prover, library] = await Promise.all([
      BatchProver.open({ size: 1, threads: 1 }),
      openProverLibrary({ threads: 1 }),
    ]);
  });
  afterAll(async () => {
    await library?.close();
    await prover?.close();
    await contract?.stop();
  });

  it.each([
    ['G', 1n, 'G', 1n],
    ['G', 1n, '−G', GROUP_ORDER - 1n],
    ['−G', GROUP_ORDER - 1n, 'G', 1n],
    ['−G', GROUP_ORDER - 1n, '−G', GROUP_ORDER - 1n],
    ['2 G', 2n, '2 G', 2n],
  ])('with the key %s (%d) and R = %s is one for the circuit', async (_, secret, __, nonce) => {
    const random = seededRandom(3);
    const draw = () => BigInt(Math.floor(random() * 2 ** 48)) ** 5n;
    const user = new RollupUser(1, multiplyGenerator(23n), DOMAIN, draw, secret);
    const creation = user.create();
    if (creation.kind !== 'createAccount') throw new Error('is not a creation');
    const message = operationHash(DOMAIN, creation);
    const [P, R] = [multiplyGenerator(secret), multiplyGenerator(nonce)];
    const s = modulo(nonce + signatureChallenge(R, P, message) * secret, GROUP_ORDER);
    expect((await contract.call('isSigned', [[P.x, P.y], message, [R.x, R.y, s]]))[0]).toBe(true);
    const state = new MemoryState();
    const batch = applyBatch(state, { ...state.next, domain: DOMAIN, size: 1 }, [
      { ...creation, signature: { R, s } },
    ]);
    const { proof } = await prover.prove(batch.witness);
    const inputs = publicInputWords(batch.publicInputs).map(encodeWord);
    expect(await library.verify(prover.circuit.verificationKey, inputs, proof)).toBe(true);
  });
});
