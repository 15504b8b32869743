import type { Address, Log, SignedTransaction } from '@tetrad/types';
import { rulesOf } from '../forks/rules-of.js';
import type { Rules } from '../forks/rules.js';
import { addressOfCreation } from '../interpreter/created-address.js';
import type { FrameOutcome } from '../interpreter/hooks.js';
import { NOTHING } from '../interpreter/memory.js';
import { addressFromWord, hashFromWord, toWord, type Word } from '../word/word.js';
import type { EvmLog } from '../world/journal.js';
import type { World } from '../world/world.js';
import { drive } from './drive.js';
import { endTransaction } from './end-transaction.js';
import type { ExecutionContext } from './execution-context.js';
import { accessListOf, effectiveGasPrice } from './fees.js';
import type { MessageGas } from './intrinsic-gas.js';
import { prepare, type Participants } from './prepare.js';
import { startMessage } from './start-message.js';
import { assertIncludable, assertWellFormed } from './validity.js';

/** Effects of a transaction apart from its changes of the world. */
export interface TransactionEffects {
  readonly status: 0 | 1;
  readonly gasUsed: bigint;
  /** Gas that counts for the block instead of `gasUsed`; set for a private transaction. */
  readonly intrinsicGas?: bigint;
  readonly logs: readonly Log[];
  /** Set for a contract creation, also for one that failed. */
  readonly contractAddress?: Address;
  readonly returnData: Uint8Array;
  /** Why the status is 0, in geth's words. */
  readonly failure?: string;
}

/**
 * Executes the transaction in the world.
 * @throws InvalidTransactionError when it cannot be part of the block; ExecutionAbortedError when the signal is
 *   aborted; whatever the source fails with. The world is then unchanged
 */
export async function executeTransaction(
  context: ExecutionContext,
  transaction: SignedTransaction,
  world: World,
): Promise<TransactionEffects> {
  const { block, hooks } = context;
  const rules = rulesOf(context.fork);
  const gas = assertWellFormed(transaction, rules, context);
  const { sender, to } = transaction;
  const accessList = accessListOf(transaction);
  const { coinbase, feeRecipient } = block;
  const request = { sender, to, coinbase, feeRecipient, accessList };
  const participants = await prepare(world, request, hooks);
  assertIncludable(transaction, context, { sender: participants.sender, rules });
  const start = world.journal.checkpoint();
  try {
    return await execute(context, transaction, { world, rules, participants, gas });
  } catch (error) {
    world.journal.revert(start);
    world.journal.next();
    throw error;
  }
}

/** A transaction that may be part of the block, with its participants and gas. */
interface Started {
  readonly world: World;
  readonly rules: Rules;
  readonly participants: Participants;
  readonly gas: MessageGas;
}

async function execute(
  context: ExecutionContext,
  transaction: SignedTransaction,
  { world, rules, participants, gas }: Started,
): Promise<TransactionEffects> {
  const { sender, target, coinbase, feeRecipient } = participants;
  const { data, to } = transaction;
  // Not the nonce of the transaction, which may differ when `isSimulation` is set.
  const { nonce } = sender;
  const accessList = accessListOf(transaction);
  const gasLimit = Number(transaction.gasLimit);
  const baseFee = rules.baseFee ? BigInt(context.block.baseFee) : 0n;
  const price = effectiveGasPrice(transaction, baseFee);
  sender.debit(toWord(transaction.gasLimit * price));
  sender.setNonce(nonce + 1n);
  const message = {
    sender,
    coinbase,
    target,
    world,
    value: toWord(transaction.value),
    data,
    gas: gasLimit - gas.intrinsic,
    gasPrice: toWord(price),
    accessList,
    nonce,
  };
  const isTransfer = isPlain(context, message);
  const outcome = isTransfer ? transfer(message, rules) : await run(context, message);
  const { journal } = world;
  const logs = outcome.failure === undefined ? journal.logs.map(toLog) : [];
  const spent = gas.intrinsic + outcome.gasUsed;
  const refund =
    outcome.failure === undefined ? Math.min(journal.refund, Math.floor(spent / rules.refundQuotient)) : 0;
  const gasUsed = BigInt(Math.max(spent - refund, gas.floor));
  sender.credit(toWord((transaction.gasLimit - gasUsed) * price));
  feeRecipient.credit(toWord(gasUsed * (price - baseFee)));
  endTransaction(journal, rules);
  return {
    status: outcome.failure === undefined ? 1 : 0,
    gasUsed,
    logs,
    returnData: outcome.output,
    ...(to === undefined ? { contractAddress: contractAddressOf(sender.key, nonce) } : {}),
    ...(outcome.failure === undefined ? {} : { failure: outcome.failure }),
  };
}

/** Address of the contract that a creation with this sender and nonce makes. */
export function contractAddressOf(sender: Word, nonce: bigint): Address {
  return addressFromWord(addressOfCreation(sender, nonce));
}

type Message = Parameters<typeof startMessage>[1];

async function run(context: ExecutionContext, message: Message): Promise<FrameOutcome> {
  const evm = startMessage(context, message);
  await drive(evm);
  return evm.outcome as FrameOutcome;
}

/** Whether the message moves value to an account without code, and neither hooks nor a listener observe it. */
function isPlain({ hooks, listener, precompiles, fork }: ExecutionContext, { target }: Message): boolean {
  if (target === undefined || hooks !== undefined || listener !== undefined) return false;
  return target.code?.size === 0 && !precompiles.of(fork).has(target.key);
}

/** The fast path of most transactions; the EVM would do the same. */
function transfer({ sender, target, value }: Message, { noEmptyAccounts }: Rules): FrameOutcome {
  if (target !== undefined && value === 0) {
    if (target.exists || !noEmptyAccounts) target.touch();
  } else {
    sender.debit(value);
    target?.credit(value);
  }
  return { gasUsed: 0, output: NOTHING, failure: undefined };
}

/** The log with address and topics as hex. */
export function toLog({ address, topics, data }: EvmLog): Log {
  return { address: addressFromWord(address), topics: topics.map(hashFromWord), data };
}
