import { describe, expect, it } from '@jest/globals';
import { OperatorError } from '@tetrad/types';
import { defineOptions, option } from '../define-options.js';
import { textOption } from '../option-types.js';
import { CommandList } from './command-list.js';
import { COMMAND_EXIT, runCommand, type CommandProgram, type CommandShape } from './run-command.js';

const send: CommandShape = {
  name: 'send',
  usage: 'TO [options]',
  words: [1, 2],
  summary: 'Sends.',
  options: defineOptions({ note: option(textOption('TEXT'), { group: 'Send', description: 'A note.' }) }),
};
const newAccount: CommandShape = {
  ...send,
  name: 'account new',
  usage: '',
  words: [0, 0],
  summary: 'Makes one.',
};

class Unsettled extends Error {}

function programOf(environment: CommandProgram['environment'] = {}) {
  const said: string[] = [];
  const warned: string[] = [];
  const exitCodeOf = (error: unknown) =>
    error instanceof Unsettled ? 3 : error instanceof OperatorError ? COMMAND_EXIT.failed : undefined;
  const terminal = { say: (line: string) => said.push(line), warn: (line: string) => warned.push(line) };
  const program: CommandProgram = {
    name: 'rollup',
    service: 'rollup-client',
    version: '1.2.3',
    terminal,
    environment,
    exitCodeOf,
  };
  return { program, said, warned };
}

const notRun = () => Promise.reject(new Error('the command ran'));
const failing = (error: unknown) => () => Promise.reject(error as Error);

describe('a command', () => {
  it('gets its words, and options of flags and variables', async () => {
    const { program, warned } = programOf({ TETRAD_ROLLUP_CLIENT_NOTE: 'from the environment' });
    const given: unknown[] = [];
    const run = (values: object) => Promise.resolve(void given.push(values));
    expect(await runCommand(send, ['bob', '--note', 'hello'], program, run)).toBe(0);
    expect(await runCommand(send, ['bob', '7'], program, run)).toBe(0);
    expect(given).toMatchObject([
      { words: ['bob'], config: { note: 'hello' } },
      { words: ['bob', '7'], config: { note: 'from the environment' } },
    ]);
    expect(warned).toEqual([]);
  });

  it('prints its help and the version of the program, and does not run then', async () => {
    const { program, said } = programOf();
    expect(await runCommand(send, ['--help'], program, notRun)).toBe(0);
    expect(said[0]).toMatch(/^Usage: tetrad rollup send TO \[options\]\n\nSends\.\n[^]*--note TEXT[^]*\S$/);
    expect(await runCommand(send, ['--version'], program, notRun)).toBe(0);
    expect(said[1]).toBe('1.2.3');
  });

  it.each([
    ['fewer words than it takes', [], 'send: usage: tetrad rollup send TO [options]'],
    ['more', ['a', 'b', 'c'], 'c: unexpected argument'],
    ['an unknown option', ['bob', '--notes', 'x'], '--notes: unknown option (did you mean --note?)'],
  ])('ends with 2 for %s', async (_, argv, message) => {
    const { program, warned } = programOf();
    expect(await runCommand(send, argv, program, notRun)).toBe(2);
    expect(warned).toEqual([message]);
  });

  it('ends with the code that it returns', async () => {
    expect(await runCommand(send, ['bob'], programOf().program, () => Promise.resolve(1))).toBe(1);
  });

  it('ends with the code of an expected error, in one line, and shows the stack of any other', async () => {
    const { program, warned } = programOf();
    expect(await runCommand(send, ['bob'], program, failing(new OperatorError('no such file')))).toBe(1);
    expect(await runCommand(send, ['bob'], program, failing(new Unsettled('run it again')))).toBe(3);
    expect(await runCommand(send, ['bob'], program, failing(new RangeError('a fault')))).toBe(1);
    expect(await runCommand(send, ['bob'], program, failing('text'))).toBe(1);
    expect(warned).toEqual([
      'no such file',
      'run it again',
      expect.stringMatching(/^RangeError: a fault\n +at /),
      'text',
    ]);
  });
});

describe('the commands of a program', () => {
  const list = new CommandList('rollup', [newAccount, send], {
    before: [['serve', 'Serves.']],
    otherNames: ['serve'],
    after: 'That is all.',
  });

  it('are found by their first words', () => {
    expect(list.find(['account', 'new', '--help'])).toEqual({ command: newAccount, rest: ['--help'] });
    expect(list.find(['send', 'bob'])).toEqual({ command: send, rest: ['bob'] });
    expect([list.find(['account']), list.find([])]).toEqual([undefined, undefined]);
  });

  it('are all in the help', () => {
    expect(list.help()).toBe(
      'Usage: tetrad rollup COMMAND\n\n' +
        '  serve\n      Serves.\n  account new \n      Makes one.\n  send TO [options]\n      Sends.\n\nThat is all.\n',
    );
  });

  it('of a group are listed for its name, an error when nothing else is given', () => {
    const output =
      'Usage: tetrad rollup account COMMAND\n\n  account new \n      Makes one.\n\nThat is all.\n';
    expect(list.replyTo(['account'], '1.2.3')).toEqual({ output, code: 2 });
    expect(list.replyTo(['account', '--help'], '1.2.3')).toEqual({ output, code: 0 });
    expect(list.replyTo(['account', '--version'], '1.2.3')).toEqual({ output: '1.2.3\n', code: 0 });
  });

  it.each([
    [['sent', 'bob'], 'unknown command sent (did you mean send?); --help lists them'],
    [['serv'], 'unknown command serv (did you mean serve?); --help lists them'],
    [['account', 'nwe'], 'unknown command account nwe (did you mean account new?); --help lists them'],
    [['xyzzy'], 'unknown command xyzzy; --help lists them'],
  ])('are suggested for %j', (argv, error) => {
    expect(list.replyTo(argv, '1.2.3')).toEqual({ error, code: 2 });
  });
});
