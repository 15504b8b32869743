import { nearest } from '../nearest.js';
import { COMMAND_EXIT, type CommandShape } from './run-command.js';

/** What a program prints for words that name no command. */
export interface CommandReply {
  readonly output?: string;
  readonly error?: string;
  readonly code: number;
}

export interface CommandListOptions {
  /**
   * What is printed before the commands. Takes usage, and what it does.
   */
  readonly before?: readonly (readonly [usage: string, summary: string])[];
  /** Words beside the commands that may have been meant. */
  readonly otherNames?: readonly string[];
  /** What follows the commands, without the line's end. */
  readonly after?: string;
}

/** The commands of a program, in the order of its help. */
export class CommandList<Command extends CommandShape> {
  /** @param program - as it is typed after `tetrad` */
  constructor(
    private readonly program: string,
    readonly commands: readonly Command[],
    private readonly options: CommandListOptions = {},
  ) {}

  /** The command that the first words name, and what follows them. */
  find(argv: readonly string[]): { readonly command: Command; readonly rest: readonly string[] } | undefined {
    for (const command of this.commands) {
      const name = command.name.split(' ');
      if (name.every((word, index) => argv[index] === word))
        return { command, rest: argv.slice(name.length) };
    }
    return undefined;
  }

  /** What `--help` prints. */
  help(): string {
    const rows = this.commands.map(({ name, usage, summary }) => [`${name} ${usage}`, summary] as const);
    return this.format('COMMAND', [...(this.options.before ?? []), ...rows]);
  }

  /** For words that name no command: the help of a group such as `account`, or which command may be meant. */
  replyTo(argv: readonly string[], version: string): CommandReply {
    const [first = '', second] = argv;
    const help = this.groupHelp(first);
    if (help !== undefined && (second === undefined || second.startsWith('-'))) {
      const output = second === '--version' ? `${version}\n` : help;
      return { output, code: second === undefined ? COMMAND_EXIT.badOptions : COMMAND_EXIT.done };
    }
    const typed = help === undefined || second === undefined ? first : `${first} ${second}`;
    const names = [...(this.options.otherNames ?? []), ...this.commands.map(({ name }) => name)];
    const error = `unknown command ${typed}${nearest(typed, names)}; --help lists them`;
    return { error, code: COMMAND_EXIT.badOptions };
  }

  private groupHelp(group: string): string | undefined {
    const members = this.commands.filter(({ name }) => name.startsWith(`${group} `));
    if (members.length === 0) return undefined;
    const rows = members.map(({ name, usage, summary }) => [`${name} ${usage}`, summary] as const);
    return this.format(`${group} COMMAND`, rows);
  }

  private format(usage: string, rows: readonly (readonly [usage: string, summary: string])[]): string {
    const lines = rows.map(([row, summary]) => `  ${row}\n      ${summary}`);
    const { after = 'Each command has --help.' } = this.options;
    return `Usage: tetrad ${this.program} ${usage}\n\n${lines.join('\n')}\n\n${after}\n`;
  }
}
