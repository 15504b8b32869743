import { expect } from '@jest/globals';
import { BatchProver } from '@tetrad/rollup-circuits';
import { multiplyGenerator, rollupDomain } from '@tetrad/rollup-crypto';
import { MemoryState, applyBatch, type Batch, type RollupOperation } from '@tetrad/rollup-state';
import { seededRandom } from '@tetrad/testkit';
import type { Address, Hex } from '@tetrad/types';
import { RollupUser } from '../../state/src/testing/rollup-user.js';
import { publishedBatch, type PublishedBatch } from '../src/contract/published-batch.js';
import { RollupCodec } from '../src/contract/rollup-contract.js';
import type { RollupEvent } from '../src/contract/rollup-events.js';
import { startChain, type Receipt, type TestChain } from './anvil-chain.js';
import { deployStatedRollup, statementOf } from './stated-proofs.js';

export const TIMEOUT = 3600;
export const UNIT = 1_000_000_000n;
export const OPERATOR_KEY = multiplyGenerator(99n);
const SIZE = 2;

/** A batch with its proof, or a statement in its place, as it is submitted. */
export interface ProvedBatch {
  readonly batch: Batch;
  readonly published: PublishedBatch;
  readonly proof: Uint8Array;
}

/**
 * A rollup contract on a chain of its own, and a prover of its batches. Its verifier is that of production, and takes statements as well
 * as proofs, which cost seconds of CPU.
 */
export class ProvedRollup {
  readonly state = new MemoryState();
  readonly alice: RollupUser;
  readonly bob: RollupUser;

  private constructor(
    readonly chain: TestChain,
    readonly codec: RollupCodec,
    readonly prover: BatchProver,
    readonly contract: Address,
  ) {
    const random = seededRandom(7);
    const draw = () => BigInt(Math.floor(random() * 2 ** 48)) ** 5n;
    const domain = rollupDomain(chain.chainId, contract);
    this.alice = new RollupUser(1, OPERATOR_KEY, domain, draw);
    this.bob = new RollupUser(2, OPERATOR_KEY, domain, draw);
  }

  static async deploy(): Promise<ProvedRollup> {
    const [chain, codec, prover] = await Promise.all([
      startChain(),
      new RollupCodec(),
      BatchProver.open({ size: SIZE }),
    ]);
    const contract = await deployStatedRollup(chain.create, {
      operator: chain.accounts[0] as Address,
      operatorKey: OPERATOR_KEY,
      stallTimeoutSeconds: TIMEOUT,
      etherUnit: UNIT,
      sizes: [1, SIZE],
      verifier: 'optimized',
    });
    return new ProvedRollup(chain, codec, prover, contract);
  }

  async close(): Promise<void> {
    await this.prover.close();
    await this.chain.stop();
  }

  call(from: Address | undefined, name: string, values: readonly unknown[], value = 0n) {
    return { from: from as Address, to: this.contract, data: this.dataOf(name, values), value };
  }

  private dataOf(name: string, values: readonly unknown[]): Hex {
    const [batch, proof] = values;
    const isList = name === 'submitBatch' && 'headers' in (batch as object);
    return isList
      ? this.codec.encodeSubmitBatch(batch as PublishedBatch, proof as Uint8Array)
      : this.codec.encodeCall(name, values);
  }

  async read(name: string, values: readonly unknown[] = []) {
    const call = { to: this.contract, data: this.codec.encodeCall(name, values) };
    return this.codec.decodeResult(name, await this.chain.ask<Hex>('eth_call', [call, 'latest']));
  }

  /** @returns the name of the error with which the contract refuses, or `accepted` */
  async rejection(
    from: Address | undefined,
    name: string,
    values: readonly unknown[],
    value = 0n,
  ): Promise<string> {
    const data = await this.chain.revertData(this.call(from, name, values, value));
    return data === undefined ? 'accepted' : (this.codec.errorName(data) ?? data);
  }

  async balanceOf(address: Address | undefined): Promise<bigint> {
    return BigInt(await this.chain.ask<Hex>('eth_getBalance', [address, 'latest']));
  }

  async prove(operations: readonly RollupOperation[]): Promise<ProvedBatch> {
    const batch = this.apply(operations);
    const { proof } = await this.prover.prove(batch.witness);
    return { batch, published: publishedBatch(batch.publicInputs, batch.ciphertexts), proof };
  }

  /** As `prove`, but that the circuit is only executed. */
  async stated(operations: readonly RollupOperation[]): Promise<ProvedBatch> {
    const batch = this.apply(operations);
    await this.prover.execute(batch.witness);
    const { publicInputs, ciphertexts } = batch;
    return { batch, published: publishedBatch(publicInputs, ciphertexts), proof: statementOf(publicInputs) };
  }

  private apply(operations: readonly RollupOperation[]): Batch {
    const plan = { ...this.state.next, domain: this.alice.domain, size: SIZE };
    const batch = applyBatch(this.state, plan, operations);
    expect(batch.results.map(({ status }) => status)).toEqual(operations.map(() => 'EXECUTED'));
    return batch;
  }

  async submit(from: Address | undefined, made: ProvedBatch): Promise<Receipt> {
    const receipt = await this.chain.send(this.call(from, 'submitBatch', [made.published, made.proof]));
    this.state.commit(made.batch);
    expect((await this.read('stateRoot'))[0]).toBe(made.published.nextStateRoot);
    return receipt;
  }

  async events(): Promise<RollupEvent[]> {
    type Log = { topics: string[]; data: string };
    const filter = { address: this.contract, fromBlock: '0x0', toBlock: 'latest' };
    const logs = await this.chain.ask<Log[]>('eth_getLogs', [filter]);
    return logs.flatMap((log) => this.codec.parseLog(log) ?? []);
  }
}
