import { packageVersion, runMain } from '@tetrad/service';
import { walletOptions } from './config.js';

const version = packageVersion(import.meta.url);

const argv = process.argv.slice(2);
const [first] = argv;

// The service and the commands are loaded on demand; neither needs the other.
if (first === '--help' || first === '-h' || first === 'help') {
  const { commandsHelp } = await import('./commands/commands.js');
  process.stdout.write(commandsHelp());
} else if (first === 'serve' || first === undefined || first.startsWith('-')) {
  await runMain({
    name: 'wallet',
    version,
    description:
      'A wallet signer of a coin network: holds keys, signs data and messages, verifies signatures.',
    options: walletOptions,
    usage: 'wallet serve [options]',
    argv: first === 'serve' ? argv.slice(1) : argv,
    async start(config, environment) {
      const { composeWallet } = await import('./compose.js');
      return composeWallet(config, environment);
    },
  });
} else {
  process.exitCode = await runNamed();
}

async function runNamed(): Promise<number> {
  const { findCommand, groupHelp, nearestCommand } = await import('./commands/commands.js');
  const found = findCommand(argv);
  if (found === undefined) {
    const [group = '', second = '--help'] = argv;
    const help = groupHelp(group);
    if (help !== undefined && second.startsWith('-')) {
      process.stdout.write(second === '--version' ? `${version}\n` : help);
      return argv.length === 1 ? 2 : 0;
    }
    const words = help === undefined ? group : `${group} ${second}`;
    process.stderr.write(
      `tetrad wallet: unknown command ${words}${nearestCommand(argv)}; --help lists them\n`,
    );
    return 2;
  }
  const { runCommand } = await import('./commands/run-command.js');
  return runCommand(found.command, found.rest, { version });
}
