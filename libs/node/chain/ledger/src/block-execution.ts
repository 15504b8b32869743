import { encodeReceipt, logsBloom, mergeBlooms } from '@tetrad/node-block';
import {
  creditAccount,
  orderedTrieRoot,
  InvalidTransactionError,
  type BlockContext,
  type Executor,
  type MayTransact,
  type StateChanges,
  type WorldState,
  type TransactionEffects,
} from '@tetrad/node-execution';
import { TimeSlices, type Address, type Hash, type Receipt, type SignedTransaction } from '@tetrad/types';
import type { ConsensusRules } from './consensus-rules.js';

/** The result of executing a block, to which its header must commit. */
export interface ExecutedBlock {
  readonly transactions: readonly SignedTransaction[];
  readonly receipts: readonly Receipt[];
  readonly gasUsed: bigint;
  readonly logsBloom: Uint8Array;
  readonly transactionsRoot: Hash;
  readonly receiptsRoot: Hash;
  readonly changes: StateChanges;
  /** Result of `namedValidators` of the rules after the block. */
  readonly namedValidators: readonly Address[] | undefined;
}

/** Limit on the bytes kept of a revert's output. */
const MAX_REVERT_REASON = 64 * 1024;

/** Transactions whose accounts and codes are read in one batch before they run. */
const FETCHED_TOGETHER = 200;

/** Executes the transactions of a block one after the other; used for producing and importing. */
export class BlockExecution {
  readonly transactions: SignedTransaction[] = [];
  private readonly receipts: Receipt[] = [];
  private cumulativeGasUsed = 0n;
  /** Private transactions count here, and not in receipts and header. */
  private gasTaken = 0n;

  constructor(
    private readonly parts: {
      readonly executor: Executor;
      readonly block: BlockContext;
      readonly world: WorldState;
      readonly rules: Pick<ConsensusRules, 'rewardOf' | 'namedValidators'>;
      readonly mayTransact?: MayTransact | undefined;
      /** Whether receipts have revert reasons. */
      readonly keepsRevertReasons?: boolean | undefined;
    },
  ) {}

  get world(): WorldState {
    return this.parts.world;
  }

  get block(): BlockContext {
    return this.parts.block;
  }

  /** Gas that the block can still take. */
  get gasLeft(): bigint {
    return this.parts.block.gasLimit - this.gasTaken;
  }

  /**
   * Executes the transaction as the next one.
   * @throws InvalidTransactionError, and nothing has changed
   */
  async add(transaction: SignedTransaction): Promise<Receipt> {
    if (transaction.gasLimit > this.gasLeft) {
      throw new InvalidTransactionError('GAS_LIMIT_EXCEEDED', 'gas limit reached');
    }
    const { executor, block, world, mayTransact } = this.parts;
    const barrier = mayTransact === undefined ? undefined : await mayTransact(transaction, { block, world });
    if (barrier !== undefined) throw new InvalidTransactionError('NOT_PERMITTED', barrier.message);
    const effects = await executor.executeTransaction(block, transaction, world);
    this.cumulativeGasUsed += effects.gasUsed;
    this.gasTaken += effects.intrinsicGas ?? effects.gasUsed;
    const hasStatus = executor.rules(block).has('byzantium');
    const receipt: Receipt = {
      type: transaction.type,
      status: effects.status,
      gasUsed: effects.gasUsed,
      cumulativeGasUsed: this.cumulativeGasUsed,
      logs: effects.logs,
      logsBloom: logsBloom(effects.logs),
      ...(effects.contractAddress !== undefined && transaction.to === undefined
        ? { contractAddress: effects.contractAddress }
        : {}),
      ...(hasStatus ? {} : { stateRoot: (await world.commitBlock()).stateRoot }),
      ...(this.parts.keepsRevertReasons === true && revertReasonOf(effects)),
    };
    this.transactions.push(transaction);
    this.receipts.push(receipt);
    return receipt;
  }

  /**
   * Executes all of them, in slices.
   * @throws InvalidTransactionError at the first that cannot be part of the block
   */
  async addAll(transactions: readonly SignedTransaction[]): Promise<void> {
    const { executor, block, world } = this.parts;
    const slices = new TimeSlices();
    for (let from = 0; from < transactions.length; from += FETCHED_TOGETHER) {
      const next = transactions.slice(from, from + FETCHED_TOGETHER);
      await executor.prefetch(block, next, world);
      for (const transaction of next) {
        await this.add(transaction);
        if (slices.isOver()) await slices.pause();
      }
    }
  }

  /**
   * Pays the reward and hashes everything.
   * @param knownRoot - of the transactions, when it was computed before
   */
  async finish(knownRoot?: Hash): Promise<ExecutedBlock> {
    const { executor, block, world, rules } = this.parts;
    const reward = rules.rewardOf(block);
    if (reward !== undefined) await creditAccount(world, reward.beneficiary, reward.wei);
    const slices = new TimeSlices();
    const changes = await world.commitBlock();
    await slices.pause();
    const transactionsRoot = knownRoot ?? orderedTrieRoot(this.transactions.map(({ raw }) => raw));
    await slices.pause();
    const receiptsRoot = orderedTrieRoot(this.receipts.map(encodeReceipt));
    const blooms = this.receipts.filter(({ logs }) => logs.length > 0).map((receipt) => receipt.logsBloom);
    return {
      transactions: this.transactions,
      receipts: this.receipts,
      gasUsed: this.cumulativeGasUsed,
      logsBloom: mergeBlooms(blooms),
      transactionsRoot,
      receiptsRoot,
      changes,
      namedValidators: await rules.namedValidators({ executor, block, world }),
    };
  }
}

/** Other failures return nothing. */
function revertReasonOf({ status, returnData }: TransactionEffects): Pick<Receipt, 'revertReason'> {
  const isKept = status === 0 && returnData.length > 0 && returnData.length <= MAX_REVERT_REASON;
  return isKept ? { revertReason: returnData } : {};
}
