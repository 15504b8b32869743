import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { acvm } from '@noir-lang/noir_js';
import {
  BatchProver,
  openProverLibrary,
  publicInputWords,
  type ProverLibrary,
  type VerifierKind,
} from '@tetrad/rollup-circuits';
import { encodeWord, multiplyGenerator, rollupDomain } from '@tetrad/rollup-crypto';
import { MemoryState, applyBatch, type Batch } from '@tetrad/rollup-state';
import { seededRandom } from '@tetrad/testkit';
import { hexFromBytes, type Address } from '@tetrad/types';
import { Interface } from 'ethers/abi';
import { RollupUser } from '../../state/src/testing/rollup-user.js';
import { deployRollup } from '../src/contract/deploy-rollup.js';
import { publishedBatch } from '../src/contract/published-batch.js';
import { RollupCodec } from '../src/contract/rollup-contract.js';
import { verifierOf } from '../src/contract/verifier-of-chain.js';
import { EthereumClient } from '../src/ethereum-client.js';
import { anvilProgram, startChain, type TestChain } from './anvil-chain.js';

const program = anvilProgram();
const SIZE = 1;
const VERIFIER = new Interface(['function verify(bytes, bytes32[]) view returns (bool)']);

/** Words of the solved witness by their places: those of `main`'s inputs come first, one after the other. */
const PRIVATE = 10 + 4 * SIZE;
const OPERATION = PRIVATE + 2 + 32;
const ROWS = [
  ['the next state root', 1],
  ['the height', 2],
  ['the domain', 3],
  ['the commitment to the ciphertexts', 7],
  ['the header', 10],
  ['the leaf', 12],
  ['the account root', PRIVATE],
  ['the id of the new account', OPERATION + 1],
  ['the nonce of the new account', OPERATION + 9],
  ['the consent of the new account', OPERATION + 12],
  ['a sibling on the path of the account', OPERATION + 18],
  ['a value between the inputs and the roots', 600],
] as const;

(program === undefined ? describe.skip : describe).each([
  ['berlin', 'standard', 6_000_000n],
  ['cancun', 'optimized', 1_200_000n],
] as const)('on a chain with %s, %s verifiers', (fork, kind: VerifierKind, gas) => {
  let chain: TestChain;
  let client: EthereumClient;
  let codec: RollupCodec;
  let prover: BatchProver;
  let library: ProverLibrary;
  let contract: Address;
  let verifier: Address;
  let batch: Batch;

  beforeAll(async () => {
    [chain, codec, prover, library] = await Promise.all([
      startChain(program as string, ['--hardfork', fork]),
      new RollupCodec(),
      BatchProver.open({ size: SIZE, threads: 1 }),
      openProverLibrary({ threads: 1 }),
    ]);
    client = new EthereumClient({ url: chain.url });
    const [operator] = chain.accounts as [Address];
    const created: Address[] = [];
    const create = async (code: string) => {
      const address = await chain.create(code);
      created.push(address);
      return address;
    };
    const operatorKey = multiplyGenerator(99n);
    contract = await deployRollup(create, {
      operator,
      operatorKey,
      stallTimeoutSeconds: 60,
      etherUnit: 1n,
      sizes: [SIZE],
      verifier: kind,
    });
    // After it come the library of state proofs and the rollup.
    verifier = created.at(-3) as Address;
    const random = seededRandom(11);
    const domain = rollupDomain(chain.chainId, contract);
    const alice = new RollupUser(1, operatorKey, domain, () => BigInt(Math.floor(random() * 2 ** 48)) ** 5n);
    const state = new MemoryState();
    batch = applyBatch(state, { ...state.next, domain, size: SIZE }, [alice.create()]);
  });

  afterAll(async () => {
    await library?.close();
    await prover?.close();
    await client?.close();
    await chain?.stop();
  });

  const submission = (proof: Uint8Array) => ({
    from: chain.accounts[0] as Address,
    to: contract,
    data: codec.encodeSubmitBatch(publishedBatch(batch.publicInputs, batch.ciphertexts), proof),
  });
  const words = () => publicInputWords(batch.publicInputs).map(encodeWord);
  /** Whether the verifier by itself takes a proof for these public inputs. */
  const isTaken = async (proof: Uint8Array, inputs: readonly Uint8Array[]) => {
    const data = VERIFIER.encodeFunctionData('verify', [proof, inputs.map(hexFromBytes)]);
    const answer = chain.ask<string>('eth_call', [{ to: verifier, data }, 'latest']);
    return answer.then((value) => BigInt(value) === 1n).catch(() => false);
  };

  it('are what deploy chooses', async () => {
    expect(await verifierOf(client)).toBe(kind);
  });

  it('refuse the proof of a solved witness that was tampered with, as bb does', async () => {
    const bytecode = gunzipSync(Buffer.from(prover.circuit.bytecode, 'base64'));
    const { verificationKey } = prover.circuit;
    const [solved] = acvm.decompressWitnessStack(gzipSync(await prover.execute(batch.witness)));
    const prove = async (index?: number) => {
      const witness = new Map(solved!.witness);
      if (index !== undefined) {
        const word = (BigInt(witness.get(index) as string) + 1n).toString(16).padStart(64, '0');
        witness.set(index, `0x${word}`);
      }
      const values = gunzipSync(acvm.compressWitnessStack([{ index: 0, witness }]));
      const made = await library.prove(bytecode, verificationKey, values);
      return { proof: made.proof, inputs: made.publicInputs.map(encodeWord) };
    };
    const honest = await prove();
    expect(await library.verify(verificationKey, honest.inputs, honest.proof)).toBe(true);
    expect(await isTaken(honest.proof, honest.inputs)).toBe(true);
    expect(await chain.revertData(submission(honest.proof))).toBeUndefined();
    for (const [name, index] of ROWS) {
      const { proof, inputs } = await prove(index);
      const taken = [
        await library.verify(verificationKey, inputs, proof),
        await library.verify(verificationKey, words(), proof),
        await isTaken(proof, inputs),
        await isTaken(proof, words()),
      ];
      expect([name, taken]).toEqual([name, [false, false, false, false]]);
      const data = await chain.revertData(submission(proof));
      expect([name, data && codec.errorName(data)]).toEqual([name, 'InvalidProof']);
    }
  }, 180_000);

  it('take a proof of the batch, and not one of other public inputs', async () => {
    const { proof } = await prover.prove(batch.witness);
    for (const [index, word] of words().entries()) {
      const other = words().with(index, word.with(31, (word[31] as number) ^ 1));
      expect([index, await isTaken(proof, other)]).toEqual([index, false]);
    }
    expect(await isTaken(proof, words().slice(1))).toBe(false);
    expect(await isTaken(proof, [...words(), encodeWord(0n)])).toBe(false);
    const receipt = await chain.send(submission(proof));
    expect(BigInt(receipt.gasUsed)).toBeLessThan(gas);
    expect(await chain.revertData(submission(proof))).toBeDefined();
  });
});
