import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addressFromPrivateKey, generatePrivateKey } from '@tetrad/crypto';
import { writeKeyFile } from '@tetrad/keystore';
import { developmentAccounts } from '@tetrad/testkit';
import { hexFromBytes, type Address } from '@tetrad/types';
import { ROOT } from '../paths.js';
import type { NetworkOptions } from './network-options.js';

/** What a network is made of on the disk; made once, read when it resumes. */
export interface NetworkFiles {
  readonly chainId: number;
  readonly nodeFolder: string;
  readonly genesisFile: string;
  readonly nodeKeyFile: string;
  readonly validator: Address;
  readonly keystoreDir: string;
  readonly passwordFile: string;
  readonly signerKeyFile: string;
  readonly signerAddress: Address;
  readonly nodeAccount: Address;
}

const CHAIN_ID = 1337;
const FUNDED = 10n ** 27n;
/** The password stands beside the keys on a development network; less scrypt only saves time. */
const PASSWORD = 'development';
const SCRYPT_N = 4_096;

/** Accounts that own everything at block 0. */
export const FUNDED_ACCOUNTS = developmentAccounts(4);

/** Makes the files of a new network, or reads those of an existing one. */
export async function prepareNetworkFiles(options: NetworkOptions): Promise<NetworkFiles> {
  const marker = join(options.dataDir, 'network.json');
  if (existsSync(marker)) return JSON.parse(await readFile(marker, 'utf8')) as NetworkFiles;
  const files = await makeFiles(options);
  await writeFile(marker, `${JSON.stringify(files, null, 2)}\n`, { mode: 0o600 });
  return files;
}

async function makeFiles(options: NetworkOptions): Promise<NetworkFiles> {
  const nodeFolder = join(options.dataDir, 'node0');
  const keystoreDir = join(nodeFolder, 'keystore');
  const signerFolder = join(options.dataDir, 'signer');
  for (const folder of [keystoreDir, signerFolder]) await mkdir(folder, { recursive: true });
  const nodeKey = generatePrivateKey();
  const validator = addressFromPrivateKey(nodeKey);
  const nodeKeyFile = join(nodeFolder, 'nodekey');
  await writeFile(nodeKeyFile, `${hexFromBytes(nodeKey).slice(2)}\n`, { mode: 0o600 });
  const passwordFile = join(options.dataDir, 'password');
  await writeFile(passwordFile, `${PASSWORD}\n`, { mode: 0o600 });
  const nodeAccount = await makeAccount(keystoreDir, 'account-0');
  const signer = await makeAccount(signerFolder, 'signer');
  const genesisFile = join(options.dataDir, 'genesis.json');
  const owners = [...FUNDED_ACCOUNTS.map(({ address }) => address), nodeAccount.address, signer.address];
  const genesis = await makeGenesis({
    chainId: CHAIN_ID,
    engine: options.consensus,
    blockPeriodMs: options.blockPeriodMs,
    validators: [validator],
    balances: Object.fromEntries(owners.map((address) => [address, FUNDED.toString()])),
  });
  await writeFile(genesisFile, genesis);
  return {
    chainId: CHAIN_ID,
    nodeFolder,
    genesisFile,
    nodeKeyFile,
    validator,
    keystoreDir,
    passwordFile,
    signerKeyFile: signer.path,
    signerAddress: signer.address,
    nodeAccount: nodeAccount.address,
  };
}

async function makeAccount(folder: string, name: string): Promise<{ path: string; address: Address }> {
  const privateKey = generatePrivateKey();
  const file = join(folder, name);
  // A start that was interrupted left a file that nothing refers to.
  const path = existsSync(file) ? `${file}-${Date.now()}` : file;
  await writeKeyFile(folder, {
    privateKey,
    password: PASSWORD,
    name: path.slice(folder.length + 1),
    scryptN: SCRYPT_N,
  });
  return { path, address: addressFromPrivateKey(privateKey) };
}

/** What `write-genesis` of the node makes of the request. */
export function makeGenesis(request: object): Promise<string> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [`${ROOT}apps/node/dist/write-genesis.js`], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.on('error', fail);
    child.on('close', (code) =>
      code === 0 ? done(text) : fail(new Error('the genesis file could not be made')),
    );
    child.stdin.end(JSON.stringify(request));
  });
}
