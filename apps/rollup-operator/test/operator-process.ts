import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { encryptKeyFile } from '@tetrad/keystore';
import { createRollupKeyFile } from '@tetrad/rollup-client';
import { encodePoint, type Point } from '@tetrad/rollup-crypto';
import {
  developmentAccounts,
  freePort,
  isServiceReady,
  startChildService,
  type ChildService,
} from '@tetrad/testkit';
import { hexFromBytes, type Address } from '@tetrad/types';

/** The operator as it is built. */
const MAIN = fileURLToPath(new URL('../bundle/main.js', import.meta.url));
const PASSWORD = 'development';
const [submitter] = developmentAccounts(1, 'rollup submitter');
export const SUBMITTER_KEY = submitter!.privateKey;
export const SUBMITTER: Address = submitter!.address;

/** Tests pay a few units. */
const SMALL_AMOUNTS = ['--min-order-amount', '1', '--min-transfer-amount', '1'];

/** What `deploy` prints. */
export interface Deployed {
  readonly chainId: number;
  readonly contract: Address;
  readonly contractBlock: number;
  readonly operator: Address;
  readonly batchSizes: readonly number[];
  readonly verifier: 'standard' | 'optimized';
}

/** Files of an operator: its keys, and the logs of its processes. */
export class OperatorHome {
  private constructor(
    private readonly folder: string,
    private readonly chainUrl: string,
    /** Public key that account holders encrypt to. */
    readonly operatorKey: Point,
    private readonly keyFile: string,
    private readonly formerKeyFile?: string,
    /** In place of the key file of the submitter and its password. */
    private readonly submitterFile?: string,
  ) {}

  static async make(chainUrl: string): Promise<OperatorHome> {
    const folder = await makeFolder();
    const file = join(folder, 'operator-key.json');
    const { encryptionPoint } = await createRollupKeyFile(file, PASSWORD, { scryptN: 4_096 });
    return new OperatorHome(folder, chainUrl, encryptionPoint, file);
  }

  /** The same operator with another key, and with the present one as a former one; it has the same files. */
  async withNewKey(): Promise<OperatorHome> {
    const { folder, chainUrl, keyFile, submitterFile } = this;
    const file = join(folder, 'next-operator-key.json');
    const { encryptionPoint } = await createRollupKeyFile(file, PASSWORD, { scryptN: 4_096 });
    return new OperatorHome(folder, chainUrl, encryptionPoint, file, keyFile, submitterFile);
  }

  /** The same operator, whose submitting key a TOML file names. */
  withSubmitterFile(file: string): OperatorHome {
    const { folder, chainUrl, operatorKey, keyFile, formerKeyFile } = this;
    return new OperatorHome(folder, chainUrl, operatorKey, keyFile, formerKeyFile, file);
  }

  /** The same operator, which does not say that it had another key before. */
  withoutFormerKey(): OperatorHome {
    return new OperatorHome(this.folder, this.chainUrl, this.operatorKey, this.keyFile);
  }

  /**
   * Runs the command `announce-key` with the key of this operator.
   * @returns what it prints
   */
  async announceKey(contract: Address): Promise<unknown> {
    const args = [MAIN, 'announce-key', ...this.chain(), '--contract', contract, ...this.ownKeyFlags];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: quiet() });
    return JSON.parse(stdout);
  }

  /**
   * Runs the command `sign-successor`.
   * @returns what it prints
   */
  async signSuccessor(contract: Address, successor: Address): Promise<string> {
    const words = ['--contract', contract, '--successor', successor];
    const args = [MAIN, 'sign-successor', ...this.chain(), ...words];
    return (await promisify(execFile)(process.execPath, args, { env: quiet() })).stdout;
  }

  async deploy(flags: readonly string[] = []): Promise<Deployed> {
    const usual = pairsWithout([...this.chain(), '--speed-check', 'none', '--min-deposit', '1'], flags);
    const args = [MAIN, 'deploy', ...usual, '--operator-key', this.key, ...flags];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: quiet() });
    return JSON.parse(stdout) as Deployed;
  }

  /**
   * Runs the command `rebuild` on a database.
   * @returns what it prints
   */
  async rebuild({ chainId, contract, contractBlock }: Deployed, databaseUrl: string): Promise<unknown> {
    const args = [
      MAIN,
      'rebuild',
      '--chain-url',
      this.chainUrl,
      '--chain-id',
      String(chainId),
      '--contract',
      contract,
      '--operator-key',
      this.key,
      '--contract-block',
      String(contractBlock),
      ...this.keyFlags,
    ];
    const env = { ...quiet(), TETRAD_ROLLUP_OPERATOR_DATABASE_URL: databaseUrl };
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    return JSON.parse(stdout);
  }

  /**
   * Starts a process with some of the roles.
   * @returns what it says when it is asked whether it is ready, too
   */
  async start(
    { chainId, contract, contractBlock }: Deployed,
    { databaseUrl, roles, flags = [] }: { databaseUrl: string; roles: string; flags?: readonly string[] },
  ): Promise<ChildService & { readonly opsUrl: string }> {
    const opsPort = await freePort();
    const opsUrl = `http://127.0.0.1:${opsPort}`;
    const identity = ['--chain-id', String(chainId), '--contract', contract, '--operator-key', this.key];
    const child = await startChildService({
      name: roles,
      command: process.execPath,
      args: [
        MAIN,
        ...identity,
        ...pairsWithout([...this.chain(), ...SMALL_AMOUNTS], flags),
        '--contract-block',
        String(contractBlock),
        '--roles',
        roles,
        '--http-listen-port',
        '0',
        '--ops-listen-port',
        String(opsPort),
        '--batch-interval',
        '300ms',
        '--check-workers',
        '1',
        ...this.keyFlags,
        ...flags,
      ],
      environment: { ...quiet(), TETRAD_ROLLUP_OPERATOR_DATABASE_URL: databaseUrl },
      logFile: join(this.folder, 'operator.log'),
      isReady: (pid) => isServiceReady(opsUrl, pid),
    });
    return { ...child, opsUrl };
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }

  get key(): string {
    return hexFromBytes(encodePoint(this.operatorKey));
  }

  private get ownKeyFlags(): readonly string[] {
    const password = join(this.folder, 'password');
    return ['--operator-key-file', this.keyFile, '--operator-key-password-file', password];
  }

  private get keyFlags(): readonly string[] {
    const { formerKeyFile: former } = this;
    return [...this.ownKeyFlags, ...(former === undefined ? [] : ['--former-operator-key-files', former])];
  }

  private chain(): string[] {
    const { submitterFile } = this;
    if (submitterFile !== undefined)
      return ['--chain-url', this.chainUrl, '--submitter-key-file', submitterFile];
    const files = ['--submitter-key-file', join(this.folder, 'key.json')];
    return [
      '--chain-url',
      this.chainUrl,
      ...files,
      '--submitter-password-file',
      join(this.folder, 'password'),
    ];
  }
}

/** With the key of the submitter and the password of all keys in it. */
async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-rollup-'));
  const key = await encryptKeyFile(submitter!.privateKey, PASSWORD, { scryptN: 1_024 });
  await writeFile(join(folder, 'key.json'), key, { mode: 0o600 });
  await writeFile(join(folder, 'password'), `${PASSWORD}\n`, { mode: 0o600 });
  return folder;
}

/** The flags of the test run are not for the operator. */
const quiet = () => ({ ...process.env, NODE_OPTIONS: '' }) as Record<string, string>;

/** Flags with their values, but for those that are given otherwise. */
function pairsWithout(words: readonly string[], given: readonly string[]): string[] {
  return words.filter(
    (word, index) => !given.includes(index % 2 === 0 ? word : (words[index - 1] as string)),
  );
}
