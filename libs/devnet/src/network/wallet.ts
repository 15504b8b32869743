import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '@tetrad/files';
import { wantedPorts, type NetworkService } from './network-service.js';
import { walletPorts } from './ports.js';
import { ServiceProcess } from './service-process.js';

const DATABASE = 'tetrad_wallet';

/** Path of the methods; fixed by the interface document. */
export const WALLET_PATH = '/rpc/v1/coin';

export interface WalletLaunch {
  readonly dataDir: string;
  /** URL of its database. */
  readonly databaseUrl: string;
  readonly port: number;
  readonly opsPort: number;
  /** Called when it ends unexpectedly. */
  readonly onEnded?: ((how: string) => void) | undefined;
}

/** The wallet service on its database; an existing database is resumed. */
export async function openWallet(launch: WalletLaunch): Promise<ServiceProcess> {
  const folder = join(launch.dataDir, 'wallet');
  await mkdir(folder, { recursive: true });
  const passphraseFile = join(folder, 'passphrase');
  // On a development network it is stored next to the keys.
  const passphrase = `${randomBytes(16).toString('hex')}\n`;
  if (!existsSync(passphraseFile)) await writeWhole(passphraseFile, passphrase, 0o600);
  return new ServiceProcess({
    name: 'wallet',
    program: 'wallet',
    args: [
      'serve',
      '--migrate',
      '--http-listen-port',
      String(launch.port),
      // The folder only identifies the process: its keys are in the database.
      '--ops-listen-port',
      String(launch.opsPort),
      '--data-dir',
      `${folder}/`,
    ],
    environment: {
      TETRAD_WALLET_DATABASE_URL: launch.databaseUrl,
      TETRAD_WALLET_PASSPHRASE_FILE: passphraseFile,
    },
    opsPort: launch.opsPort,
    logFile: join(launch.dataDir, 'wallet.log'),
    onEnded: launch.onEnded,
  });
}

export const walletService: NetworkService = {
  ports({ portBase }) {
    const { rpc, ops } = walletPorts(portBase);
    return wantedPorts('wallet', { 'JSON-RPC': rpc, operations: ops });
  },
  databases: () => [DATABASE],
  async open({ options, databases, onEnded }) {
    const { rpc, ops } = walletPorts(options.portBase);
    const databaseUrl = await databases.open(DATABASE);
    const launch = { dataDir: options.dataDir, databaseUrl, port: rpc, opsPort: ops };
    return [await openWallet({ ...launch, onEnded: (how) => onEnded?.('wallet', how) })];
  },
  async endpoints([wallet], { options }) {
    if (wallet === undefined) return {};
    const rpc = `http://127.0.0.1:${walletPorts(options.portBase).rpc}`;
    return { wallet: { rpc, path: WALLET_PATH, pid: wallet.pid } };
  },
  rows: ({ wallet }) => (wallet === null ? [] : [['wallet', `${wallet.rpc}${wallet.path}`]]),
};
