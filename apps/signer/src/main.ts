import { packageVersion, runMain, variableOf } from '@tetrad/service';
import { auditOptions, verifyAudit } from './audit-command.js';
import { composeSigner } from './compose.js';
import { signerProgram } from './signer-program.js';

const version = packageVersion(import.meta.url);

const AUDIT_COMMAND = ['audit', 'verify'];

if (AUDIT_COMMAND.every((word, index) => process.argv[index + 2] === word)) {
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
  const program = signerProgram(process.argv.slice(2));
  await runMain({
    ...program,
    name: 'signer',
    version,
    description:
      'A signing proxy: signs transactions with its keys and submits them to an Ethereum client. Command lines, variables and configuration files of EthSigner are understood, and, with the command eth1, those of web3signer. signer audit verify checks the audit log.',
    start(config, environment) {
      if (program.withoutEffect.length > 0)
        environment.logger.warn('options without effect', { options: program.withoutEffect });
      return composeSigner(config, environment, program.dialect);
    },
  });
}
