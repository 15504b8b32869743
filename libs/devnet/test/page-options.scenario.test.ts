import { beforeAll, describe, expect, it } from '@jest/globals';
import { pageCommands, type PageCommand } from './pages/page-commands.js';
import { runTetrad } from './tetrad-process.js';

/** Words that are a command only, or a command of a command; the rest are arguments. */
const ONE_WORD = new Set(['up', 'demo', 'backup', 'restore', 'verify', 'bench', 'test']);

/** Options of EthSigner and web3signer, which the signer accepts without listing them. */
const OF_OTHERS = ['--directory', '--key-store-path'];

/** What `--help` of the command prints. */
const helps = new Map<string, Promise<string>>();
function helpOf(words: readonly string[]): Promise<string> {
  const key = words.join(' ');
  const asked = helps.get(key) ?? runTetrad([...words, '--help']).then(({ stdout }) => stdout);
  helps.set(key, asked);
  return asked;
}

/** The words of the command without its arguments, such as names of files. */
function commandWords({ words: [first = '', ...rest] }: PageCommand): readonly string[] {
  if (ONE_WORD.has(first)) return [first];
  const plain = rest.findIndex((word) => !/^[a-z][a-z0-9-]*$/.test(word));
  return [first, ...(plain === -1 ? rest : rest.slice(0, plain))];
}

async function unknownOptions(command: PageCommand): Promise<readonly string[]> {
  const help = await helpOf(commandWords(command));
  const known = new Set(['--help', '--version', ...OF_OTHERS, ...(help.match(/--[a-z][a-z0-9-]*/g) ?? [])]);
  return command.options.filter((option) => !known.has(option));
}

describe('the commands of the documentation', () => {
  const commands = pageCommands();
  beforeAll(() => expect(commands.length).toBeGreaterThan(40));

  it('exist, and have the options that the pages give them', async () => {
    const unknown: string[] = [];
    for (const command of commands) {
      const text = `${command.page}: ./tetrad ${commandWords(command).join(' ')}`;
      if (!(await helpOf(commandWords(command))).startsWith('Usage: ')) unknown.push(text);
      unknown.push(...(await unknownOptions(command)).map((option) => `${text} ${option}`));
    }
    expect(unknown).toEqual([]);
  }, 300_000);

  it('would be found out', async () => {
    const command = {
      page: 'a.md',
      words: ['network', 'new'],
      options: ['--validators', '--validator-count'],
    };
    expect(await unknownOptions(command)).toEqual(['--validator-count']);
  });
});
