import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMetrics, loadConfig, parseCommandLine } from '@tetrad/service';
import { silentLogger, type Logger } from '@tetrad/types';
import { composeConsole } from '../src/compose.js';
import { consoleOptions } from '../src/config.js';

/** What an endpoints file holds that the page must not learn. */
export const SECRETS = ['0xf00dprivate', 'postgresql://tetrad:hunter2@127.0.0.1/ledger', '0x0feraterkey'];

export interface RunningConsole {
  readonly url: string;
  /** Writes the endpoints file anew. */
  describe(nodes: readonly DescribedNode[] | string): Promise<void>;
  stop(): Promise<void>;
}

export interface DescribedNode {
  readonly name: string;
  readonly rpc: string;
  readonly address?: string;
}

/** Services of the network besides its nodes, and names of addresses, as the endpoints file has them. */
export interface DescribedServices {
  readonly rollup?: { readonly rpc: string; readonly contract?: string };
  readonly signer?: { readonly rpc: string };
  readonly wallet?: { readonly rpc: string; readonly path: string };
  readonly labels?: Readonly<Record<string, string>>;
}

/** A console in this process, on a free port, in front of those nodes, or with a file of that text. */
export async function startConsole(
  nodes: readonly DescribedNode[] | string,
  flags: readonly string[] = [],
  services: DescribedServices = {},
  logger: Logger = silentLogger,
): Promise<RunningConsole> {
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-console-'));
  const file = join(folder, 'endpoints.json');
  const describe = (all: readonly DescribedNode[] | string) =>
    writeFile(file, typeof all === 'string' ? all : endpointsText(all, services));
  await describe(nodes);
  const words = ['--endpoints-file', file, '--http-listen-port', '0', '--ops-listen-port', '0', ...flags];
  const commandLine = parseCommandLine(words, consoleOptions);
  const config = loadConfig({ service: 'console', options: consoleOptions, commandLine, environment: {} });
  const metrics = createMetrics({ service: 'console', version: '0.0.0' });
  const service = await composeConsole(config, {
    name: 'console',
    version: '0.0.0',
    logger,
    metrics,
    tracing: undefined,
  }).catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  return {
    url: service.url,
    describe,
    async stop() {
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function endpointsText(
  nodes: readonly DescribedNode[],
  { rollup, signer, wallet, labels }: DescribedServices,
): string {
  return JSON.stringify({
    chainId: 1337,
    labels,
    nodes: nodes.map((node) => ({
      ws: 'ws://127.0.0.1',
      p2p: null,
      ptm: null,
      ptmKey: null,
      enode: 'enode://',
      accounts: [],
      pid: 1,
      address: `0x${'0'.repeat(40)}`,
      ...node,
    })),
    rollup: rollup ? { contract: null, operatorKey: SECRETS[2], pid: 1, ...rollup } : null,
    signer: signer ? { address: `0x${'0'.repeat(40)}`, pid: 1, ...signer } : null,
    wallet: wallet ? { pid: 1, ...wallet } : null,
    funded: [{ address: `0x${'1'.repeat(40)}`, privateKey: SECRETS[0] }],
    database: { url: SECRETS[1] },
  });
}
