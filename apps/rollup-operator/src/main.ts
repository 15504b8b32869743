import { packageVersion, runMain } from '@tetrad/service';

const version = packageVersion(import.meta.url);
const [first, ...rest] = process.argv.slice(2);

const COMMANDS = [
  'accept-operator',
  'announce-key',
  'build-sizes',
  'deploy',
  'fetch-points',
  'new-key',
  'propose-operator',
  'rebuild',
  'sign-successor',
] as const;
type Command = (typeof COMMANDS)[number];
const isCommand = (word: string | undefined): word is Command => COMMANDS.some((name) => name === word);

// The service and the commands are loaded on demand.
if (isCommand(first)) {
  const { runCommand } = await import('./commands/run-command.js');
  process.exitCode = await runCommand(first, rest, version);
} else {
  const { operatorOptions } = await import('./config.js');
  await runMain({
    name: 'rollup-operator',
    version,
    description:
      'The operator of a zero-knowledge payment rollup: accepts operations of account holders, executes them in batches and proves the batches on a chain. The command deploy deploys the contract of a new rollup, new-key creates the key of its operator, announce-key announces another one on the contract, propose-operator and accept-operator hand it over to another account, sign-successor says which contract follows it, rebuild fills a lost database from the chain, build-sizes builds circuits and verifiers of larger batches, fetch-points takes and checks the proving points that they need.',
    options: operatorOptions,
    async start(config, environment) {
      // Loaded once the options are known to be good.
      const { composeRollupOperator } = await import('./compose.js');
      return composeRollupOperator(config, environment);
    },
  });
}
