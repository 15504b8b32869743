import { UnverifiedContractError, verifyContract, type RollupContract } from '@tetrad/rollup-client';
import { dispel } from './doubts.js';
import type { Terminal } from './commands/define-command.js';

/** What the options say of the check. */
interface VerificationConfig {
  readonly fromBlock: number;
  readonly yes: boolean;
}

/**
 * Refuses a contract that is not one of a release, before anything is sent to it or its operator. Unusual terms are for the user
 * to check.
 *
 * @param contract - that money is to go into
 * @param config - where its creation is looked for, and whether doubts are answered
 * @param terminal - where the user is asked
 * @throws UnverifiedContractError; OperatorError when a doubt is not dispelled
 */
export async function assertVerified(
  contract: RollupContract,
  { fromBlock, yes }: VerificationConfig,
  terminal: Terminal,
): Promise<void> {
  const { doubts } = await verifyContract(contract.client, contract.address, { fromBlock });
  await dispel(doubts, { isSure: yes, terminal });
}

/**
 * What speaks against leaving a contract by what it says of itself. Its money is in it already, so this is a doubt and no refusal.
 *
 * @param contract - that is left
 * @param config - where its creation is looked for
 * @returns undefined for one that is verified
 */
export async function doubtOfContract(
  contract: RollupContract,
  { fromBlock }: Pick<VerificationConfig, 'fromBlock'>,
): Promise<string | undefined> {
  try {
    await verifyContract(contract.client, contract.address, { fromBlock });
    return undefined;
  } catch (error) {
    if (error instanceof UnverifiedContractError) return error.message;
    throw error;
  }
}
