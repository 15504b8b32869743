import {
  chainPermissionExplanationMethods,
  type PermissionExplanationView,
  type PermissionPreviewView,
} from '@tetrad/api-node';
import { PREVIEWED_CHANGES, asciiOf, type PreviewedChange } from '@tetrad/node-permissioning';
import { choiceOption, defineOptions, nearest, option, textOption, type ConfigOf } from '@tetrad/service';
import { OperatorError } from '@tetrad/types';
import { addressOption } from '../options/address-option.js';
import { askNode, askedNodeOptions } from './ask-node.js';

const QUESTION = 'Question';

export const explainOptions = defineOptions({
  ...askedNodeOptions('JSON-RPC of a permissioned node.'),
  subject: option(choiceOption('account', 'node', 'org'), {
    group: QUESTION,
    description: 'Kind of what is asked about; the first word.',
  }),
  id: option(textOption('ID'), {
    group: QUESTION,
    description:
      'Address of an account, enode URL or id of a node, full id of an organization; the second word.',
  }),
  action: option(choiceOption('transfer', 'call', 'deploy', 'connect', 'extend'), {
    group: QUESTION,
    description: 'What the account or the node does; a transfer, or a connection, when absent.',
  }),
  to: option(addressOption(), { group: QUESTION, description: 'Recipient of the transaction.' }),
  dryRun: option(textOption('CHANGE'), {
    group: QUESTION,
    description:
      'Instead of a question, a change in one argument, such as "updateAccountStatus ORG ADDRESS 1": prints who would lose or gain what. Nothing is sent.',
  }),
});

/** A preview has at most 1,000 lines, of ids of at most 4 kB. */
const BOUNDS = { timeoutMs: 30_000, maxAnswerBytes: 16_000_000 };

/** `account ID` as the options that it stands for. */
export function explainArguments(argv: readonly string[]): readonly string[] {
  const flags = argv.findIndex((word) => word.startsWith('-'));
  const words = flags === -1 ? argv : argv.slice(0, flags);
  const [subject, id, ...stray] = words;
  const named = [
    ...(subject === undefined ? [] : ['--subject', subject]),
    ...(id === undefined ? [] : ['--id', id]),
  ];
  return [...named, ...stray, ...argv.slice(words.length)];
}

/**
 * Asks a node why a permission is given or refused.
 * @returns text for people
 * @throws OperatorError
 */
export async function explainPermissions(config: ConfigOf<typeof explainOptions>): Promise<string> {
  return askNode(chainPermissionExplanationMethods, config, BOUNDS, async (client) => {
    if (config.dryRun !== undefined)
      return preview(await client.call('chainPermission_previewChange', changeOf(config.dryRun)));
    const { subject, id, action, to } = config;
    if (subject === undefined || id === undefined)
      throw new OperatorError('say what to explain: account, node or org, and its id; or --dry-run CHANGE');
    return explanation(await client.call('chainPermission_explain', [subject, id, action ?? null, to]));
  });
}

function changeOf(text: string): [PreviewedChange, string[]] {
  const [name = '', ...words] = text.split(' ').filter((word) => word !== '');
  const change = PREVIEWED_CHANGES.find((one) => one === name);
  if (change === undefined)
    throw new OperatorError(
      `--dry-run: ${name} is not one of ${PREVIEWED_CHANGES.join(', ')}${nearest(name, PREVIEWED_CHANGES)}`,
    );
  return [change, words];
}

function explanation({ block, isAllowed, rule, reason, remedy, records }: PermissionExplanationView): string {
  const { nodes = [], ...single } = records;
  const entries = [...Object.entries(single), ...nodes.map((node) => ['node', node] as const)];
  return [
    `${isAllowed ? 'allowed' : 'refused'}  by rule ${rule} at block ${block}`,
    `reason   ${asciiOf(reason)}`,
    ...(remedy === undefined ? [] : [`remedy   ${asciiOf(remedy)}`]),
    ...entries.map(([name, entry]) => `record   ${name} ${asciiOf(JSON.stringify(entry))}`),
  ].join('\n');
}

function preview({ block, total, changes }: PermissionPreviewView): string {
  const lines = changes.map(
    ({ subject, id, action, isAllowed }) =>
      `${isAllowed ? 'gains' : 'loses'}  ${action}  ${subject} ${asciiOf(id)}`,
  );
  const more = total - changes.length;
  return [
    `${total} permissions change, seen from block ${block}`,
    ...lines,
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join('\n');
}
