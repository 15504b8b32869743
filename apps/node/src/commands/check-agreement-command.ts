import { agreementMethods } from '@tetrad/api-node';
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
import { compareBlocks } from './compare-blocks.js';
import { describeContract, describeDisagreements } from './describe-agreement.js';

const NODE = 'Node';
const QUESTION = 'Question';

export const checkOptions = defineOptions({
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
    description: 'Private contract whose parties are listed too.',
  }),
  since: option(integerOption({ min: 0, max: Number.MAX_SAFE_INTEGER }), {
    group: QUESTION,
    description:
      'Compare the blocks from this one on anew, also those from before the parties stated results to each other. Default: what has been compared.',
    unit: 'block',
  }),
  wait: option(durationOption({ min: 0, max: 86_400_000 }), {
    group: QUESTION,
    description: 'Time in which the other parties may answer.',
    default: 60_000,
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
