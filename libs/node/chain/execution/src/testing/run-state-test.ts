import { addressFromPrivateKey, keccakHash } from '@tetrad/crypto';
import {
  ZERO_HASH,
  bytesFromHex,
  parseAddress,
  parseHash,
  type AccessListEntry,
  type Hash,
  type SignedTransaction,
} from '@tetrad/types';
import type { BlockContext } from '../executor/block-context.js';
import { InvalidTransactionError, type TransactionEffects } from '@tetrad/node-evm';
import { createExecutor } from '../executor/executor.js';
import { defaultGenesis } from '../genesis/default-genesis.js';
import { forksUpTo, type ForkName } from '../genesis/forks.js';
import { parseGenesis, type Genesis } from '../genesis/genesis.js';
import { genesisState } from '../state/genesis-state.js';
import { MemoryState } from './memory-state.js';

/** Accounts of a published state test; absent members are zero or empty. */
export type PreState = Readonly<
  Record<
    string,
    {
      readonly balance?: string;
      readonly nonce?: string;
      readonly code?: string;
      readonly storage?: Readonly<Record<string, string>>;
    }
  >
>;

export interface TestEnvironment {
  readonly coinbase: string;
  readonly difficulty: string;
  readonly gasLimit: string;
  readonly number: string;
  readonly timestamp: string;
  readonly baseFee?: string;
  readonly random?: string;
}

/** A transaction of a state test: unsigned, with the owner of the key as its sender. */
export interface TestTransaction {
  readonly privateKey: string;
  readonly nonce: string;
  readonly to?: string;
  readonly value: string;
  readonly gasLimit: string;
  readonly data: string;
  readonly gasPrice?: string;
  readonly maxFeePerGas?: string;
  readonly maxPriorityFeePerGas?: string;
  readonly accessList?: readonly { readonly address: string; readonly storageKeys: readonly string[] }[];
}

export interface StateTest {
  readonly fork: ForkName;
  readonly env: TestEnvironment;
  readonly pre: PreState;
  readonly transaction: TestTransaction;
}

export interface StateTestOutcome {
  readonly stateRoot: Hash;
  readonly effects?: TransactionEffects;
  readonly invalid?: InvalidTransactionError;
}

/** A genesis with Ethereum's chain id, which `parseGenesis` refuses but the published tests use. */
export function testGenesis(fork: ForkName, pre: PreState): Genesis {
  const parsed = parseGenesis({
    ...defaultGenesis({
      chainId: 1337,
      extraData: '0x',
      engine: 'qbft',
      blockPeriodMs: 1000,
      balances: new Map(),
    }),
    alloc: pre,
  });
  return { ...parsed, chainId: 1n, forks: forksUpTo(fork), limits: [] };
}

/** Executes the test's transaction on its state, through genesis, executor and world as a node does. */
export async function runStateTest({ fork, env, pre, transaction }: StateTest): Promise<StateTestOutcome> {
  const memory = new MemoryState();
  const genesis = testGenesis(fork, pre);
  const root = memory.store(await genesisState(genesis, memory.database));
  const world = await memory.database.openWorld(root);
  const executor = createExecutor(genesis);
  const block = blockOf(env, executor.rules({ number: 1, timestamp: 1 }).has('london'));
  try {
    const effects = await executor.executeTransaction(block, toSigned(transaction), world);
    return { stateRoot: (await world.commitBlock()).stateRoot, effects };
  } catch (error) {
    if (!(error instanceof InvalidTransactionError)) throw error;
    return { stateRoot: (await world.commitBlock()).stateRoot, invalid: error };
  }
}

export function blockOf(env: TestEnvironment, withBaseFee: boolean): BlockContext {
  return {
    number: Number(env.number),
    timestamp: Number(env.timestamp),
    proposer: parseAddress(env.coinbase),
    gasLimit: BigInt(env.gasLimit),
    ...(withBaseFee ? { baseFeePerGas: BigInt(env.baseFee ?? 0) } : {}),
    difficulty: BigInt(env.difficulty),
    mixHash: env.random === undefined ? ZERO_HASH : parseHash(env.random),
    // The tests' own rule for the hashes of blocks that do not exist: the hash of the number's decimal digits.
    findBlockHash: async (number) => keccakHash(new TextEncoder().encode(String(number))),
  };
}

function toSigned(transaction: TestTransaction): SignedTransaction {
  const accessList = transaction.accessList?.map(({ address, storageKeys }): AccessListEntry => ({
    address: parseAddress(address),
    storageKeys: storageKeys.map(parseHash),
  }));
  const shared = {
    hash: ZERO_HASH,
    sender: addressFromPrivateKey(bytesFromHex(transaction.privateKey)),
    raw: new Uint8Array(0),
    nonce: BigInt(transaction.nonce),
    gasLimit: BigInt(transaction.gasLimit),
    ...(transaction.to === undefined ? {} : { to: parseAddress(transaction.to) }),
    value: BigInt(transaction.value),
    data: bytesFromHex(transaction.data),
    v: 27n,
    r: 1n,
    s: 1n,
  };
  const gasPrice = BigInt(transaction.gasPrice ?? 0);
  if (transaction.maxFeePerGas !== undefined) {
    return {
      type: 'dynamicFee',
      ...shared,
      accessList: accessList ?? [],
      maxFeePerGas: BigInt(transaction.maxFeePerGas),
      maxPriorityFeePerGas: BigInt(transaction.maxPriorityFeePerGas ?? 0),
    };
  }
  if (accessList === undefined) return { type: 'legacy', ...shared, gasPrice };
  return { type: 'accessList', ...shared, gasPrice, accessList };
}
