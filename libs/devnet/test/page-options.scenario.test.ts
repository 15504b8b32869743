import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { serviceMain } from '@tetrad/devnet';
import { pageCommands, type PageCommand } from './pages/page-commands.js';
import { MAIN } from './tetrad-process.js';

const run = promisify(execFile);
type Service = Parameters<typeof serviceMain>[0];
const SERVICES: readonly Service[] = ['node', 'signer', 'rollup-operator', 'transaction-manager', 'wallet'];

/** Options of EthSigner and web3signer, which the signer accepts without listing them. */
const OF_OTHERS = ['--directory', '--key-store-path'];

/** What `--help` prints for the longest run of words that is a command: others may be arguments. */
async function helpFor(words: readonly string[]): Promise<string> {
  if (words.length === 0) return '';
  const help = await helpOf(words);
  return help.startsWith('Usage: ') ? help : helpFor(words.slice(0, -1));
}

const helps = new Map<string, Promise<string>>();
function helpOf(words: readonly string[]): Promise<string> {
  const key = words.join(' ');
  const asked = helps.get(key) ?? askHelp(words);
  helps.set(key, asked);
  return asked;
}

async function askHelp(words: readonly string[]): Promise<string> {
  const service = SERVICES.find((name) => name === words[0]);
  // The launcher passes most commands on to a service: asked itself, it is one process less.
  const help = service === undefined ? '' : await outputOf([serviceMain(service), ...words.slice(1)]);
  return help.startsWith('Usage: ') ? help : outputOf([MAIN, ...words]);
}

/** @returns nothing when it fails, as an unknown command does */
async function outputOf(command: readonly string[]): Promise<string> {
  const asked = run(process.execPath, [...command, '--help'], { env: { ...process.env, NODE_OPTIONS: '' } });
  return asked.then(({ stdout }) => stdout).catch(() => '');
}

/** The words of the command without arguments that cannot be one, such as names of files. */
function commandWords({ words }: PageCommand): readonly string[] {
  const end = words.findIndex((word) => !/^[a-z][a-z0-9-]*$/.test(word));
  return end === -1 ? words : words.slice(0, end);
}

async function unknownOptions(command: PageCommand): Promise<readonly string[]> {
  const help = await helpFor(commandWords(command));
  const known = new Set(['--help', '--version', ...OF_OTHERS, ...(help.match(/--[a-z][a-z0-9-]*/g) ?? [])]);
  return command.options.filter((option) => !known.has(option));
}

describe('the commands of the documentation', () => {
  // Each benchmark has options of its own.
  const commands = pageCommands().filter(({ words: [first] }) => first !== 'bench');
  beforeAll(() => expect(commands.length).toBeGreaterThan(40));

  it('exist, and have the options that the pages give them', async () => {
    const unknown: string[] = [];
    for (const command of commands) {
      const text = `${command.page}: ./tetrad ${commandWords(command).join(' ')}`;
      if ((await helpFor(commandWords(command))) === '') unknown.push(text);
      unknown.push(...(await unknownOptions(command)).map((option) => `${text} ${option}`));
    }
    expect(unknown).toEqual([]);
  });

  it('would be found out', async () => {
    const command = {
      page: 'a.md',
      words: ['network', 'new'],
      options: ['--validators', '--validator-count'],
    };
    expect(await unknownOptions(command)).toEqual(['--validator-count']);
  });
});
