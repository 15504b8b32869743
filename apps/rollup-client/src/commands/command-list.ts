import { nearest } from '@tetrad/service';
import {
  newAccountCommand,
  recoverAccountCommand,
  registerAccountCommand,
  showAccountCommand,
} from './account.js';
import type { Command } from './define-command.js';
import { depositCommand } from './deposit.js';
import { exitCommand } from './exit.js';
import { listCommand } from './list.js';
import { rebuildCommand } from './rebuild.js';
import { redeemCommand } from './redeem.js';
import { sendCommand } from './send.js';
import { watchCommand } from './watch.js';
import { withdrawCommand } from './withdraw.js';

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  newAccountCommand,
  registerAccountCommand,
  showAccountCommand,
  recoverAccountCommand,
  depositCommand,
  sendCommand,
  redeemCommand,
  withdrawCommand,
  exitCommand,
  listCommand,
  watchCommand,
  rebuildCommand,
];

const EXIT_CODES = `Exit codes: 0 done, 1 refused or failed, 2 bad options, 3 not known whether the operator has it, or an
operation of before was settled first: run it again.`;

/** What `tetrad rollup --help` prints, or of a group such as `account` only its commands. */
export function commandsHelp(group?: string): string | undefined {
  const shown = group === undefined ? commands : commands.filter(({ name }) => name.startsWith(`${group} `));
  if (shown.length === 0) return undefined;
  const lines = shown.map(({ name, usage, summary }) => `  ${name} ${usage}\n      ${summary}`);
  const usage = group === undefined ? 'COMMAND' : `${group} COMMAND`;
  return `Usage: tetrad rollup ${usage}\n\n${lines.join('\n')}\n\nEach command has --help. ${EXIT_CODES}\n`;
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

/** For words that name no command. */
export function unknownCommand([first = '', second]: readonly string[]): string {
  const typed = commandsHelp(first) === undefined || second === undefined ? first : `${first} ${second}`;
  const near = nearest(
    typed,
    commands.map(({ name }) => name),
  );
  return `unknown command ${typed}${near}; --help lists them`;
}
