import {
  packageVersion,
  printLine,
  runMain,
  variableOf,
  type MainDefinition,
  type OptionTable,
} from '@tetrad/service';
import { signerProgram } from './signer-program.js';

const version = packageVersion(import.meta.url);

/** A command that does one thing, says what came of it and ends. */
async function runCommand<const Table extends OptionTable>(
  words: readonly string[],
  command: Pick<MainDefinition<Table>, 'description' | 'options'> & {
    readonly run: (...given: Parameters<MainDefinition<Table>['start']>) => Promise<string>;
  },
): Promise<void> {
  const known = new Set(Object.keys(command.options).map((key) => variableOf('signer', key)));
  await runMain({
    ...command,
    name: 'signer',
    version,
    usage: `signer ${words.join(' ')} [options]`,
    translateArguments: (argv) => argv.slice(words.length),
    // Those of the running signer may be set as well.
    translateEnvironment: (environment) =>
      Object.fromEntries(Object.entries(environment).filter(([name]) => known.has(name))),
    start: (...given) => printLine(command.run(...given)),
  });
}

/** First words of commands → usage of all commands that begin with them, for incomplete command lines. */
const COMMANDS: Readonly<Record<string, string>> = {
  audit: 'tetrad signer audit verify [options]   checks the audit log; --help lists the options\n',
  key: 'tetrad signer key new [options]        makes a key; --help lists the options\n',
  keys: 'tetrad signer keys doctor [options]    tries all keys; --help lists the options\n',
};

const [first = '', second] = process.argv.slice(2);
if (first === 'audit' && second === 'verify') {
  const { auditOptions, verifyAudit } = await import('./audit-command.js');
  await runCommand([first, second], {
    description: 'Checks the chain of the audit log and names the first bad entry.',
    options: auditOptions,
    run: verifyAudit,
  });
} else if (first === 'key' && second === 'new') {
  const { keyOptions, newKey } = await import('./key-command.js');
  await runCommand([first, second], {
    description:
      'Creates a key and writes it as a V3 key file (Web3 Secret Storage), or in an HSM or AWS KMS.',
    options: keyOptions,
    run: newKey,
  });
} else if (first === 'keys' && second === 'doctor') {
  const [{ keyOptions }, { checkKeys }] = await Promise.all([
    import('./options/key-options.js'),
    import('./keys-doctor.js'),
  ]);
  await runCommand([first, second], {
    description: 'Loads the keys of all sources, lets each sign once, and says what is wrong.',
    options: keyOptions,
    async run(config) {
      const { text, isWell } = await checkKeys(config);
      if (!isWell) process.exitCode = 1;
      return text;
    },
  });
} else if (Object.hasOwn(COMMANDS, first)) {
  const isAsked = second === '--help' || second === '-h' || second === '--version';
  const text = second === '--version' ? `${version}\n` : COMMANDS[first];
  (isAsked ? process.stdout : process.stderr).write(text ?? '');
  process.exitCode = isAsked ? 0 : 2;
} else {
  const program = await signerProgram(process.argv.slice(2));
  await runMain({
    ...program,
    name: 'signer',
    version,
    description:
      'A signing proxy: signs transactions with its keys and submits them to an Ethereum client. Command lines, variables and configuration files of EthSigner are understood, and, with the command eth1, those of web3signer. signer audit verify checks the audit log, signer key new makes a key file.',
    async start(config, environment) {
      // Loaded once the options are known to be good.
      const { composeSigner } = await import('./compose.js');
      if (program.withoutEffect.length > 0)
        environment.logger.warn('options without effect', { options: program.withoutEffect });
      return composeSigner(config, environment, program.emulation);
    },
  });
}
