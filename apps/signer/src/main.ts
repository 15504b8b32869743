import { packageVersion, runMain, variableOf } from '@tetrad/service';
import { signerProgram } from './signer-program.js';

const version = packageVersion(import.meta.url);

const AUDIT_COMMAND = ['audit', 'verify'];

if (AUDIT_COMMAND.every((word, index) => process.argv[index + 2] === word)) {
  const { auditOptions, verifyAudit } = await import('./audit-command.js');
  const known = new Set(Object.keys(auditOptions).map((key) => variableOf('signer', key)));
  await runMain({
    name: 'signer',
    version,
    description: 'signer audit verify: checks the chain of the audit log and names the first bad entry.',
    options: auditOptions,
    translateArguments: (argv) => argv.slice(AUDIT_COMMAND.length),
    // Those of the running signer may be set as well.
    translateEnvironment: (environment) =>
      Object.fromEntries(Object.entries(environment).filter(([name]) => known.has(name))),
    async start(config, environment) {
      process.stdout.write(`${await verifyAudit(config, environment)}\n`);
      process.exit(0);
    },
  });
} else {
  const program = await signerProgram(process.argv.slice(2));
  await runMain({
    ...program,
    name: 'signer',
    version,
    description:
      'A signing proxy: signs transactions with its keys and submits them to an Ethereum client. Command lines, variables and configuration files of EthSigner are understood, and, with the command eth1, those of web3signer. signer audit verify checks the audit log.',
    async start(config, environment) {
      // Loaded once the options are known to be good.
      const { composeSigner } = await import('./compose.js');
      if (program.withoutEffect.length > 0)
        environment.logger.warn('options without effect', { options: program.withoutEffect });
      return composeSigner(config, environment, program.dialect);
    },
  });
}
