import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '@tetrad/files';
import type { Endpoints } from './endpoints.js';
import { wantedPorts, type NetworkBase, type NetworkService } from './network-service.js';
import { consolePorts } from './ports.js';
import { ServiceProcess } from './service-process.js';

/** The page that shows the network. It starts last: what it shows is in a file of its own, which is there before it. */
export const consoleService: NetworkService = {
  ports({ portBase }) {
    const { rpc, ops } = consolePorts(portBase);
    return wantedPorts('console', { page: rpc, operations: ops });
  },
  databases: () => [],
  async open(base, _start, describeStarted) {
    return [openConsole(base, await writeShown(base, await describeStarted()))];
  },
  async endpoints([console], { options }) {
    if (console === undefined) return {};
    return { console: { url: `http://127.0.0.1:${consolePorts(options.portBase).rpc}`, pid: console.pid } };
  },
  rows: ({ console }) => (console === undefined ? [] : [['console', console.url]]),
};

function openConsole({ options, onEnded }: NetworkBase, endpointsFile: string): ServiceProcess {
  const { rpc, ops } = consolePorts(options.portBase);
  return new ServiceProcess({
    name: 'console',
    program: 'console',
    opsPort: ops,
    environment: {},
    args: [
      '--endpoints-file',
      endpointsFile,
      '--http-listen-port',
      String(rpc),
      '--ops-listen-port',
      String(ops),
    ],
    logFile: join(options.dataDir, 'console.log'),
    onEnded: (how) => onEnded?.('console', how),
  });
}

/**
 * Writes the addresses of the services, without the keys and the database of the endpoints file.
 * @returns its path
 */
async function writeShown(
  { options, files }: NetworkBase,
  { nodes = [], signer = null, rollup = null, wallet = null }: Partial<Endpoints>,
): Promise<string> {
  const folder = join(options.dataDir, 'console');
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'endpoints.json');
  const shown = { chainId: files.chainId, nodes, signer, rollup, wallet };
  await writeWhole(path, `${JSON.stringify(shown, null, 2)}\n`, 0o600);
  return path;
}
