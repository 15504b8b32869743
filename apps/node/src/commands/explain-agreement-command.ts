import { agreementMethods } from '@tetrad/api-node';
import { OperatorError } from '@tetrad/types';
import {
  defineOptions,
  durationOption,
  integerOption,
  option,
  secretFileOption,
  urlOption,
  type ConfigOf,
} from '@tetrad/service';
import { addressOption } from '../options/address-option.js';
import { askNode } from './ask-node.js';
import { AGREEMENT_BOUNDS } from './check-agreement-command.js';
import { compareBlocks } from './compare-blocks.js';
import { describeExplanation } from './describe-explanation.js';

const NODE = 'Node';
const QUESTION = 'Question';

export const explainAgreementOptions = defineOptions({
  rpcUrl: option(urlOption('http', 'https'), {
    group: NODE,
    description: 'JSON-RPC of a node that opens the namespace privacy.',
    default: new URL('http://127.0.0.1:22000'),
  }),
  rpcTokenFile: option(secretFileOption(), {
    group: NODE,
    description: 'File with a token for a node that requires one.',
  }),
  contract: option(addressOption(), {
    group: QUESTION,
    description: 'Private contract whose parties differ; the first word.',
  }),
  since: option(integerOption({ min: 0, max: Number.MAX_SAFE_INTEGER }), {
    group: QUESTION,
    description:
      'Compare the blocks from this one on anew before, as where a party may have lost transactions since. Default: what has been compared.',
    unit: 'block',
  }),
  wait: option(durationOption({ min: 0, max: 86_400_000 }), {
    group: QUESTION,
    description: 'Time in which the other parties may answer.',
    default: 60_000,
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
