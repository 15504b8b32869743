import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createDatabase } from '@tetrad/db';
import { readPasswordFile, writeKeyFile } from '@tetrad/keystore';
import { freePorts } from '@tetrad/testkit';
import type { Address } from '@tetrad/types';
import { FUNDED_ACCOUNTS } from '../network/network-files.js';
import { makeAccount, passwordFileOf } from '../network/node-files.js';
import { openRollupOperator, type RollupOperatorProcess } from '../network/rollup-operator.js';
import { assert, type DemoContext } from './demo-context.js';

const SCRYPT_N = 4_096;
/** A holder who leaves waits for it, and the operator proves a batch in a part of it. */
const STALL_TIMEOUT_SECONDS = 40;
/** Next to that of the network's own operator. */
const DATABASE = 'tetrad_rollup_demo';

/** An operator of the demo with a rollup of its own, and account holders who use it on the command line. */
export class DemoRollup {
  private constructor(
    private readonly operator: RollupOperatorProcess,
    private readonly folder: string,
    private readonly passwordFile: string,
  ) {}

  static async start({ network, options, nodeUrl }: DemoContext): Promise<DemoRollup> {
    const folder = join(options.dataDir, 'demo');
    await mkdir(folder, { recursive: true });
    const port = await freePorts(2);
    const passwordFile = passwordFileOf(options.dataDir);
    const operator = await openRollupOperator({
      dataDir: folder,
      databaseUrl: await createDatabase(network.endpoints.database.url, DATABASE),
      chainUrl: nodeUrl,
      passwordFile,
      port,
      opsPort: port + 1,
      stallTimeoutSeconds: STALL_TIMEOUT_SECONDS,
    });
    await operator.start();
    return new DemoRollup(operator, folder, passwordFile);
  }

  get rpc(): string {
    return this.operator.rpc;
  }

  get contract(): Address {
    return this.operator.contract;
  }

  /** Ends the operator at once, as a crash would. */
  kill(): Promise<void> {
    return this.operator.kill();
  }

  restart(): Promise<void> {
    return this.operator.start();
  }

  stop(): Promise<void> {
    return this.operator.stop();
  }

  /** An account holder with new keys. */
  async newHolder(name: string): Promise<DemoHolder> {
    const { path } = await makeAccount(this.folder, `${name}-${Date.now()}`, this.passwordFile);
    return new DemoHolder((words) => this.run([...words, ...this.keys('', path)]));
  }

  /**
   * Deposits ether of a funded account into the contract.
   * @param amount - in units of the rollup
   */
  async deposit(accountId: number, amount: bigint): Promise<void> {
    const [payer] = FUNDED_ACCOUNTS;
    assert(payer !== undefined, 'no account has ether');
    const name = `payer-${Date.now()}`;
    await writeKeyFile(this.folder, {
      privateKey: payer.privateKey,
      password: await readPasswordFile(this.passwordFile),
      name,
      scryptN: SCRYPT_N,
    });
    const words = ['deposit', '--account', String(accountId), '--amount', String(amount)];
    await this.run([...words, ...this.keys('', join(this.folder, name))]);
  }

  /**
   * The output of `rollup` for the arguments.
   * @throws Error with its message
   */
  async run(words: readonly string[]): Promise<string> {
    const { main, environment } = this.operator.clientCommand;
    const env = { ...process.env, ...environment };
    return (await promisify(execFile)(process.execPath, [main, ...words], { env })).stdout;
  }

  /**
   * Rebuilds the state from the events of the contract alone.
   * @throws Error when the operator's rows differ
   */
  async rebuild(): Promise<{ readonly height: number; readonly stateRoot: string }> {
    const { main, environment } = this.operator.clientCommand;
    const compared = { TETRAD_ROLLUP_CLIENT_DATABASE_URL: this.operator.databaseUrl };
    const env = { ...process.env, ...environment, ...compared };
    const { stdout } = await promisify(execFile)(process.execPath, [main, 'rebuild', '--json'], { env });
    const found = JSON.parse(stdout) as { height: number; stateRoot: string; isSameInStore: boolean };
    assert(found.isSameInStore, 'the rows of the operator differ from the contract');
    return found;
  }

  private keys(prefix: string, file: string): string[] {
    return [`--${prefix}key-file`, file, `--${prefix}password-file`, this.passwordFile];
  }
}

/** One account holder of the rollup. */
export class DemoHolder {
  private accountId: number | undefined;

  /** @param run - runs a command with the keys of this one */
  constructor(private readonly run: (words: readonly string[]) => Promise<string>) {}

  get id(): number {
    assert(this.accountId !== undefined, 'the account does not exist yet');
    return this.accountId;
  }

  /** Resolves once the account is final on the chain. */
  async register(): Promise<void> {
    const said = await this.run(['account', 'register', '--wait']);
    const [, id] = /^account (\d{1,9})$/m.exec(said) ?? [];
    assert(id !== undefined, `no account came of it: ${said}`);
    this.accountId = Number(id);
  }

  /**
   * Redeems the earliest order; resolves once that is final.
   * @throws Error without an order
   */
  async redeem(): Promise<void> {
    await this.run(['redeem', '--wait']);
  }

  /**
   * @param wait - whether to wait until it is final
   * @returns the operation hash
   */
  async send(to: DemoHolder, amount: bigint, wait: boolean): Promise<string> {
    return hashOf(await this.run(['send', '--to', String(to.id), ...amountAnd(amount, wait)]));
  }

  /**
   * Takes all out of the rollup, without the operator.
   * @returns what the command said
   */
  exit(to: string): Promise<string> {
    return this.run(['exit', '--to', to]);
  }

  async withdraw(to: string, amount: bigint, wait: boolean): Promise<string> {
    return hashOf(await this.run(['withdraw', '--to', to, ...amountAnd(amount, wait)]));
  }

  /** Units of ether in the latest final state, which is proved against the contract. */
  async balance(): Promise<bigint> {
    const { balances } = JSON.parse(await this.run(['account', 'show', '--json'])) as {
      readonly balances: Readonly<Record<string, string>>;
    };
    return BigInt(balances['0'] ?? 0);
  }
}

function amountAnd(amount: bigint, wait: boolean): string[] {
  return ['--amount', String(amount), ...(wait ? ['--wait'] : [])];
}

function hashOf(said: string): string {
  const [hash = ''] = said.split(' ');
  return hash;
}
