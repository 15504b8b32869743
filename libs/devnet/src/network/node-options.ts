import { UsageError } from '../usage-error.js';

/** An option of the node program as its command line has it: the flag, and the words that follow it. */
export interface NodeOption {
  /** `--rpc-alias` */
  readonly flag: string;
  readonly words: readonly string[];
}

const FLAG = /^--[a-z][a-z0-9-]*$/;

/** Options that the network itself sets for every node, by which its services find each other. */
const OWN_FLAGS = [
  '--config-file',
  '--data-dir',
  '--database-url',
  '--genesis-file',
  '--node-key-file',
  '--keystore-dir',
  '--keystore-password-file',
  '--migrate',
  '--static-nodes-file',
  '--ptm-url',
  '--http-listen-port',
  '--ops-listen-port',
  '--peer-listen-port',
  '--permissioned',
  '--verify',
];

/**
 * Parses the further options of every node of a network: flags and values as on the command line
 * of `node`, separated by spaces.
 * @throws UsageError naming the flag
 */
export function readNodeOptions(text: string): readonly NodeOption[] {
  const options: { flag: string; words: string[] }[] = [];
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    const last = options.at(-1);
    if (word.startsWith('--')) options.push(readFlag(word));
    else if (last !== undefined && last.words.length === 0) last.words.push(word);
    else throw new UsageError(`--node-options: ${word}: unexpected argument`);
  }
  return options;
}

function readFlag(word: string): { flag: string; words: string[] } {
  const [flag = '', ...rest] = word.split('=');
  if (!FLAG.test(flag)) throw new UsageError(`--node-options: ${flag} is not an option`);
  if (OWN_FLAGS.includes(flag)) throw new UsageError(`--node-options: ${flag} is set by the network itself`);
  return { flag, words: rest.length === 0 ? [] : [rest.join('=')] };
}

/** Options, with those of the same flags replaced. */
export function replaceOptions(
  options: readonly NodeOption[],
  others: readonly NodeOption[],
): readonly NodeOption[] {
  const given = new Set(others.map(({ flag }) => flag));
  return [...options.filter(({ flag }) => !given.has(flag)), ...others];
}

/** The command line of a node: the options of the network, replaced by further options with the same flags. */
export function withNodeOptions(
  own: Readonly<Record<string, string>>,
  further: readonly NodeOption[],
): string[] {
  const given = new Set(further.map(({ flag }) => flag));
  return [
    ...Object.entries(own)
      .filter(([flag]) => !given.has(flag))
      .flat(),
    ...further.flatMap(({ flag, words }) => [flag, ...words]),
  ];
}
