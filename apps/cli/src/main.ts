import { describeFileError } from '@tetrad/files';
import { commandHelp, commands, launcherHelp } from './commands/command-list.js';
import { UsageError } from '@tetrad/devnet/usage-error';

const HELP = ['--help', '-h', 'help'];
const VERSION = ['--version', 'version'];

async function run(name: string | undefined, args: readonly string[]): Promise<number> {
  if (name === undefined || HELP.includes(name)) {
    process.stdout.write(await launcherHelp());
    return name === undefined ? 2 : 0;
  }
  if (VERSION.includes(name)) return sayVersion();
  const command = commands[name];
  if (command === undefined || !Object.hasOwn(commands, name)) throw await unknown(name);
  if (command.ownHelp === true) return command.run(args);
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(await commandHelp(command));
    return 0;
  }
  return args.includes('--version') ? sayVersion() : command.run(args);
}

async function sayVersion(): Promise<number> {
  const { launcherVersion } = await import('./commands/launcher-words.js');
  process.stdout.write(`${launcherVersion()}\n`);
  return 0;
}

async function unknown(name: string): Promise<UsageError> {
  return (await import('./commands/launcher-words.js')).unknownCommand(name);
}

try {
  process.exitCode = await run(process.argv[2], process.argv.slice(3));
} catch (error) {
  const problem = describeFileError(error) ?? (error instanceof Error ? error.message : String(error));
  process.stderr.write(`tetrad: ${problem}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
