import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe } from '@jest/globals';
import { freePort, startChildService, until } from '@tetrad/testkit';
import { parseAddress, type Address, type Hex } from '@tetrad/types';

/** A transaction was mined, and reverted. */
export class RevertedError extends Error {
  override readonly name = 'RevertedError';
}

/** A separate chain for one test file: mines at once, its clock can be moved, and its accounts need no keys. */
export interface TestChain {
  readonly chainId: bigint;
  readonly url: string;
  readonly accounts: readonly Address[];
  ask<Result>(method: string, params?: readonly unknown[]): Promise<Result>;
  /**
   * Sends and waits.
   * @returns its receipt
   * @throws when it is reverted
   */
  send(transaction: Call): Promise<Receipt>;
  /** @returns data with which the call is reverted; undefined when it succeeds. Changes nothing. */
  revertData(call: Call): Promise<Hex | undefined>;
  create(code: string): Promise<Address>;
  passTime(seconds: number): Promise<void>;
  stop(): Promise<void>;
}

export interface Call {
  readonly from: Address;
  readonly to?: Address;
  readonly data?: string;
  readonly value?: bigint;
  /** What the client estimates without it, in a block that may be of another second than the one it is mined in. */
  readonly gas?: bigint;
}

export interface Receipt {
  readonly contractAddress: string | null;
  readonly gasUsed: string;
  readonly blockNumber: string;
  readonly logs: readonly { readonly address: string; readonly topics: string[]; readonly data: string }[];
}

type Mined = Receipt & { readonly status: Hex };

const CHAIN_ID = 31337n;

const program = findAnvil();
if (program === undefined) process.stderr.write('SKIPPED: anvil is not installed for this host\n');

/** Counts its tests as skipped where the optional package with the client is not installed. */
export const describeWithAnvil = program === undefined ? describe.skip : describe;

function findAnvil(): string | undefined {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const root = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
  const path = join(root, '..', '@foundry-rs', `anvil-${platform}-${architecture}`, 'bin', 'anvil');
  return existsSync(path) ? path : undefined;
}

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly message: string; readonly data?: Hex };
}

/**
 * @param flags - more of the client's, such as another fork than its newest
 * @throws Error where `describeWithAnvil` skips
 */
export async function startChain(flags: readonly string[] = []): Promise<TestChain> {
  if (program === undefined) throw new Error('anvil is not installed for this host');
  const port = await freePort();
  const post = async (method: string, params: readonly unknown[] = []): Promise<Answer> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }, quantity);
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body });
    return (await response.json()) as Answer;
  };
  const ask = async <Result>(method: string, params?: readonly unknown[]): Promise<Result> => {
    const { result, error } = await post(method, params);
    if (error !== undefined) throw new Error(`${method}: ${error.message} ${error.data ?? ''}`);
    return result as Result;
  };
  const child = await startChildService({
    name: 'anvil',
    command: program,
    args: [
      '--port',
      String(port),
      '--chain-id',
      String(CHAIN_ID),
      '--base-fee',
      '0',
      '--gas-price',
      '0',
      '--silent',
      ...flags,
    ],
    logFile: join(tmpdir(), `tetrad-rollup-anvil-${port}.log`),
    isReady: async () => (await post('eth_chainId')).result !== undefined,
  });
  const accounts = (await ask<string[]>('eth_accounts')).map(parseAddress);
  const send = async (transaction: Call): Promise<Receipt> => {
    // With a price the client makes a transaction that forks before London have too.
    const hash = await ask<Hex>('eth_sendTransaction', [{ gasPrice: 0n, ...transaction }]);
    let receipt: Mined | null = null;
    await until(
      async () => (receipt = await ask<Mined | null>('eth_getTransactionReceipt', [hash])) !== null,
    );
    const mined = receipt as unknown as Mined;
    if (mined.status !== '0x1') throw new RevertedError(`transaction ${hash} was reverted`);
    return mined;
  };
  return {
    chainId: CHAIN_ID,
    url: `http://127.0.0.1:${port}`,
    accounts,
    ask,
    send,
    revertData: async (call) => {
      const { error } = await post('eth_call', [call, 'latest']);
      if (error === undefined) return undefined;
      return error.data ?? '0x';
    },
    create: async (code) => {
      const receipt = await send({ from: accounts[0] as Address, data: code });
      return parseAddress(receipt.contractAddress ?? '');
    },
    passTime: async (seconds) => {
      await ask('evm_increaseTime', [seconds]);
      await ask('evm_mine');
    },
    stop: () => child.stop(),
  };
}

const quantity = (_: string, value: unknown) =>
  typeof value === 'bigint' ? `0x${value.toString(16)}` : value;
