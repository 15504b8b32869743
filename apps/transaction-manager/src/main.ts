import { packageVersion, printLine, runMain } from '@tetrad/service';
import { managerOptions } from './config.js';

const NAME = 'transaction-manager';
const version = packageVersion(import.meta.url);
const argv = process.argv.slice(2);
const [first, second] = argv;

const COMMANDS = `Usage: tetrad transaction-manager COMMAND [options]

  serve             serves nodes, applications and other managers (also without the word)
  recover           fetches the payloads that this manager lost from its peers, with the options of serve
  declare-complete  declares that no payload was lost, where peers cannot be asked
  import            stores what a Tessera stored: from a dump of its database, from the database, or from the running Tessera
  convert-config    writes our configuration for that of a Tessera, and says what became of each setting
  key new           makes key pairs
  backup            writes all payloads, encrypted as they are stored, into a new folder
  restore           puts such a backup into an empty database
  record-backup     records that a backup was made, or verified, for the metrics of the manager

Each command has --help.
`;

if (first === '--help' || first === '-h' || first === 'help') process.stdout.write(COMMANDS);
else if (first === undefined || first === 'serve' || first.startsWith('-')) await serve();
else if (first === 'recover') await recover();
else if (first === 'declare-complete') await declareComplete();
else if (first === 'import') await importPayloads();
else if (first === 'convert-config') await convertConfig();
else if (first === 'backup') await backup();
else if (first === 'restore') await restore();
else if (first === 'record-backup') await recordBackup();
else if (first === 'key' && second === 'new') await newKeys();
else {
  process.stderr.write(
    `tetrad transaction-manager: unknown command ${argv.slice(0, 2).join(' ')}\n\n${COMMANDS}`,
  );
  process.exitCode = 2;
}

async function serve(): Promise<void> {
  await runMain({
    name: NAME,
    version,
    options: managerOptions,
    usage: `${NAME} serve [options]`,
    description:
      'A private transaction manager: encrypts, distributes and keeps the payloads of private transactions.',
    argv: first === 'serve' ? argv.slice(1) : argv,
    async start(config, environment) {
      const { composeTransactionManager } = await import('./compose.js');
      return composeTransactionManager(config, environment);
    },
  });
}

async function recover(): Promise<void> {
  await runMain({
    name: NAME,
    version,
    options: managerOptions,
    usage: `${NAME} recover [options]`,
    description:
      'Fetches lost payloads of this manager from its peers. Exits with code 0 when all peers sent their payloads, 1 when some did, 2 when none did.',
    argv: argv.slice(1),
    async start(config, environment) {
      const command = await import('./recover.js');
      process.exit(await command.recover(config, environment));
    },
  });
}

async function declareComplete(): Promise<void> {
  const command = await import('./declare-complete-command.js');
  await runMain({
    name: NAME,
    version,
    options: command.declareOptions,
    usage: `${NAME} declare-complete [options]`,
    description:
      'Declares that no payload for the keys of this manager was lost: that it is new, or that no peer has more. The manager, which may be running, then answers that a payload which is not here concerns others. If that is wrong, private state of its node is wrong from the first such payload on.',
    otherOptions: managerOptions,
    argv: argv.slice(1),
    start: (config, environment) => printLine(command.declareComplete(config, environment)),
  });
}

async function importPayloads(): Promise<void> {
  const { importFromTessera, importOptions } = await import('./import-command.js');
  await runMain({
    name: NAME,
    version,
    options: importOptions,
    usage: `${NAME} import [options]`,
    description:
      'Stores the payloads, raw payloads and privacy groups of a Tessera. Each is checked: its hash is its name, and a key of --key-files reads it. Can be run again; what is stored already stays. The exit code is 1 when some were left out.',
    otherOptions: managerOptions,
    argv: argv.slice(1),
    async start(config, environment) {
      const { line, code } = await importFromTessera(config, environment);
      process.stdout.write(`${line}\n`);
      process.exit(code);
    },
  });
}

async function convertConfig(): Promise<void> {
  const command = await import('./convert-config-command.js');
  await runMain({
    name: NAME,
    version,
    options: command.convertConfigOptions,
    usage: `${NAME} convert-config [options]`,
    description:
      'Writes our configuration for that of a Tessera, and prints what became of each setting: taken, changed, or ignored. Opens every key with its password, which takes 20 s for each that a Tessera encrypted.',
    otherOptions: managerOptions,
    argv: argv.slice(1),
    start: (config) => printLine(command.convertConfigFile(config)),
  });
}

async function backup(): Promise<void> {
  const { backUpManager, backupOptions } = await import('./backup-command.js');
  await runMain({
    name: NAME,
    version,
    options: backupOptions,
    usage: `${NAME} backup --out DIR [options]`,
    description:
      'Writes all payloads, encrypted as they are stored, to a new folder; the manager may be running. Back up the key files separately: payloads cannot be read without them.',
    argv: argv.slice(1),
    start: (config, environment) => printLine(backUpManager(config, environment)),
  });
}

async function restore(): Promise<void> {
  const { restoreManager, restoreOptions } = await import('./backup-command.js');
  await runMain({
    name: NAME,
    version,
    options: restoreOptions,
    usage: `${NAME} restore --from DIR [options]`,
    description: 'Restores a backup of payloads to an empty database, completely or not at all.',
    argv: argv.slice(1),
    start: (config, environment) => printLine(restoreManager(config, environment)),
  });
}

async function recordBackup(): Promise<void> {
  const { recordManagerBackup, recordOptions } = await import('./backup-command.js');
  await runMain({
    name: NAME,
    version,
    options: recordOptions,
    usage: `${NAME} record-backup --from DIR [options]`,
    description:
      'Records in the database that a backup was made, or verified. The manager, which may be running, shows the age of both as metrics.',
    argv: argv.slice(1),
    start: (config, environment) => printLine(recordManagerBackup(config, environment)),
  });
}

async function newKeys(): Promise<void> {
  const command = await import('./key-command.js');
  await runMain({
    name: NAME,
    version,
    options: command.newKeyOptions,
    usage: `${NAME} key new [options]`,
    description:
      'Creates a key pair for each name, in the file format of existing managers, or one in a vault.',
    otherOptions: managerOptions,
    argv: argv.slice(2),
    start: (config) => printLine(command.newKeys(config)),
  });
}
