import { agreementMethods } from '@tetrad/api-node';
import { OperatorError } from '@tetrad/types';
import { defineOptions, type ConfigOf } from '@tetrad/service';
import { askNode, askedNodeOptions } from './ask-node.js';
import { AGREEMENT_BOUNDS } from './check-agreement-command.js';
import { compareBlocks, comparedOptions } from './compare-blocks.js';
import { describeExplanation } from './describe-explanation.js';

export const explainAgreementOptions = defineOptions({
  ...askedNodeOptions('JSON-RPC of a node that opens the namespace privacy.'),
  ...comparedOptions({
    contract: 'Private contract whose parties differ; the first word.',
    since:
      'Compare the blocks from this one on anew before, as where a party may have lost transactions since. Default: what has been compared.',
  }),
});

/** `ADDRESS` as the option that it stands for. */
export function explainAgreementArguments(argv: readonly string[]): readonly string[] {
  const [first, ...others] = argv;
  return first === undefined || first.startsWith('-') ? argv : ['--contract', first, ...others];
}

/**
 * Asks a node on which transaction parties of a contract came apart, and why.
 * @returns text for people
 * @throws OperatorError
 */
export async function explainAgreement(config: ConfigOf<typeof explainAgreementOptions>): Promise<string> {
  const { contract } = config;
  if (contract === undefined) throw new OperatorError('say which contract: its address, or --contract');
  return askNode(agreementMethods, config, AGREEMENT_BOUNDS, async (client) => {
    await compareBlocks(client, config);
    return describeExplanation(await client.call('privacy_explainAgreement', [contract]));
  });
}
