import { nearest } from '@tetrad/service';
import { auditCommand } from './audit.js';
import { createSecretCommand, createTokenCommand } from './auth.js';
import { changePassphraseCommand } from './change-passphrase.js';
import type { Command } from './define-command.js';
import { deleteCommand } from './delete.js';
import { exportCommand } from './export.js';
import { importCommand } from './import.js';
import { listCommand } from './list.js';
import { newCommand } from './new.js';
import { signCommand } from './sign.js';
import { verifyCommand } from './verify.js';

/** Every command beside `serve`, in the order of the help. */
export const commands: readonly Command[] = [
  newCommand,
  listCommand,
  importCommand,
  exportCommand,
  deleteCommand,
  signCommand,
  verifyCommand,
  changePassphraseCommand,
  auditCommand,
  createSecretCommand,
  createTokenCommand,
];

/** What `tetrad wallet --help` prints. */
export function commandsHelp(): string {
  const rows: (readonly [string, string])[] = [
    ['serve [options]', 'Serves the wallet methods; the same without the word.'],
    ...commands.map(({ name, usage, summary }) => [`${name} ${usage}`, summary] as const),
  ];
  const lines = rows.map(([usage, summary]) => `  ${usage}\n      ${summary}`);
  return `Usage: tetrad wallet COMMAND\n\n${lines.join('\n')}\n\nEach command has --help.\n`;
}

/** What `tetrad wallet auth` and its `--help` print; undefined when no command is in such a group. */
export function groupHelp(group: string): string | undefined {
  const members = commands.filter(({ name }) => name.startsWith(`${group} `));
  if (members.length === 0) return undefined;
  const lines = members.map(({ name, usage, summary }) => `  ${name} ${usage}\n      ${summary}`);
  return `Usage: tetrad wallet ${group} COMMAND\n\n${lines.join('\n')}\n\nEach command has --help.\n`;
}

/** The names that a person may have meant, by words of the command line. */
export function nearestCommand(argv: readonly string[]): string {
  const [first = '', second] = argv;
  const asTyped = groupHelp(first) === undefined || second === undefined ? first : `${first} ${second}`;
  return nearest(asTyped, ['serve', ...commands.map(({ name }) => name)]);
}

/** The command that the first words name, and what follows them. */
export function findCommand(
  argv: readonly string[],
): { readonly command: Command; readonly rest: readonly string[] } | undefined {
  for (const command of commands) {
    const name = command.name.split(' ');
    if (name.every((word, index) => argv[index] === word)) return { command, rest: argv.slice(name.length) };
  }
  return undefined;
}
