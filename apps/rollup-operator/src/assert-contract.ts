import type { OperatorAccount } from '@tetrad/rollup-batcher';
import { ChainUnavailableError, type RollupReader } from '@tetrad/rollup-chain';
import type { Point } from '@tetrad/rollup-crypto';
import type { RollupStore } from '@tetrad/rollup-store';
import { OperatorError, type Logger } from '@tetrad/types';
import { batchSizesOf } from './batch-sizes.js';
import type { OperatorConfig } from './config.js';

/**
 * Looks whether the contract is the one that the options mean. A chain that is unavailable when the operator starts is waited for
 * by the loops.
 *
 * When the operator has a new key, the rows have it as well from then on.
 *
 * @throws OperatorError that names what differs, or for a new key while the chain is unavailable
 */
export async function assertContract(
  reader: RollupReader,
  { config, account, store, logger }: ContractParts,
): Promise<void> {
  try {
    const { chainId, operatorKeys, operator } = await reader.constants();
    if (chainId !== BigInt(config.chainId))
      throw new OperatorError(`the Ethereum client is on chain ${chainId}, not ${config.chainId}`);
    assertKey(operatorKeys, { config, logger });
    for (const size of batchSizesOf(config))
      if (!(await reader.takesSize(size)))
        throw new OperatorError(`the contract has no verifier for batches of ${size}`);
    const minDeposit = await reader.minDeposit();
    if (minDeposit < config.minOrderAmount)
      logger.warn('the contract takes deposits below --min-order-amount, which their receivers may forfeit', {
        minDeposit: String(minDeposit),
        minOrderAmount: config.minOrderAmount,
      });
    // Its owner may make it so later; until then the contract refuses, and says so.
    if (operator !== account.address)
      logger.warn('the submitting account is not the operator of the contract', { operator });
    await store.changeOperatorKey(config.operatorKey);
  } catch (error) {
    if (!(error instanceof ChainUnavailableError)) throw error;
    const stored = await store.findIdentity();
    if (stored?.operatorKey.x !== config.operatorKey.x)
      throw new OperatorError(`a new --operator-key is compared with the contract first: ${error.message}`);
    logger.warn('chain unreachable', { error });
  }
}

interface ContractParts {
  readonly config: OperatorConfig;
  readonly account: OperatorAccount;
  readonly store: Pick<RollupStore, 'changeOperatorKey' | 'findIdentity'>;
  readonly logger: Logger;
}

/** An operator that has announced a key and not taken it yet goes on; clients that register then are refused. */
function assertKey(
  announced: readonly Point[],
  { config: { contract, operatorKey }, logger }: Pick<ContractParts, 'config' | 'logger'>,
): void {
  if (isPresentKey(announced, operatorKey)) return;
  if (!announced.some((key) => isPresentKey([key], operatorKey)))
    throw new OperatorError(`the contract at ${contract} has another operator key`);
  logger.warn(
    'the contract has a later operator key: new accounts are refused until it is the --operator-key',
  );
}

/** @param announced - keys that were announced, the present one last */
export function isPresentKey(announced: readonly Point[], key: Point): boolean {
  const present = announced.at(-1);
  return present?.x === key.x && present.y === key.y;
}
