import { addressFromPrivateKey } from '@tetrad/crypto';
import { signTransaction } from '@tetrad/transactions';
import {
  hexFromBytes,
  parseAddress,
  parseHash,
  type Address,
  type Hash,
  type SignedTransaction,
} from '@tetrad/types';
import type { BlockContext } from '../executor/block-context.js';
import type { TransactionEffects } from '@tetrad/node-evm';
import { createExecutor, type Executor } from '../executor/executor.js';
import type { Simulation } from '../executor/simulate.js';
import type { LimitChange } from '../genesis/chain-limits.js';
import { defaultGenesis } from '../genesis/default-genesis.js';
import { forksUpTo, type ForkName } from '../genesis/forks.js';
import { parseGenesis } from '../genesis/genesis.js';
import { genesisState } from '../state/genesis-state.js';
import { readSlot } from '../state/read-account.js';
import type { WorldState } from '../state/world-state.js';
import { decodeTransaction } from '../transaction/decode-transaction.js';
import { MemoryState } from './memory-state.js';
import type { PreState } from './run-state-test.js';

export const CHAIN_ID = 1337n;

const privateKey = new Uint8Array(32).fill(0x11);

/** The account that holds everything and signs. */
export const OWNER = { address: addressFromPrivateKey(privateKey), balance: 10n ** 24n, privateKey };

export interface ChainOptions {
  readonly alloc?: PreState;
  readonly fork?: ForkName;
  readonly maxCodeSize?: number;
  readonly limits?: readonly LimitChange[];
}

/** A chain with one unfinished block, on a state in memory. */
export class Chain {
  readonly proposer = parseAddress(`0x${'c0'.repeat(20)}`);
  readonly blockHash = parseHash(`0x${'b7'.repeat(32)}`);
  block: BlockContext = {
    number: 1,
    timestamp: 1_700_000_000,
    proposer: this.proposer,
    gasLimit: 16_000_000n,
    baseFeePerGas: 0n,
    difficulty: 1n,
    mixHash: parseHash(`0x${'3a'.repeat(32)}`),
    findBlockHash: async (number): Promise<Hash | undefined> => (number === 0 ? this.blockHash : undefined),
  };

  private constructor(
    readonly executor: Executor,
    readonly memory: MemoryState,
    public world: WorldState,
  ) {}

  static async start({ alloc = {}, fork = 'osaka', maxCodeSize, limits = [] }: ChainOptions): Promise<Chain> {
    const json = defaultGenesis({
      chainId: Number(CHAIN_ID),
      extraData: '0x',
      engine: 'qbft',
      blockPeriodMs: 1000,
      balances: new Map([[OWNER.address, OWNER.balance]]),
    });
    const parsed = parseGenesis({ ...json, alloc: { ...(json['alloc'] as object), ...alloc } });
    const genesis = {
      ...parsed,
      forks: forksUpTo(fork),
      limits: maxCodeSize === undefined ? limits : [{ block: 0, maxCodeSize }],
    };
    const memory = new MemoryState();
    const root = memory.store(await genesisState(genesis, memory.database));
    return new Chain(createExecutor(genesis), memory, await memory.database.openWorld(root));
  }

  /** Executes the transaction, which makes the round trip through its bytes when the owner sends it. */
  run(transaction: SignedTransaction): Promise<TransactionEffects> {
    return this.executor.executeTransaction(this.block, transaction, this.world);
  }

  /** A stage for calls on a copy of the state. */
  simulation(signal?: AbortSignal): Simulation {
    const { executor, block } = this;
    return { executor, block, world: this.world.copy(), ...(signal === undefined ? {} : { signal }) };
  }

  /** The first slots of a contract, as hex. */
  slots(address: Address, count: number): Promise<string[]> {
    const read = async (_: unknown, index: number) =>
      hexFromBytes(
        await readSlot(
          this.world,
          address,
          Uint8Array.from({ length: 32 }, (_zero, byte) => (byte === 31 ? index : 0)),
        ),
      );
    return Promise.all(Array.from({ length: count }, read));
  }
}

/** Fields of a test transaction, which the owner signs as a legacy transaction. */
export interface TransferOptions {
  readonly nonce?: bigint;
  readonly to?: Address | undefined;
  readonly value?: bigint;
  readonly gasLimit?: bigint;
  readonly gasPrice?: bigint;
  readonly data?: Uint8Array;
}

/** A transaction of the owner. Without `to` and data it goes to the zero address. */
export function transfer({
  nonce = 0n,
  value = 0n,
  gasLimit = 21_000n,
  gasPrice = 0n,
  ...rest
}: TransferOptions): SignedTransaction {
  const data = rest.data ?? new Uint8Array(0);
  const to = rest.to ?? (data.length === 0 ? parseAddress(`0x${'0e'.repeat(20)}`) : undefined);
  const raw = signTransaction(
    { chainId: CHAIN_ID, nonce, gasLimit, to, value, data, fees: { type: 'legacy', gasPrice } },
    privateKey,
  );
  return decodeTransaction(raw, CHAIN_ID);
}
