import type { SignedTransaction } from '@tetrad/types';
import { EMPTY_CODE } from '../code/code.js';
import type { Rules } from '../forks/rules.js';
import { FAILURE } from '../interpreter/failure.js';
import { delegationOf } from '../opcodes/delegation.js';
import type { Account } from '../world/account.js';
import type { ExecutionContext } from './execution-context.js';
import { accessListOf, maxGasPrice, maximumCost } from './fees.js';
import { messageGas, type MessageGas } from './intrinsic-gas.js';
import { InvalidTransactionError, type InvalidTransactionCode } from './invalid-transaction-error.js';

const MAX_NONCE = 2n ** 64n - 1n;
const MAX_GAS = Number.MAX_SAFE_INTEGER;

type WellFormedOptions = Pick<ExecutionContext, 'isSimulation' | 'maxCodeSize' | 'maxTransactionGas'>;

/**
 * Checks a transaction as far as that needs no state.
 * @returns intrinsic gas and floor of the message
 * @throws InvalidTransactionError
 */
export function assertWellFormed(
  transaction: SignedTransaction,
  rules: Rules,
  options: WellFormedOptions = {},
): MessageGas {
  const { type, to, data } = transaction;
  const { maxCodeSize = rules.maxCodeSize, maxTransactionGas = rules.maxTransactionGas } = options;
  const gasLimit = Number(transaction.gasLimit);
  if (
    (type === 'accessList' && !rules.accessListTransactions) ||
    (type === 'dynamicFee' && !rules.dynamicFeeTransactions)
  ) {
    refuse('TRANSACTION_TYPE_NOT_SUPPORTED', 'transaction type not supported');
  }
  if (to === undefined && rules.limitedInitCode && data.length > 2 * maxCodeSize) {
    const limit = 2 * maxCodeSize;
    refuse('INIT_CODE_TOO_LARGE', `max initcode size exceeded: code size ${data.length}, limit ${limit}`);
  }
  // Gas is counted in JavaScript numbers.
  const cap = options.isSimulation === true ? MAX_GAS : Math.min(maxTransactionGas, MAX_GAS);
  if (gasLimit > cap) {
    const text = `transaction gas limit too high (cap: ${cap}, tx: ${transaction.gasLimit})`;
    refuse('GAS_LIMIT_EXCEEDED', text);
  }
  const gas = messageGas({ creation: to === undefined, data, accessList: accessListOf(transaction) }, rules);
  const needed = Math.max(gas.intrinsic, gas.floor);
  if (gasLimit < needed) {
    refuse('INTRINSIC_GAS_TOO_LOW', `${FAILURE.intrinsicGas}: gas ${gasLimit}, minimum needed ${needed}`);
  }
  if (type === 'dynamicFee' && transaction.maxPriorityFeePerGas > transaction.maxFeePerGas) {
    refuse('TIP_ABOVE_FEE_CAP', 'max priority fee per gas higher than max fee per gas');
  }
  return gas;
}

/**
 * Checks a transaction against the block and the sender's account.
 * @throws InvalidTransactionError
 */
export function assertIncludable(
  transaction: SignedTransaction,
  { block, isSimulation = false }: Pick<ExecutionContext, 'block' | 'isSimulation'>,
  { sender, rules }: { sender: Account; rules: Rules },
): void {
  if (transaction.gasLimit > BigInt(block.gasLimit)) {
    refuse('GAS_LIMIT_EXCEEDED', 'exceeds block gas limit');
  }
  if (rules.baseFee && maxGasPrice(transaction) < BigInt(block.baseFee)) {
    refuse('FEE_CAP_TOO_LOW', 'max fee per gas less than block base fee');
  }
  if (!isSimulation) {
    if (transaction.nonce < sender.nonce) refuse('NONCE_TOO_LOW', 'nonce too low');
    if (transaction.nonce > sender.nonce) refuse('NONCE_TOO_HIGH', 'nonce too high');
    if (!isExternallyOwned(sender, rules)) refuse('SENDER_NOT_EOA', 'sender not an eoa');
  }
  if (sender.nonce === MAX_NONCE) refuse('NONCE_AT_MAXIMUM', 'nonce has max value');
  if (BigInt(sender.balance) < maximumCost(transaction)) {
    refuse('INSUFFICIENT_FUNDS', 'insufficient funds for gas * price + value');
  }
}

/** EIP-3607, and EIP-7702 for code that only points elsewhere. */
function isExternallyOwned({ code, codeHash }: Account, rules: Rules): boolean {
  if (codeHash === EMPTY_CODE.hash) return true;
  return rules.delegatedCode && code !== undefined && delegationOf(code) !== undefined;
}

function refuse(code: InvalidTransactionCode, message: string): never {
  throw new InvalidTransactionError(code, message);
}
