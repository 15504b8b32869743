import type { ServiceName } from '@tetrad/devnet/paths';

/** A command of `./tetrad`, as its help shows it. */
export interface CommandEntry {
  /** The synopsis after `./tetrad`. */
  readonly usage: string;
  readonly summary: string;
  /** Further lines of its own help. */
  details?(): Promise<string>;
  /**
   * Runs it with the arguments after its name.
   * @returns the exit code
   */
  run(args: readonly string[]): Promise<number>;
  /** Set for programs that have their own `--help` and `--version`. */
  readonly ownHelp?: true;
}

const networkOptions = async () => (await import('@tetrad/devnet/network/network-options')).NETWORK_USAGE;

function service(name: ServiceName, summary: string): CommandEntry {
  return {
    usage: `${name} …`,
    summary,
    run: async (args) => (await import('./service.js')).service(name, args),
    ownHelp: true,
  };
}

/** Every command, in the order of the help. A module is loaded when its command runs. */
export const commands: Readonly<Record<string, CommandEntry>> = {
  demo: {
    usage: 'demo [OPTIONS]',
    summary: 'starts a network and demonstrates it, checking each step',
    details: async () =>
      `It runs on free ports and in a folder of its own, which goes when all steps held.\n\n${await networkOptions()}
  --keep                  leaves the network up afterwards, on the usual ports`,
    run: async (args) => (await import('@tetrad/devnet/commands/demo')).demo(args),
  },
  up: {
    usage: 'up [OPTIONS]',
    summary: 'starts a network and leaves it running; Ctrl-C stops it',
    details: async () =>
      `Started again on the same data folder it goes on where it stopped.\n\n${await networkOptions()}`,
    run: async (args) => (await import('@tetrad/devnet/commands/up')).up(args),
  },
  network: {
    usage: 'network …',
    summary: 'new, adopt, handover: files of a new network, or of one that moves in; --help lists options',
    details: async () => {
      const { NEW_NETWORK_HELP } = await import('../new-network/new-network-options.js');
      const { ADOPT_HELP } = await import('../adopt/adopt-options.js');
      const { HANDOVER_HELP } = await import('../handover/handover-options.js');
      return `network new: ${NEW_NETWORK_HELP}\n\n${ADOPT_HELP}\n\n${HANDOVER_HELP}`;
    },
    run: async (args) => (await import('./network.js')).network(args),
  },
  token: {
    usage: 'token new …',
    summary: 'prints a token for a caller of the services; --help lists its options',
    details: async () => (await import('./token-options.js')).TOKEN_USAGE,
    run: async (args) => (await import('./token.js')).token(args),
  },
  'new-app': {
    usage: 'new-app FOLDER',
    summary: 'writes an application of the TypeScript client: a private token with its test',
    details: async () => (await import('@tetrad/devnet/commands/new-app')).NEW_APP_USAGE,
    run: async (args) => (await import('@tetrad/devnet/commands/new-app')).newApp(args),
  },
  build: {
    usage: 'build [test]',
    summary: 'installs and builds what is missing or stale, and ends; test: with the packages of the tests',
    // The launcher has done it.
    run: () => Promise.resolve(0),
  },
  test: {
    usage: 'test [PATHS…]',
    summary: 'runs the test suite, or the files that match',
    details:
      async () => `  --changed[=REVISION]    packages that the uncommitted changes affect, or all changes since REVISION
  --shard=I/N             one of N parts that take about the same time
  --within=MINUTES        starts no file after these minutes, and lists what it left out
  --record-durations      writes how long each file took, by which the next runs order them
  --second-run            runs one or two files that failed again by themselves, reports and counts the flaky ones

Further options are those of jest, such as -t PATTERN for titles.`,
    run: async (args) => (await import('@tetrad/devnet/commands/test')).test(args),
  },
  bench: {
    usage: 'bench [NAMES…|all]',
    summary: 'lists the benchmarks, or runs those named, each against its peer or limit',
    run: async (args) => (await import('@tetrad/devnet/commands/bench')).bench(args),
    ownHelp: true,
  },
  backup: {
    usage: 'backup --out DIR',
    summary: 'writes chain, private state and payloads of a node at one height to a new folder',
    details: async () => (await import('./backup-options.js')).BACKUP_USAGE,
    run: async (args) => (await import('./backup.js')).backup(args),
  },
  restore: {
    usage: 'restore --from DIR',
    summary: 'restores a backup to empty databases',
    details: async () => (await import('./backup-options.js')).RESTORE_USAGE,
    run: async (args) => (await import('./backup.js')).restore(args),
  },
  verify: {
    usage: 'verify --from DIR …',
    summary: 're-executes the chain and the private transactions of a backup, and compares',
    details: async () => (await import('./backup-options.js')).VERIFY_USAGE,
    run: async (args) => (await import('./verify.js')).verify(args),
  },
  db: {
    usage: 'db …',
    summary: 'migrations of any service; backups of signer, wallet and rollup operator; --help lists them',
    details: async () => (await import('./db.js')).DB_USAGE,
    run: async (args) => (await import('./db.js')).db(args),
  },
  node: {
    usage: 'node …',
    summary:
      'runs a node in the foreground; recover-payloads fetches lost payloads from managers of peers, deploy-permissions and permission explain are for permissioned networks',
    run: async (args) => (await import('./service.js')).node(args),
    ownHelp: true,
  },
  rollup: {
    usage: 'rollup …',
    summary: 'commands for account holders of the rollup: account, deposit, send, …; --help lists them',
    run: async (args) => (await import('./rollup.js')).rollup(args),
    ownHelp: true,
  },
  'rollup-operator': {
    usage: 'rollup-operator …',
    summary: 'runs a rollup operator in the foreground; --help lists its options',
    run: async (args) => (await import('./rollup.js')).rollupOperator(args),
    ownHelp: true,
  },
  signer: service('signer', 'a signing proxy in the foreground; --help lists its options'),
  'transaction-manager': service(
    'transaction-manager',
    'a private transaction manager in the foreground, or its keys and recovery',
  ),
  console: service(
    'console',
    'a web page that shows a network: nodes, blocks, transactions, accounts; --help lists its options',
  ),
  wallet: service('wallet', 'a wallet in the foreground, or a command on its keys; --help lists them'),
  completion: {
    usage: 'completion bash|zsh|fish',
    summary: 'prints what a shell completes commands and options from',
    details: async () => (await import('./completion.js')).COMPLETION_USAGE,
    run: async (args) => (await import('./completion.js')).completion(args, Object.keys(commands)),
  },
};

/** What `./tetrad --help` prints. */
export async function launcherHelp(): Promise<string> {
  const rows = Object.values(commands).map(({ usage, summary }) => `  ${usage.padEnd(21)} ${summary}`);
  return [
    'Usage: ./tetrad COMMAND [OPTIONS]',
    rows.join('\n'),
    'Each command has --help and --version.',
    `Options of demo and up:\n${await networkOptions()}`,
    '',
  ].join('\n\n');
}

/** What `./tetrad COMMAND --help` prints. */
export async function commandHelp({ usage, summary, details }: CommandEntry): Promise<string> {
  const sentence = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
  const parts = [`Usage: ./tetrad ${usage}`, sentence, ...(details === undefined ? [] : [await details()])];
  return `${parts.join('\n\n')}\n`;
}
