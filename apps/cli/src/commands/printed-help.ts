import { commandHelp, commands, launcherHelp } from './command-list.js';

/** Where the options of programs with a help of their own are listed, until they are built. */
const REFERENCE = 'docs/reference/options';

/**
 * The help of all commands, for a clone in which nothing is built: of each command a line with its name behind `=== `, then
 * its text. The launcher's own is the first, without a name.
 */
export async function printedHelp(): Promise<string> {
  const parts = [`=== \n${await launcherHelp()}`];
  for (const [name, command] of Object.entries(commands)) {
    const text = await commandHelp(command);
    const further =
      command.ownHelp === true
        ? `\nNothing is built yet. Its options are in ${REFERENCE}; ./tetrad ${name} --help prints them once another command has built.\n`
        : '';
    parts.push(`=== ${name}\n${text}${further}`);
  }
  return parts.join('');
}
