import { publishedBatch, type AcceptedBatch } from '@tetrad/rollup-chain';
import type { LeafProver, LeafStatement } from '@tetrad/rollup-circuits';
import {
  accountLeafHash,
  encodeWord,
  hashWords,
  multiplyGenerator,
  rollupDomain,
} from '@tetrad/rollup-crypto';
import {
  type MemoryState,
  applyBatch,
  emptyStateRoot,
  type Batch,
  type RollupOperation,
} from '@tetrad/rollup-state';
import { seededRandom } from '@tetrad/testkit';
import { hashFromBytes, hexFromBytes, parseAddress, parseHash, ZERO_ADDRESS } from '@tetrad/types';
import { RollupUser } from '../../state/src/testing/rollup-user.js';
import { deriveRollupKeys, type RollupContract, type RollupKeys } from '../src/index.js';

export const CHAIN_ID = 31_337n;
export const CONTRACT = parseAddress('0xca843569e3427144cead5e4d5999a3d0ccf92b8e');
export const OPERATOR_KEY = multiplyGenerator(8n);
const TOPIC = parseHash(`0x${'7a'.repeat(32)}`);

/** What a client shows instead of the truth. */
export interface Lies {
  batch?(batch: AcceptedBatch): AcceptedBatch | undefined;
  stateRoot?(height: number, root: bigint): bigint;
  value?(name: string): readonly unknown[] | undefined;
}

/** What the contract has accepted, and a client that shows it; two batches are in each block. */
export class AuditedRollup {
  private readonly batches: AcceptedBatch[] = [];

  constructor(
    private readonly domain = rollupDomain(CHAIN_ID, CONTRACT),
    private readonly exitRules: RollupContract['exitRules'] = 'freeze',
    private readonly operatorKey = OPERATOR_KEY,
  ) {}

  get height(): number {
    return this.batches.length;
  }

  accept({ publicInputs, ciphertexts }: Batch): void {
    const { height } = publicInputs;
    const published = publishedBatch(publicInputs, ciphertexts);
    this.batches.push({ kind: 'batch', height, submitter: ZERO_ADDRESS, ...published });
  }

  contract({ batch: show = (one) => one, stateRoot, value }: Lies = {}): RollupContract {
    const { batches } = this;
    const rootAt = (height: number) =>
      height === 0 ? emptyStateRoot() : (batches[height - 1]?.nextStateRoot ?? 0n);
    const stateRootAt = async (height: number) =>
      stateRoot === undefined ? rootAt(height) : stateRoot(height, rootAt(height));
    const head = blockOf(batches.length + 4);
    const client = {
      chainId: async () => CHAIN_ID,
      blockNumber: async () => head,
      block: async (number: number) => ({ number, timestamp: timeOf(number) }),
      logs: async (_: unknown, { from, to }: { from: number; to: number }, topics: readonly string[]) =>
        batches.flatMap((accepted) => {
          const blockNumber = blockOf(accepted.height);
          const logTopics = [TOPIC, hashFromBytes(encodeWord(BigInt(accepted.height)))];
          const isWanted = topics.every((topic, index) => logTopics[index] === topic);
          const shown = isWanted && blockNumber >= from && blockNumber <= to ? show(accepted) : undefined;
          const place = { blockNumber, logIndex: accepted.height, transactionHash: TOPIC };
          return shown === undefined ? [] : [{ ...place, address: CONTRACT, topics: logTopics, shown }];
        }),
    };
    return {
      client,
      address: CONTRACT,
      domain: this.domain,
      operatorKeys: [this.operatorKey],
      batchLayout: 3,
      hasConsents: true,
      exitRules: this.exitRules,
      stateRootAt,
      codec: { batchTopicOf: () => TOPIC, parseLog: (log: { shown: AcceptedBatch }) => log.shown },
      state: async () => ({ height: batches.length, stateRoot: await stateRootAt(batches.length) }),
      values: async (name: string) => value?.(name) ?? [false],
    } as unknown as RollupContract;
  }
}

export const blockOf = (height: number) => 10 + Math.floor(height / 2);
export const timeOf = (block: number) => 1_000 * block;

/** What a proof of leaves is, ideally: it is made for what is true, and is good for that alone. */
export class IdealLeafProver implements Pick<LeafProver, 'prove' | 'verify' | 'circuit'> {
  readonly circuit = { version: '0123456789abcdef' } as LeafProver['circuit'];
  private readonly proved = new Map<string, bigint>();

  async prove(statement: LeafStatement, blindingFactor: bigint): Promise<Uint8Array> {
    const { accountId: id, publicKey, jointKeyHash: hash, leaves } = statement;
    for (const { leaf, ...said } of leaves)
      if (accountLeafHash({ id, publicKey, jointKey: { hash }, blindingFactor, ...said }) !== leaf)
        throw new Error('a leaf is not what is said of it');
    const proof = encodeWord(BigInt(this.proved.size));
    this.proved.set(hexFromBytes(proof), wordOf(statement));
    return proof;
  }

  async verify(statement: LeafStatement, proof: Uint8Array): Promise<boolean> {
    return this.proved.get(hexFromBytes(proof)) === wordOf(statement);
  }
}

function wordOf({ accountId, publicKey, jointKeyHash, hasConsents, leaves }: LeafStatement): bigint {
  const said = leaves.flatMap(({ balancesRoot, nonce, redemptionIndex, consent, leaf }) => [
    balancesRoot,
    BigInt(nonce),
    BigInt(redemptionIndex),
    consent,
    leaf,
  ]);
  const of = [BigInt(accountId), BigInt(hasConsents), publicKey.x, publicKey.y, jointKeyHash];
  return hashWords([...of, ...said]);
}

/** An account holder with the keys that it has on a host. */
export class Holder extends RollupUser {
  constructor(
    id: number,
    readonly keys: RollupKeys,
    draw: () => bigint,
    domain = rollupDomain(CHAIN_ID, CONTRACT),
  ) {
    super(id, OPERATOR_KEY, domain, draw, keys.secretKey, keys.encryptionKey);
  }
}

export function holders(count: number): Holder[] {
  const random = seededRandom(count);
  const draw = () => BigInt(Math.floor(random() * 2 ** 48)) ** 5n;
  return Array.from(
    { length: count },
    (_, index) => new Holder(index + 1, deriveRollupKeys(new Uint8Array(32).fill(index + 1)), draw),
  );
}

/**
 * Executes operations and has the contract accept them.
 * @returns the batch
 */
export function settle(
  rollup: AuditedRollup,
  state: MemoryState,
  operations: readonly RollupOperation[],
): Batch {
  const plan = { ...state.next, domain: rollupDomain(CHAIN_ID, CONTRACT), size: 3 };
  const batch = applyBatch(state, plan, operations);
  const failed = batch.results.find(({ status }) => status !== 'EXECUTED');
  if (failed !== undefined) throw new Error(`an operation is ${failed.status}`);
  state.commit(batch);
  rollup.accept(batch);
  return batch;
}
