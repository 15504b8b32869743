import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
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
import { verifierNames } from '../src/contract/generate-verifiers.js';
import { publishedBatch } from '../src/contract/published-batch.js';
import { RollupCodec } from '../src/contract/rollup-contract.js';
import { verifierOf } from '../src/contract/verifier-of-chain.js';
import { EthereumClient } from '../src/ethereum-client.js';
import { describeWithAnvil, startChain, type TestChain } from './anvil-chain.js';

const SIZE = 1;
const CHAINS: readonly [fork: string, kind: VerifierKind, gas: bigint][] = [
  ['berlin', 'standard', 6_000_000n],
  ['cancun', 'optimized', 1_200_000n],
];
/** `TETRAD_ROLLUP_ATTACKS=all` proves with each of the values changed, otherwise with some: a proof takes seconds of CPU. */
const ALL = process.env['TETRAD_ROLLUP_ATTACKS'] === 'all';
const KEY = multiplyGenerator(99n);
const VERIFIER = new Interface(['function verify(bytes, bytes32[]) view returns (bool)']);

/** Words of the solved witness by their places: those of `main`'s inputs come first, one after the other. */
const PRIVATE = 10 + 4 * SIZE;
const OPERATION = PRIVATE + 2 + 32;
const ROWS = [
  ['the next state root', 1],
  ['the account root', PRIVATE],
  ['a sibling on the path of the account', OPERATION + 18],
  ['the leaf', 12],
  ['the height', 2],
  ['the domain', 3],
  ['the commitment to the ciphertexts', 7],
  ['the header', 10],
  ['the id of the new account', OPERATION + 1],
  ['the nonce of the new account', OPERATION + 9],
  ['the consent of the new account', OPERATION + 12],
  ['a value between the inputs and the roots', 600],
].slice(0, ALL ? undefined : 4) as [string, number][];

/** A chain with a rollup over one kind of verifiers. */
interface Deployed {
  readonly chain: TestChain;
  readonly contract: Address;
  readonly verifier: Address;
}

/** Addresses are equal on each chain, and with them what is proved. */
async function deployOn(chain: TestChain, kind: VerifierKind): Promise<Deployed> {
  const [operator] = chain.accounts as [Address];
  const before = 10 - verifierNames(SIZE, kind).libraries.length;
  await chain.ask('anvil_setNonce', [operator, `0x${before.toString(16)}`]);
  const created: Address[] = [];
  const create = async (code: string) => {
    const address = await chain.create(code);
    created.push(address);
    return address;
  };
  const terms = { stallTimeoutSeconds: 60, etherUnit: 1n, sizes: [SIZE], verifier: kind };
  const contract = await deployRollup(create, { operator, operatorKey: KEY, ...terms });
  // After it come the library of state proofs and the rollup.
  return { chain, contract, verifier: created.at(-3) as Address };
}

describeWithAnvil('verifiers', () => {
  const codec = new RollupCodec();
  const deployed = new Map<VerifierKind, Deployed>();
  let prover: BatchProver;
  let library: ProverLibrary;
  let batch: Batch;
  let honest: Uint8Array;

  beforeAll(async () => {
    for (const [fork, kind] of CHAINS) {
      const chain = await startChain(['--hardfork', fork]);
      deployed.set(kind, await deployOn(chain, kind));
    }
    prover = await BatchProver.open({ size: SIZE, threads: 1 });
    library = await openProverLibrary({ threads: 1 });
    const [domain] = [...deployed.values()].map(({ chain, contract }) =>
      rollupDomain(chain.chainId, contract),
    ) as [bigint];
    const random = seededRandom(11);
    const alice = new RollupUser(1, KEY, domain, () => BigInt(Math.floor(random() * 2 ** 48)) ** 5n);
    const state = new MemoryState();
    batch = applyBatch(state, { ...state.next, domain, size: SIZE }, [alice.create()]);
    honest = (await prover.prove(batch.witness)).proof;
  });

  afterAll(async () => {
    await library?.close();
    await prover?.close();
    for (const { chain } of deployed.values()) await chain.stop();
  });

  const words = () => publicInputWords(batch.publicInputs).map(encodeWord);
  const on = (kind: VerifierKind) => deployed.get(kind) as Deployed;
  const submission = (kind: VerifierKind, proof: Uint8Array) => ({
    from: on(kind).chain.accounts[0] as Address,
    to: on(kind).contract,
    data: codec.encodeSubmitBatch(publishedBatch(batch.publicInputs, batch.ciphertexts), proof),
  });
  /** Whether the verifier by itself takes a proof for these public inputs. */
  const isTaken = async (kind: VerifierKind, proof: Uint8Array, inputs: readonly Uint8Array[]) => {
    const data = VERIFIER.encodeFunctionData('verify', [proof, inputs.map(hexFromBytes)]);
    const { chain, verifier } = on(kind);
    const answer = chain.ask<string>('eth_call', [{ to: verifier, data }, 'latest']);
    return answer.then((value) => BigInt(value) === 1n).catch(() => false);
  };

  it.each(CHAINS)('are on a chain with %s, as deploy chooses, %s ones', async (_, kind) => {
    const client = new EthereumClient({ url: on(kind).chain.url });
    expect(await verifierOf(client)).toBe(kind);
    await client.close();
  });

  /** Proves the solved witness, with one of its words changed. */
  async function proveWith(index: number) {
    const bytecode = gunzipSync(Buffer.from(prover.circuit.bytecode, 'base64'));
    const [solved] = acvm.decompressWitnessStack(gzipSync(await prover.execute(batch.witness)));
    const witness = new Map(solved!.witness);
    const word = (BigInt(witness.get(index) as string) + 1n).toString(16).padStart(64, '0');
    witness.set(index, `0x${word}`);
    const values = gunzipSync(acvm.compressWitnessStack([{ index: 0, witness }]));
    const made = await library.prove(bytecode, prover.circuit.verificationKey, values);
    return { proof: made.proof, inputs: made.publicInputs.map(encodeWord) };
  }

  it.each(ROWS)(
    'of both kinds refuse the proof of a solved witness in which %s was changed, as bb does',
    async (_, index) => {
      const { verificationKey } = prover.circuit;
      const { proof, inputs } = await proveWith(index);
      for (const claims of [inputs, words()]) {
        expect(await library.verify(verificationKey, claims, proof)).toBe(false);
        for (const [, kind] of CHAINS)
          expect([kind, await isTaken(kind, proof, claims)]).toEqual([kind, false]);
      }
      for (const [, kind] of CHAINS) {
        const data = await on(kind).chain.revertData(submission(kind, proof));
        expect([kind, data && codec.errorName(data)]).toEqual([kind, 'InvalidProof']);
      }
    },
    180_000,
  );

  it('take what bb takes', async () => {
    expect(await library.verify(prover.circuit.verificationKey, words(), honest)).toBe(true);
  });

  it.each(CHAINS)(
    'on a chain with %s, %s ones, take a proof of the batch, and not one of other public inputs',
    async (_, kind, gas) => {
      const { chain } = on(kind);
      expect(await isTaken(kind, honest, words())).toBe(true);
      for (const [index, word] of words().entries()) {
        const other = words().with(index, word.with(31, (word[31] as number) ^ 1));
        expect([index, await isTaken(kind, honest, other)]).toEqual([index, false]);
      }
      expect(await isTaken(kind, honest, words().slice(1))).toBe(false);
      expect(await isTaken(kind, honest, [...words(), encodeWord(0n)])).toBe(false);
      expect(await chain.revertData(submission(kind, honest))).toBeUndefined();
      const receipt = await chain.send(submission(kind, honest));
      expect(BigInt(receipt.gasUsed)).toBeLessThan(gas);
      expect(await chain.revertData(submission(kind, honest))).toBeDefined();
    },
  );
});
