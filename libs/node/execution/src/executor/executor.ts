import type { Common } from '@ethereumjs/common';
import { runTx } from '@ethereumjs/vm';
import { EthereumJSError, KECCAK256_NULL, Address as EvmAddress, generateAddress } from '@ethereumjs/util';
import {
  addressFromBytes,
  addressToBytes,
  bytesFromScalar,
  hashFromBytes,
  type Address,
  type Log,
  type SignedTransaction,
} from '@tetrad/types';
import { createCommons, rulesAt, type ForkName, type ForkRules } from '../genesis/forks.js';
import type { Genesis } from '../genesis/genesis.js';
import type { WorldState } from '../state/world-state.js';
import type { BlockContext } from './block-context.js';
import { accessListOf, executable, maxGasPrice } from './executable-transaction.js';
import { failureText } from './failure-text.js';
import { DEFAULT_MAX_CODE_SIZE, MAX_TRANSACTION_GAS, minimumGas } from './intrinsic-gas.js';
import { InvalidTransactionError } from './invalid-transaction-error.js';
import { createMachine, type Machine } from './machine.js';
import { TRANSFER_RESULT, tryPlainTransfer } from './plain-transfer.js';

/** What a transaction did, apart from what it changed in the world. */
export interface TransactionEffects {
  readonly status: 0 | 1;
  readonly gasUsed: bigint;
  readonly logs: readonly Log[];
  /** Set for a contract creation, also for one that failed. */
  readonly contractAddress?: Address;
  readonly returnData: Uint8Array;
  /** Why the status is 0, in geth's words. */
  readonly failure?: string;
}

/** Runs transactions against worlds; the narrow boundary behind which the EVM can be replaced. */
export interface Executor {
  /** The rules in force for a block. */
  rules(block: { readonly number: number; readonly timestamp: number }): ForkRules;
  /**
   * Executes the transaction in the world.
   *
   * Fails: InvalidTransactionError, with the world untouched, when it cannot be part of the block
   */
  executeTransaction(
    block: BlockContext,
    transaction: SignedTransaction,
    world: WorldState,
  ): Promise<TransactionEffects>;
  /** An EVM of its own over the world: for calls, estimates and traces. */
  machine(block: BlockContext, world: WorldState, signal?: AbortSignal): Promise<Machine>;
  common(fork: ForkName): Common;
}

export function createExecutor(genesis: Genesis): Executor {
  const common = createCommons(genesis.chainId);
  const machines = new WeakMap<WorldState, Map<ForkName, Promise<Machine>>>();
  const { maxCodeSize } = genesis;
  const settings = maxCodeSize === undefined ? {} : { maxCodeSize };
  const rules = (block: { number: number; timestamp: number }) => rulesAt(genesis.forks, block);

  const machineOf = (world: WorldState, fork: ForkName): Promise<Machine> => {
    const byFork = machines.get(world) ?? new Map<ForkName, Promise<Machine>>();
    machines.set(world, byFork);
    const machine = byFork.get(fork) ?? createMachine(world, common(fork), settings);
    byFork.set(fork, machine);
    return machine;
  };

  return {
    rules,
    common,
    machine: (block, world, signal) =>
      createMachine(
        world,
        common(rules(block).fork),
        signal === undefined ? settings : { ...settings, signal },
      ),
    async executeTransaction(block, transaction, world) {
      const active = rules(block);
      await assertIncludable(transaction, world, { block, rules: active, maxCodeSize });
      const gasUsed = await tryPlainTransfer(transaction, world, { block, rules: active });
      if (gasUsed !== undefined) return { status: 1, gasUsed, ...TRANSFER_RESULT };
      const machine = await machineOf(world, active.fork);
      return runInMachine(machine, transaction, { block, rules: active });
    },
  };
}

/** Executes a transaction that may be part of the block in an EVM. Fails: InvalidTransactionError. */
export async function runInMachine(
  machine: Machine,
  transaction: SignedTransaction,
  { block, rules }: { block: BlockContext; rules: ForkRules },
): Promise<TransactionEffects> {
  try {
    const result = await runTx(machine.vm, {
      tx: executable(transaction, machine.common, rules),
      block: machine.enter(block),
      skipHardForkValidation: true,
    });
    const { exceptionError, returnValue, logs } = result.execResult;
    return {
      status: exceptionError === undefined ? 1 : 0,
      gasUsed: result.totalGasSpent,
      logs: (logs ?? []).map(toLog),
      ...(transaction.to === undefined ? { contractAddress: creationAddress(transaction) } : {}),
      returnData: returnValue,
      ...(exceptionError === undefined ? {} : { failure: failureText(exceptionError) }),
    };
  } catch (error) {
    // The library refuses a transaction that our own checks let pass. It has taken everything back, and every
    // node's library does the same, so the transaction goes and block production goes on.
    if (error instanceof EthereumJSError) throw new InvalidTransactionError('NOT_EXECUTABLE', error.message);
    throw error;
  }
}

/** Where a creation puts its contract: keccak256(RLP([sender, nonce]))[12..32]. */
function creationAddress({ sender, nonce }: SignedTransaction): Address {
  return addressFromBytes(generateAddress(addressToBytes(sender), bytesFromScalar(nonce)));
}

export function toLog([address, topics, data]: [Uint8Array, Uint8Array[], Uint8Array]): Log {
  return { address: addressFromBytes(address), topics: topics.map((topic) => hashFromBytes(topic)), data };
}

/** Everything that makes a transaction invalid in a block, checked before the world is touched. */
async function assertIncludable(
  transaction: SignedTransaction,
  world: WorldState,
  { block, rules, maxCodeSize }: { block: BlockContext; rules: ForkRules; maxCodeSize: number | undefined },
): Promise<void> {
  assertWellFormed(transaction, rules, maxCodeSize);
  if (transaction.gasLimit > block.gasLimit) {
    throw new InvalidTransactionError('GAS_LIMIT_EXCEEDED', 'exceeds block gas limit');
  }
  if (maxGasPrice(transaction) < (block.baseFeePerGas ?? 0n)) {
    throw new InvalidTransactionError('FEE_CAP_TOO_LOW', 'max fee per gas less than block base fee');
  }
  const account = await world.getAccount(new EvmAddress(addressToBytes(transaction.sender)));
  const nonce = account?.nonce ?? 0n;
  if (transaction.nonce < nonce) throw new InvalidTransactionError('NONCE_TOO_LOW', 'nonce too low');
  if (transaction.nonce > nonce) throw new InvalidTransactionError('NONCE_TOO_HIGH', 'nonce too high');
  if (account !== undefined && Buffer.compare(account.codeHash, KECCAK256_NULL) !== 0) {
    throw new InvalidTransactionError('SENDER_NOT_EOA', 'sender not an eoa');
  }
  if ((account?.balance ?? 0n) < maximumCost(transaction)) {
    throw new InvalidTransactionError('INSUFFICIENT_FUNDS', 'insufficient funds for gas * price + value');
  }
}

/** Most wei that the transaction can take from its sender. */
export function maximumCost(transaction: SignedTransaction): bigint {
  return transaction.gasLimit * maxGasPrice(transaction) + transaction.value;
}

/** What can be said of a transaction without looking at any state. Fails: InvalidTransactionError. */
export function assertWellFormed(
  transaction: SignedTransaction,
  rules: ForkRules,
  maxCodeSize = DEFAULT_MAX_CODE_SIZE,
): void {
  const { type, to, data, gasLimit } = transaction;
  if ((type === 'accessList' && !rules.has('berlin')) || (type === 'dynamicFee' && !rules.has('london'))) {
    throw new InvalidTransactionError('TRANSACTION_TYPE_NOT_SUPPORTED', 'transaction type not supported');
  }
  if (to === undefined && rules.has('shanghai') && data.length > 2 * maxCodeSize) {
    throw new InvalidTransactionError(
      'INIT_CODE_TOO_LARGE',
      `max initcode size exceeded: code size ${data.length}, limit ${2 * maxCodeSize}`,
    );
  }
  if (rules.has('osaka') && gasLimit > MAX_TRANSACTION_GAS) {
    throw new InvalidTransactionError(
      'GAS_LIMIT_EXCEEDED',
      `transaction gas limit too high (cap: ${MAX_TRANSACTION_GAS}, tx: ${gasLimit})`,
    );
  }
  const needed = minimumGas(
    { creation: to === undefined, data, accessList: accessListOf(transaction) },
    rules,
  );
  if (gasLimit < needed) {
    throw new InvalidTransactionError(
      'INTRINSIC_GAS_TOO_LOW',
      `intrinsic gas too low: gas ${gasLimit}, minimum needed ${needed}`,
    );
  }
}
