import {
  accessListOf,
  executeTransaction,
  includePrivateTransaction,
  prefetch,
  type ExecutionContext,
  type TransactionEffects,
} from '@tetrad/node-evm';
import { precompiles } from '@tetrad/node-precompiles';
import { keepNewest, type SignedTransaction } from '@tetrad/types';
import { limitsAt } from '../genesis/chain-limits.js';
import { rulesAt, type ForkRules } from '../genesis/forks.js';
import type { Genesis } from '../genesis/genesis.js';
import type { WorldState } from '../state/world-state.js';
import type { BlockContext } from './block-context.js';
import { BlockView } from './block-view.js';
import { isPrivateTransaction } from '../transaction/decode-transaction.js';
import { ownLimits } from './own-limits.js';
import { assertGasPrice } from './validity.js';

/** Options of a single execution: its pace, its hooks, its listener, its rules of validity. */
export type ExecutionOptions = Omit<
  ExecutionContext,
  'fork' | 'block' | 'precompiles' | 'maxCodeSize' | 'maxTransactionGas'
>;

/** Runs transactions against worlds by the rules of one chain; the boundary behind which the interpreter is. */
export interface Executor {
  /** The rules in force for a block. */
  rules(block: { readonly number: number; readonly timestamp: number }): ForkRules;
  /** Everything that executions in the block depend on except their message and their world. */
  context(block: BlockContext, options?: ExecutionOptions): ExecutionContext;
  /**
   * Executes the transaction in the world, one at a time per world. Of a private transaction, executes its effects on the
   * public state only.
   * @throws InvalidTransactionError, with the world untouched, when it cannot be part of the block;
   *   ExecutionAbortedError
   */
  executeTransaction(
    block: BlockContext,
    transaction: SignedTransaction,
    world: WorldState,
    options?: ExecutionOptions,
  ): Promise<TransactionEffects>;
  /** Brings into memory what the transactions are known to need, in one set; those of a block, before they run. */
  prefetch(block: BlockContext, transactions: readonly SignedTransaction[], world: WorldState): Promise<void>;
}

/** The part of the chain's rules that executions in a block depend on. */
export interface ContextRules extends Pick<ExecutionContext, 'fork'> {
  /** Bytes of deployed code, in place of EIP-170's. */
  readonly maxCodeSize?: number | undefined;
  /** In place of EIP-7825's. */
  readonly maxTransactionGas?: number | undefined;
  readonly chainId: bigint;
}

/** The execution context of the block, for known rules. */
export function contextOf(block: BlockContext, rules: ContextRules): ExecutionContext {
  return { fork: rules.fork, block: new BlockView(block, rules.chainId), precompiles, ...ownLimits(rules) };
}

/** Blocks whose rules are remembered: those that the pool and the proposer ask about for every transaction. */
const REMEMBERED_BLOCKS = 8;

function rememberRules(find: Executor['rules']): Executor['rules'] {
  const remembered = new Map<string, ForkRules>();
  return ({ number, timestamp }) => {
    const name = `${number} ${timestamp}`;
    const known = remembered.get(name);
    if (known !== undefined) return known;
    const found = Object.freeze(find({ number, timestamp }));
    remembered.set(name, found);
    keepNewest(remembered, REMEMBERED_BLOCKS);
    return found;
  };
}

/** An executor for the rules of the genesis file's chain. */
export function createExecutor(genesis: Genesis): Executor {
  const plain = new WeakMap<
    BlockContext,
    { readonly rules: ForkRules; readonly context: ExecutionContext }
  >();
  const rules = rememberRules((block) => ({
    ...rulesAt(genesis.forks, block),
    ...limitsAt(genesis.limits, block.number),
  }));

  const plainContext = (block: BlockContext) => {
    const active = rules(block);
    return { rules: active, context: contextOf(block, { ...active, chainId: genesis.chainId }) };
  };
  /** Computed once per block, and shared by its transactions. */
  const known = (block: BlockContext) => {
    let found = plain.get(block);
    if (found === undefined) plain.set(block, (found = plainContext(block)));
    return found;
  };
  const context = (block: BlockContext, options?: ExecutionOptions): ExecutionContext => {
    const own = known(block).context;
    return options === undefined ? own : { ...own, ...options };
  };

  return {
    rules,
    context,
    async executeTransaction(block, transaction, world, options) {
      if (options?.isSimulation !== true) assertGasPrice(transaction, known(block).rules);
      const own = context(block, options);
      return isPrivateTransaction(transaction)
        ? includePrivateTransaction(own, transaction, world.evm)
        : executeTransaction(own, transaction, world.evm);
    },
    prefetch(block, transactions, world) {
      const { coinbase, feeRecipient } = context(block).block;
      const requests = transactions.map((transaction) => ({
        sender: transaction.sender,
        to: transaction.to,
        coinbase,
        feeRecipient,
        accessList: accessListOf(transaction),
      }));
      return prefetch(world.evm, requests);
    },
  };
}
