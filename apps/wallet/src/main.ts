import { packageVersion, runMain } from '@tetrad/service';
import { commandsHelp, findCommand } from './commands/commands.js';
import { runCommand } from './commands/run-command.js';
import { composeWallet } from './compose.js';
import { walletOptions } from './config.js';

const version = packageVersion(import.meta.url);

const argv = process.argv.slice(2);
const [first] = argv;
const found = findCommand(argv);

if (found !== undefined) {
  process.exitCode = await runCommand(found.command, found.rest);
} else if (first === '--help' || first === '-h' || first === 'help') {
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
    start: composeWallet,
  });
} else {
  process.stderr.write(`tetrad wallet: there is no command ${first}; --help lists them\n`);
  process.exitCode = 2;
}
