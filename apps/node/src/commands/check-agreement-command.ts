import { agreementMethods } from '@tetrad/api-node';
import { defineOptions, type ConfigOf } from '@tetrad/service';
import { askNode, askedNodeOptions } from './ask-node.js';
import { compareBlocks, comparedOptions } from './compare-blocks.js';
import { describeContract, describeDisagreements } from './describe-agreement.js';

export const checkOptions = defineOptions({
  ...askedNodeOptions('JSON-RPC of a node that opens the namespace privacy.'),
  ...comparedOptions({
    contract: 'Private contract whose parties are listed too.',
    since:
      'Compare the blocks from this one on anew, also those from before the parties stated results to each other. Default: what has been compared.',
  }),
});

type Config = ConfigOf<typeof checkOptions>;

/** An answer has at most 1,000 parties, each with statements and lists of a block. */
export const AGREEMENT_BOUNDS = { timeoutMs: 60_000, maxAnswerBytes: 64_000_000 };

/** What a node says of the agreement of parties. */
export interface CheckedAgreement {
  /** For people. */
  readonly text: string;
  /** Whether a party has other results. */
  readonly isDiverged: boolean;
}

/**
 * Asks a node which parties do not agree with it.
 * @throws OperatorError
 */
export async function checkAgreement(config: Config): Promise<CheckedAgreement> {
  const { contract, since } = config;
  return askNode(agreementMethods, config, AGREEMENT_BOUNDS, async (client) => {
    const found = await compareBlocks(client, config);
    const isDiverged = found.disagreements.some(({ state }) => state === 'diverged');
    const parties = contract && (await client.call('privacy_getContractAgreement', [contract]));
    const lines = [describeDisagreements(found, since), ...(parties ? [describeContract(parties)] : [])];
    return { text: lines.join('\n'), isDiverged };
  });
}
