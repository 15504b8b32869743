import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { readEtcdEndpoints } from '@tetrad/devnet/network/option-values';
import { UsageError } from '@tetrad/devnet/usage-error';
import { parseCommandLine, parseServiceFile, type StartCommand } from './command-words.js';

/** The settings of `network adopt`. */
export interface AdoptOptions {
  /** Data folder of the GoQuorum node. */
  readonly from: string;
  /** New folder of the node; undefined with `--dry-run`. */
  readonly out: string | undefined;
  /** Genesis file; that of the data folder without it. */
  readonly genesis: string | undefined;
  /** How the node was started; undefined when that is not given. */
  readonly command: StartCommand | undefined;
  readonly etcdEndpoints: readonly string[];
  readonly dryRun: boolean;
}

/** The help of `network adopt`. */
export const ADOPT_HELP = `network adopt DIR: writes a node folder with the identity of a GoQuorum node, whose data folder is DIR, and prints
what became of each file and flag: taken, changed or ignored. DIR stays as it is. docs/moving-in has the whole way.

  --out DIR               the new folder
  --genesis FILE          the genesis file of the network (default: genesis.json in the data folder)
  --command TEXT          the command line that starts the GoQuorum node, with its environment variables before it
  --service-file FILE     the systemd service file that starts it, instead of --command
  --etcd-endpoints LIST   client URLs of the etcd cluster that orders blocks, for a network with raft
  --dry-run               prints the table and writes nothing`;

/**
 * Reads the command line after `network adopt`.
 * @throws UsageError naming the option
 */
export async function parseAdoptOptions(args: readonly string[]): Promise<AdoptOptions> {
  const { values, positionals } = parse(args);
  const [from, ...others] = positionals;
  if (from === undefined || others.length > 0) throw new UsageError('network adopt needs one data folder');
  const { out, genesis, command, 'service-file': serviceFile, 'etcd-endpoints': endpoints } = values;
  const dryRun = values['dry-run'] === true;
  if (out === undefined && !dryRun) throw new UsageError('--out is required: the folder to create');
  if (command !== undefined && serviceFile !== undefined)
    throw new UsageError('--service-file: cannot be used together with --command');
  return {
    from,
    out,
    genesis,
    dryRun,
    command: await readCommand(command, serviceFile),
    etcdEndpoints: readEtcdEndpoints(endpoints, endpoints !== undefined),
  };
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        out: text,
        genesis: text,
        command: text,
        'service-file': text,
        'etcd-endpoints': text,
        'dry-run': { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

async function readCommand(
  command: string | undefined,
  serviceFile: string | undefined,
): Promise<StartCommand | undefined> {
  if (command !== undefined) return parseCommandLine(command);
  if (serviceFile === undefined) return undefined;
  const text = await readFile(serviceFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`--service-file: cannot read ${serviceFile} (${error.code})`);
  });
  return parseServiceFile(text);
}
