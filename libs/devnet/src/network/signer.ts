import { join } from 'node:path';
import { wantedPorts, type NetworkService } from './network-service.js';
import { nodePorts, signerPorts } from './ports.js';
import { ServiceProcess } from './service-process.js';
import type { NetworkFiles } from './network-files.js';
import { environmentOf, tokenFlags } from './signer-token.js';

const DATABASE = 'tetrad_signer';

export interface SignerLaunch {
  readonly dataDir: string;
  readonly chainId: number;
  /** The options that say where its key is. */
  readonly keyFlags: readonly string[];
  /** Further variables. */
  readonly environment?: Readonly<Record<string, string>>;
  /** URL of its database. */
  readonly databaseUrl: string;
  /** Port of the Ethereum client that it submits to. */
  readonly downstreamPort: number;
  readonly port: number;
  readonly opsPort: number;
  /** Called when it ends unexpectedly. */
  readonly onEnded?: ((how: string) => void) | undefined;
}

/** A signer on its database; signers of one network share it. Further options follow its own. */
export async function openSigner(
  launch: SignerLaunch,
  further: readonly string[] = [],
): Promise<ServiceProcess> {
  return new ServiceProcess({
    name: 'signer',
    program: 'signer',
    args: [
      '--chain-id',
      String(launch.chainId),
      '--migrate',
      ...launch.keyFlags,
      '--downstream-http-port',
      String(launch.downstreamPort),
      '--http-listen-port',
      String(launch.port),
      '--ops-listen-port',
      String(launch.opsPort),
      ...further,
    ],
    environment: { ...launch.environment, TETRAD_SIGNER_DATABASE_URL: launch.databaseUrl },
    opsPort: launch.opsPort,
    logFile: join(launch.dataDir, 'signer.log'),
    onEnded: launch.onEnded,
  });
}

/** The signer of the network, in front of its first node. */
export const signerService: NetworkService = {
  ports({ portBase }) {
    const { rpc, ops } = signerPorts(portBase);
    return wantedPorts('signer', { 'JSON-RPC': rpc, operations: ops });
  },
  databases: () => [DATABASE],
  async open({ options, files, databases, onEnded }) {
    const { rpc, ops } = signerPorts(options.portBase);
    const signer = await openSigner({
      dataDir: options.dataDir,
      chainId: files.chainId,
      ...keyOf(files),
      databaseUrl: await databases.open(DATABASE),
      downstreamPort: nodePorts(options.portBase, 0).rpc,
      port: rpc,
      opsPort: ops,
      onEnded: (how) => onEnded?.('signer', how),
    });
    return [signer];
  },
  async endpoints([signer], { options, files }) {
    if (signer === undefined) return {};
    const rpc = `http://127.0.0.1:${signerPorts(options.portBase).rpc}`;
    return { signer: { rpc, address: files.signerAddress, pid: signer.pid } };
  },
  rows: ({ signer }) => (signer === null ? [] : [['signer', `${signer.rpc}  account ${signer.address}`]]),
};

function keyOf({
  signerKeyFile,
  signerToken,
  passwordFile,
}: NetworkFiles): Pick<SignerLaunch, 'keyFlags' | 'environment'> {
  if (signerToken !== undefined)
    return { keyFlags: tokenFlags(signerToken), environment: environmentOf(signerToken) };
  return { keyFlags: ['--key-file', signerKeyFile ?? '', '--password-file', passwordFile] };
}
