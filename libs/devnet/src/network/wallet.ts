import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDatabase } from '@tetrad/db';
import { isServiceReady, startChildService, type ChildService } from '@tetrad/testkit';
import { serviceMain } from '../paths.js';

/** Path of the methods; fixed by the interface document. */
export const WALLET_PATH = '/rpc/v1/coin';

/** The passphrase stands beside the keys on a development network. */
const PASSPHRASE = 'development';

export interface WalletLaunch {
  readonly dataDir: string;
  /** URL of the server on which the wallet gets a database of its own. */
  readonly serverUrl: string;
  readonly port: number;
  readonly opsPort: number;
}

/** A wallet service, and what its commands need to work on the same keys. */
export interface LaunchedWallet {
  readonly child: ChildService;
  readonly command: {
    readonly main: string;
    readonly environment: Readonly<Record<string, string>>;
  };
}

/** Starts the wallet service on its database; what is there already is resumed. */
export async function launchWallet(launch: WalletLaunch): Promise<LaunchedWallet> {
  const folder = join(launch.dataDir, 'wallet');
  await mkdir(folder, { recursive: true });
  const passphraseFile = join(folder, 'passphrase');
  if (!existsSync(passphraseFile)) await writeFile(passphraseFile, `${PASSPHRASE}\n`, { mode: 0o600 });
  const environment = {
    TETRAD_WALLET_DATABASE_URL: await createDatabase(launch.serverUrl, 'tetrad_wallet'),
    TETRAD_WALLET_PASSPHRASE_FILE: passphraseFile,
  };
  const child = await startChildService({
    name: 'wallet',
    command: process.execPath,
    args: [
      ...[serviceMain('wallet'), 'serve', '--migrate', '--http-listen-port', String(launch.port)],
      ...['--ops-listen-port', String(launch.opsPort)],
    ],
    environment,
    logFile: join(launch.dataDir, 'wallet.log'),
    isReady: () => isServiceReady(`http://127.0.0.1:${launch.opsPort}`),
  });
  return { child, command: { main: serviceMain('wallet'), environment } };
}
