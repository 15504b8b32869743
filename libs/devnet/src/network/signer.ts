import { join } from 'node:path';
import { createDatabase } from '@tetrad/db';
import { isServiceReady, startChildService, type ChildService } from '@tetrad/testkit';
import { serviceMain } from '../paths.js';

export interface SignerLaunch {
  readonly dataDir: string;
  readonly chainId: number;
  readonly keyFile: string;
  readonly passwordFile: string;
  /** URL of the server on which the signer gets a database of its own. */
  readonly serverUrl: string;
  /** Port of the Ethereum client that it submits to. */
  readonly downstreamPort: number;
  readonly port: number;
  readonly opsPort: number;
}

/** Starts a signer on its database; signers of one network share it. Further options stand behind its own. */
export async function launchSigner(
  launch: SignerLaunch,
  further: readonly string[] = [],
): Promise<ChildService> {
  return startChildService({
    name: 'signer',
    command: process.execPath,
    args: [
      ...[serviceMain('signer'), '--chain-id', String(launch.chainId), '--migrate'],
      ...['--key-file', launch.keyFile, '--password-file', launch.passwordFile],
      ...['--downstream-http-port', String(launch.downstreamPort)],
      ...['--http-listen-port', String(launch.port), '--ops-listen-port', String(launch.opsPort)],
      ...further,
    ],
    environment: { TETRAD_SIGNER_DATABASE_URL: await createDatabase(launch.serverUrl, 'tetrad_signer') },
    logFile: join(launch.dataDir, 'signer.log'),
    isReady: () => isServiceReady(`http://127.0.0.1:${launch.opsPort}`),
  });
}
