import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { compile } from '@tetrad/compilers';
import {
  WitnessSolver,
  compileCircuit,
  openProverLibrary,
  pointsFor,
  publicInputWords,
} from '@tetrad/rollup-circuits';
import { encodePoint, encodeWord, multiplyGenerator, rollupDomain } from '@tetrad/rollup-crypto';
import { MemoryState, applyBatch, type Batch } from '@tetrad/rollup-state';
import { seededRandom } from '@tetrad/testkit';
import { hexFromBytes, type Address } from '@tetrad/types';
import { Interface } from 'ethers/abi';
import { ProverLibrary } from '../../circuits/src/prover-library.js';
import { startBb } from '../../circuits/src/start-bb.js';
import { withKnownPoint, writeKnownPoints } from '../../circuits/src/testing/known-secret.js';
import { RollupUser } from '../../state/src/testing/rollup-user.js';
import { loadContract } from '../src/contract/artifact.js';
import { deployLibraries } from '../src/contract/deploy-rollup.js';
import { publishedBatch } from '../src/contract/published-batch.js';
import { RollupCodec } from '../src/contract/rollup-contract.js';
import { describeWithAnvil, startChain, type TestChain } from './anvil-chain.js';

/** TETRAD_ROLLUP_SIZE=32 takes some minutes. */
const SIZE = Number(process.env['TETRAD_ROLLUP_SIZE'] ?? 8);
const KEY = multiplyGenerator(99n);
const MINUTE = 60_000;

/** Proofs of batches for which the repository has too few points, with points whose secret is known (known-secret.ts). */
describeWithAnvil(`batches of ${SIZE}`, () => {
  let folder: string;
  let chain: TestChain;
  let library: ProverLibrary;
  let bytecode: Uint8Array;
  let verificationKey: Uint8Array;
  let solver: WitnessSolver;
  let contract: Address;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tetrad-known-secret-'));
    await writeKnownPoints(folder, pointsFor(SIZE));
    library = new ProverLibrary(await startBb(folder), folder);
    const circuit = await compileCircuit(SIZE);
    bytecode = gunzipSync(Buffer.from(circuit.bytecode, 'base64'));
    solver = await WitnessSolver.open(circuit);
    verificationKey = await library.verificationKey(circuit.bytecode);
    chain = await startChain(['--hardfork', 'cancun']);
    contract = await deploy();
  }, 5 * MINUTE);

  afterAll(async () => {
    await library?.close();
    await chain?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function deploy(): Promise<Address> {
    const content = await withKnownPoint(await library.solidityVerifier(verificationKey, 'optimized'));
    const verifier = compile({ 'Verifier.sol': { content } }, 'cancun').get('HonkVerifier');
    const { abi } = await loadContract('Rollup');
    const code = await deployLibraries(chain.create);
    const sized = [{ size: SIZE, verifier: await chain.create(verifier?.bytecode ?? '') }];
    const key = encodePoint(KEY);
    const operatorKey = [key.subarray(0, 32), key.subarray(32)].map(hexFromBytes);
    const values = [chain.accounts[0], operatorKey, [3_600, 1, 1, 1, 1], sized];
    return chain.create(code + new Interface(abi as never).encodeDeploy(values).slice(2));
  }

  /** As many accounts are made. */
  function drawBatch(): Batch {
    const random = seededRandom(8);
    const number = () => BigInt(Math.floor(random() * 2 ** 48)) ** 5n;
    const domain = rollupDomain(chain.chainId, contract);
    const users = Array.from({ length: SIZE }, (_, index) => new RollupUser(index + 1, KEY, domain, number));
    const state = new MemoryState();
    return applyBatch(
      state,
      { ...state.next, domain, size: SIZE },
      users.map((user) => user.create()),
    );
  }

  it('are not proved by the product with points whose secret is known', async () => {
    await expect(openProverLibrary({ pointsFolder: folder })).rejects.toThrow(
      'does not hold the proving points of the ceremony',
    );
  });

  it(
    'are proved, and taken by the contract, for their own effects only; not by bb, which has the point of the ceremony built in',
    async () => {
      const batch = drawBatch();
      const codec = new RollupCodec();
      const { proof } = await library.prove(bytecode, verificationKey, await solver.solve(batch.witness));
      const words = publicInputWords(batch.publicInputs).map(encodeWord);
      expect(await library.verify(verificationKey, words, proof)).toBe(false);

      const submission = (published = publishedBatch(batch.publicInputs, batch.ciphertexts)) => ({
        from: chain.accounts[0] as Address,
        to: contract,
        data: codec.encodeSubmitBatch(published, proof),
      });
      const { publicInputs } = batch;
      const other = { ...publicInputs, nextStateRoot: publicInputs.nextStateRoot + 1n };
      expect(await chain.revertData(submission(publishedBatch(other, batch.ciphertexts)))).toBeDefined();
      const { gasUsed } = await chain.send(submission());
      expect(await chain.revertData(submission())).toBeDefined();
      // Below what batches of two may cost for an operation; docs/performance/rollup.md.
      expect(Number(gasUsed) / SIZE).toBeLessThan(200_000);
    },
    5 * MINUTE,
  );
});
