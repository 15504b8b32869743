import type { SignedTransaction } from '@tetrad/types';
import { rulesOf } from '../forks/rules-of.js';
import { NOTHING } from '../interpreter/memory.js';
import { toWord } from '../word/word.js';
import type { World } from '../world/world.js';
import { endTransaction } from './end-transaction.js';
import type { ExecutionContext } from './execution-context.js';
import { contractAddressOf, type TransactionEffects } from './execute-transaction.js';
import { effectiveGasPrice } from './fees.js';
import { prepare } from './prepare.js';
import { assertIncludable, assertWellFormed } from './validity.js';

/**
 * Applies the public effects of a private transaction, which are the same on parties and other nodes: the sender's nonce is
 * increased, and the sender pays for the intrinsic gas. Receipt and header have a gas usage of 0.
 *
 * Source: docs/spec/private-transactions.md#gas
 *
 * @throws InvalidTransactionError when it cannot be part of the block; whatever the source fails with. The world is as
 *   it was then
 */
export async function includePrivateTransaction(
  context: ExecutionContext,
  transaction: SignedTransaction,
  world: World,
): Promise<TransactionEffects> {
  const { block } = context;
  const rules = rulesOf(context.fork);
  const { intrinsic } = assertWellFormed(transaction, rules, context);
  const { sender, feeRecipient } = await prepare(world, {
    sender: transaction.sender,
    coinbase: block.coinbase,
    feeRecipient: block.feeRecipient,
    accessList: [],
  });
  assertIncludable(transaction, context, { sender, rules });
  const baseFee = rules.baseFee ? BigInt(block.baseFee) : 0n;
  const price = effectiveGasPrice(transaction, baseFee);
  const intrinsicGas = BigInt(intrinsic);
  sender.debit(toWord(intrinsicGas * price));
  sender.setNonce(transaction.nonce + 1n);
  feeRecipient.credit(toWord(intrinsicGas * (price - baseFee)));
  endTransaction(world.journal, rules);
  return {
    status: 1,
    gasUsed: 0n,
    logs: [],
    returnData: NOTHING,
    intrinsicGas,
    ...(transaction.to === undefined
      ? { contractAddress: contractAddressOf(sender.key, transaction.nonce) }
      : {}),
  };
}
