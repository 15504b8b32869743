import type { OperatorAccount } from '@tetrad/rollup-batcher';
import { ChainUnavailableError, type RollupReader } from '@tetrad/rollup-chain';
import { OperatorError, type Logger } from '@tetrad/types';
import { batchSizesOf } from './batch-sizes.js';
import type { OperatorConfig } from './config.js';

/**
 * Looks whether the contract is the one that the options mean. A chain that is unavailable when the operator starts is waited for
 * by the loops.
 *
 * Fails: OperatorError that names what differs
 */
export async function assertContract(
  reader: RollupReader,
  { config, account, logger }: { config: OperatorConfig; account: OperatorAccount; logger: Logger },
): Promise<void> {
  try {
    const { chainId, operatorKey, operator } = await reader.constants();
    if (chainId !== BigInt(config.chainId))
      throw new OperatorError(`the Ethereum client is on chain ${chainId}, not ${config.chainId}`);
    if (operatorKey.x !== config.operatorKey.x || operatorKey.y !== config.operatorKey.y)
      throw new OperatorError(`the contract at ${config.contract} has another operator key`);
    for (const size of batchSizesOf(config))
      if (!(await reader.takesSize(size)))
        throw new OperatorError(`the contract has no verifier for batches of ${size}`);
    const minDeposit = await reader.minDeposit();
    if (minDeposit < config.minOrderAmount)
      logger.warn('the contract takes deposits below --min-order-amount, which their receivers may forfeit', {
        ...{ minDeposit: String(minDeposit), minOrderAmount: config.minOrderAmount },
      });
    // Its owner may make it so later; until then the contract refuses, and says so.
    if (operator !== account.address)
      logger.warn('the submitting account is not the operator of the contract', { operator });
  } catch (error) {
    if (!(error instanceof ChainUnavailableError)) throw error;
    logger.warn('chain unreachable', { error });
  }
}
