import { chainExtensionInspectionMethods } from '@tetrad/api-node';
import { defineOptions, option, pathOption, textOption, type ConfigOf } from '@tetrad/service';
import { OperatorError, isPtmKey, parsePtmKey } from '@tetrad/types';
import { askNode, askedNodeOptions } from './ask-node.js';
import { describeInspection } from './describe-inspection.js';
import { readKnownContracts } from './known-contracts.js';
import { addressOption } from '../options/address-option.js';

const QUESTION = 'Question';

export const inspectOptions = defineOptions({
  ...askedNodeOptions('JSON-RPC of the node of a party, or of the one that is asked to become one.'),
  address: option(addressOption(), {
    group: QUESTION,
    description: 'Private contract, or the management contract of an active extension of it; the first word.',
  }),
  to: option(textOption('KEY'), {
    group: QUESTION,
    description:
      'Manager key of the new party; that of the active extension when absent and there is only one.',
  }),
  knownContracts: option(pathOption(), {
    group: QUESTION,
    description: 'JSON file with names of contracts by the hashes of their code: {"0x…": "name"}.',
  }),
});

/** It reads up to 100,000 slots; an answer has at most 100 contracts and 16 extensions, each with its parties. */
const BOUNDS = { timeoutMs: 60_000, maxAnswerBytes: 16_000_000 };

/** `ADDRESS` as the option that it stands for. */
export function inspectArguments(argv: readonly string[]): readonly string[] {
  const [first, ...others] = argv;
  return first === undefined || first.startsWith('-') ? argv : ['--address', first, ...others];
}

/**
 * Asks a node what it knows of a contract and its extensions.
 * @returns text for people
 * @throws OperatorError
 */
export async function inspectExtension(config: ConfigOf<typeof inspectOptions>): Promise<string> {
  const { address, to, knownContracts } = config;
  if (address === undefined) throw new OperatorError('say what to inspect: the address of a contract');
  if (to !== undefined && !isPtmKey(to))
    throw new OperatorError('--to must be the key of a transaction manager: base64 of 32 bytes');
  const names = knownContracts === undefined ? undefined : await readKnownContracts(knownContracts);
  const newParty = to === undefined ? undefined : parsePtmKey(to);
  return askNode(chainExtensionInspectionMethods, config, BOUNDS, async (client) =>
    describeInspection(await client.call('chainExtension_inspect', [address, newParty]), names),
  );
}
