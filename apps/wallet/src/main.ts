import { packageVersion, runMain } from '@tetrad/service';
import { walletOptions } from './config.js';

const version = packageVersion(import.meta.url);

const argv = process.argv.slice(2);
const [first] = argv;

// The service and the commands are loaded on demand; neither needs the other.
if (first === '--help' || first === '-h' || first === 'help') {
  const { commands } = await import('./commands/commands.js');
  process.stdout.write(commands.help());
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
  const { commands } = await import('./commands/commands.js');
  const found = commands.find(argv);
  if (found !== undefined) {
    const { runCommand } = await import('./commands/run-command.js');
    return runCommand(found.command, found.rest, { version });
  }
  const { output, error, code } = commands.replyTo(argv, version);
  if (output !== undefined) process.stdout.write(output);
  if (error !== undefined) process.stderr.write(`tetrad wallet: ${error}\n`);
  return code;
}
