import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onFile, writeWhole } from '@tetrad/files';
import { developmentAccounts } from '@tetrad/testkit';
import type { Address } from '@tetrad/types';
import { ROOT } from '../paths.js';
import { differingRule } from './chain-rules.js';
import type { NetworkOptions } from './network-options.js';
import {
  PERMISSION_CONFIG,
  makeAccount,
  makeNodeFiles,
  passwordFileOf,
  type NodeFiles,
} from './node-files.js';
import { makeSignerToken, type SignerToken } from './signer-token.js';

/** The files of a network; created once, read when it resumes. */
export interface NetworkFiles {
  readonly chainId: number;
  readonly genesisFile: string;
  readonly passwordFile: string;
  /** The validators of block 0. */
  readonly nodes: readonly NodeFiles[];
  /** Undefined when its key is on a token. */
  readonly signerKeyFile?: string;
  readonly signerToken?: SignerToken;
  readonly signerAddress: Address;
}

const CHAIN_ID = 1337;
const FUNDED = 10n ** 27n;
/** A development network waits less for a validator that is down than the default of 10 s. */
const REQUEST_TIMEOUT_SECONDS = 3;

/** Accounts that own everything at block 0. */
export const FUNDED_ACCOUNTS = developmentAccounts(4);

const markerOf = ({ dataDir }: NetworkOptions) => join(dataDir, 'network.json');

/**
 * The files of an existing network; undefined for a new one.
 * @throws Error when they do not match the options
 */
export async function readNetworkFiles(options: NetworkOptions): Promise<NetworkFiles | undefined> {
  const { nodes, dataDir, permissioned, consensus, chainRules, signerKeySource } = options;
  const marker = markerOf(options);
  if (!existsSync(marker)) return undefined;
  const files = JSON.parse(await readFile(marker, 'utf8')) as NetworkFiles;
  if (!permissioned && existsSync(join(dataDir, PERMISSION_CONFIG)))
    throw new Error(`the network in ${dataDir} is permissioned; say --permissioned`);
  if ((files.signerToken !== undefined) !== (signerKeySource === 'pkcs11'))
    throw new Error(
      `--signer-key-source ${signerKeySource}: the signer of the network in ${dataDir} has its key in ${files.signerToken === undefined ? 'a file' : 'a token (pkcs11)'}; it stays there`,
    );
  const genesis = JSON.parse(await readFile(files.genesisFile, 'utf8')) as GenesisFile;
  const different = differingRule(chainRules, genesis);
  if (different !== undefined)
    throw new Error(`${different}: the genesis file of the network in ${dataDir} says otherwise`);
  // Networks of earlier versions have validators.
  const isRaft = genesis.config['raft'] === true;
  if (isRaft !== (consensus === 'raft'))
    throw new Error(
      `the network in ${dataDir} is ${isRaft ? 'one of raft; say --consensus raft' : 'none of raft'}`,
    );
  if (files.nodes?.length === nodes) return files;
  throw new Error(
    `--nodes ${nodes}: the network in ${dataDir} has ${files.nodes?.length ?? 1}; take another --data-dir`,
  );
}

interface GenesisFile {
  readonly gasLimit: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/** Creates the files of a new network. */
export async function makeNetworkFiles(options: NetworkOptions): Promise<NetworkFiles> {
  const files = await onFile(options.dataDir, () => makeFiles(options));
  await writeWhole(markerOf(options), `${JSON.stringify(files, null, 2)}\n`, 0o600);
  return files;
}

async function makeFiles(options: NetworkOptions): Promise<NetworkFiles> {
  const { dataDir } = options;
  await mkdir(signerFolder(options), { recursive: true });
  const passwordFile = passwordFileOf(dataDir);
  await writeFile(passwordFile, `${randomBytes(16).toString('hex')}\n`, { mode: 0o600 });
  const nodes: NodeFiles[] = [];
  for (let index = 0; index < options.nodes; index++) nodes.push(await makeNodeFiles(dataDir, index));
  const { signerAddress, ...signerKey } = await makeSignerKey(options, passwordFile);
  const genesisFile = join(dataDir, 'genesis.json');
  const owners = [
    ...FUNDED_ACCOUNTS.map(({ address }) => address),
    ...nodes.map(({ account }) => account),
    signerAddress,
  ];
  const genesis = await makeGenesis({
    chainId: CHAIN_ID,
    engine: options.consensus,
    blockPeriodMs: options.blockPeriodMs,
    ...options.chainRules,
    requestTimeoutSeconds: REQUEST_TIMEOUT_SECONDS,
    // Even without managers: the genesis file cannot be changed later.
    hasPrivacy: true,
    validators: nodes.map(({ address }) => address),
    balances: Object.fromEntries(owners.map((address) => [address, FUNDED.toString()])),
  });
  await writeFile(genesisFile, genesis);
  return { chainId: CHAIN_ID, genesisFile, passwordFile, nodes, ...signerKey, signerAddress };
}

const signerFolder = ({ dataDir }: NetworkOptions) => join(dataDir, 'signer');

async function makeSignerKey(
  options: NetworkOptions,
  passwordFile: string,
): Promise<Pick<NetworkFiles, 'signerKeyFile' | 'signerToken' | 'signerAddress'>> {
  if (options.signerKeySource === 'pkcs11') {
    const { token, address } = await makeSignerToken(join(signerFolder(options), 'hsm'));
    return { signerToken: token, signerAddress: address };
  }
  const { path, address } = await makeAccount(signerFolder(options), 'signer', passwordFile);
  return { signerKeyFile: path, signerAddress: address };
}

/** The output of the node's `write-genesis` for the request. */
export function makeGenesis(request: object): Promise<string> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [`${ROOT}apps/node/bundle/write-genesis.js`], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.on('error', fail);
    child.on('close', (code) =>
      code === 0 ? done(text) : fail(new Error('the genesis file could not be created')),
    );
    child.stdin.end(JSON.stringify(request));
  });
}
