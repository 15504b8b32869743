import { developmentAccounts, loadToken, percentile, presign, runLoad } from '@tetrad/testkit';
import { hexFromBytes, parseAddress, type Address } from '@tetrad/types';
import { AbiCoder, Interface, getCreateAddress } from 'ethers';
import { callRpc } from './call-rpc.js';
import { CHAIN_ID } from './peers.js';

/** The accounts that own everything on both peers. */
export const SENDERS = developmentAccounts(4);

/** Recipients of transfers: few enough to stay cached, enough to avoid one hot account. */
const RECIPIENTS = developmentAccounts(256, 'bench recipient').map(({ address }) => address);

export const CONNECTIONS = 32;
const MINE_TIMEOUT_MS = 300_000;
const POLL_MS = 50;

export interface LoadReport {
  readonly transactionsPerSecond: number;
  readonly submissionP50Ms: number;
  readonly submissionP99Ms: number;
}

/** Makes raw transactions, round robin over the senders, from these nonces on. */
export class LoadMaker {
  private readonly nonces: number[];

  constructor(
    firstNonces: readonly number[] = SENDERS.map(() => 0),
    private readonly recipients: readonly Address[] = RECIPIENTS,
  ) {
    this.nonces = [...firstNonces];
  }

  transfers(count: number): Uint8Array[] {
    return this.make(count, (index) => ({
      to: this.recipient(index),
      gasLimit: 21_000,
      value: 1n,
      data: new Uint8Array(0),
    }));
  }

  tokenTransfers(count: number, token: Address): Uint8Array[] {
    const erc20 = new Interface(['function transfer(address to, uint256 value)']);
    return this.make(count, (index) => ({
      to: token,
      gasLimit: 80_000,
      value: 0n,
      data: Buffer.from(erc20.encodeFunctionData('transfer', [this.recipient(index), 1n]).slice(2), 'hex'),
    }));
  }

  /** Nonces of the senders once all transactions made so far are mined. */
  reached(): readonly number[] {
    return [...this.nonces];
  }

  private recipient(index: number): Address {
    return this.recipients[(index * 7) % this.recipients.length] as Address;
  }

  private make(
    count: number,
    body: (index: number) => { to: Address; gasLimit: number; value: bigint; data: Uint8Array },
  ): Uint8Array[] {
    return Array.from({ length: count }, (_, index) => {
      const turn = index % SENDERS.length;
      const nonce = (this.nonces[turn] as number)++;
      const { privateKey } = SENDERS[turn] as (typeof SENDERS)[number];
      return presign({ chainId: CHAIN_ID, nonce, gasPrice: 0n, ...body(index) }, privateKey);
    });
  }
}

/** Submits everything and waits until it is mined; the time counts from the first submission to the last block. */
export async function measureLoad(
  url: string,
  raws: readonly Uint8Array[],
  reached: readonly number[],
): Promise<LoadReport> {
  const params = raws.map((raw) => [hexFromBytes(raw)]);
  const started = performance.now();
  const outcomes = await runLoad(params, { url, connections: CONNECTIONS, method: 'eth_sendRawTransaction' });
  const refused = outcomes.find(({ result }) => result === undefined);
  if (refused !== undefined)
    throw new Error(`a transaction was refused: ${refused.error?.message ?? refused.lost}`);
  await waitUntilMined(url, reached);
  const seconds = (performance.now() - started) / 1000;
  const times = outcomes.map(({ milliseconds }) => milliseconds);
  return {
    transactionsPerSecond: raws.length / seconds,
    submissionP50Ms: percentile(times, 0.5),
    submissionP99Ms: percentile(times, 0.99),
  };
}

export async function waitUntilMined(url: string, reached: readonly number[]): Promise<void> {
  const deadline = Date.now() + MINE_TIMEOUT_MS;
  for (const [index, nonce] of reached.entries()) {
    const { address } = SENDERS[index] as (typeof SENDERS)[number];
    while (Number(await callRpc(url, 'eth_getTransactionCount', [address, 'latest'])) < nonce) {
      if (Date.now() > deadline) throw new Error(`not everything was mined within ${MINE_TIMEOUT_MS} ms`);
      await new Promise((tick) => setTimeout(tick, POLL_MS));
    }
  }
}

/** Deploys a token whose supply every sender has a quarter of. Uses the first nonces of all senders. */
export async function deployToken(url: string): Promise<{ token: Address; nonces: readonly number[] }> {
  const { bytecode } = await loadToken();
  const [owner, ...others] = SENDERS;
  if (owner === undefined) throw new Error('no sender');
  const supply = 10n ** 24n;
  const args = AbiCoder.defaultAbiCoder().encode(['string', 'string', 'uint256'], ['Bench', 'B', supply]);
  const { Transaction, Wallet } = await import('ethers');
  const wallet = new Wallet(hexFromBytes(owner.privateKey));
  const creation = await wallet.signTransaction(
    Transaction.from({
      chainId: CHAIN_ID,
      nonce: 0,
      gasLimit: 3_000_000,
      gasPrice: 0,
      data: bytecode + args.slice(2),
      type: 0,
    }),
  );
  await callRpc(url, 'eth_sendRawTransaction', [creation]);
  const token = parseAddress(getCreateAddress({ from: owner.address, nonce: 0 }));
  const erc20 = new Interface(['function transfer(address to, uint256 value)']);
  for (const [index, { address }] of others.entries()) {
    const data = Buffer.from(erc20.encodeFunctionData('transfer', [address, supply / 4n]).slice(2), 'hex');
    const plain = {
      chainId: CHAIN_ID,
      nonce: index + 1,
      gasLimit: 100_000,
      gasPrice: 0n,
      to: token,
      value: 0n,
      data,
    };
    await callRpc(url, 'eth_sendRawTransaction', [hexFromBytes(presign(plain, owner.privateKey))]);
  }
  const nonces = [others.length + 1, ...others.map(() => 0)];
  await waitUntilMined(url, nonces);
  return { token, nonces };
}
