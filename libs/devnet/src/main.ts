import { UsageError } from './usage-error.js';

const USAGE = `Usage: ./tetrad COMMAND [OPTIONS]

  demo             starts a network and walks through what it does, proving each step
  up               starts a network and leaves it running; Ctrl-C stops it
  test [PATHS…]    the whole test suite, or the files that match
  bench [NAMES…]   the benchmarks: rpc, ledger, signer, keystores, wallet, soak, start, network, chaos,
                   consensus-simulator
  node …           a ledger node in the foreground; --help lists its options
  signer …         a signing proxy in the foreground; --help lists its options
  wallet …         a wallet in the foreground, or a command on its keys; --help lists them

Options of demo and up:
`;

/** Commands of design.md, section 3, that belong to later parts. */
const LATER = ['rollup-operator', 'rollup', 'backup', 'restore', 'verify'];

async function run(command: string | undefined, args: readonly string[]): Promise<number> {
  if (command === undefined || command === '--help' || command === 'help') {
    const { NETWORK_USAGE } = await import('./network/network-options.js');
    process.stdout.write(`${USAGE}${NETWORK_USAGE}\n`);
    return command === undefined ? 2 : 0;
  }
  switch (command) {
    case 'demo':
      return (await import('./commands/demo.js')).demo(args);
    case 'up':
      return (await import('./commands/up.js')).up(args);
    case 'test':
      return (await import('./commands/test.js')).test(args);
    case 'bench':
      return (await import('./commands/bench.js')).bench(args);
    case 'node':
    case 'signer':
    case 'wallet':
      return (await import('./commands/service.js')).service(command, args);
    default:
      if (LATER.includes(command)) throw new UsageError(`${command} is not served yet: it is a later part`);
      throw new UsageError(`there is no command ${command}; --help lists them`);
  }
}

try {
  process.exitCode = await run(process.argv[2], process.argv.slice(3));
} catch (error) {
  if (error instanceof UsageError) {
    process.stderr.write(`tetrad: ${error.message}\n`);
    process.exitCode = 2;
  } else {
    process.stderr.write(`tetrad: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
