import type { RollupContract } from './rollup-contract.js';

/** What a deposit that is made now would wait for. */
export interface DepositQueue {
  /** Deposits that no batch has taken. */
  readonly waiting: bigint;
  /** Seconds that the contract gives the operator for one behind them. */
  readonly seconds: bigint;
  /** The same for one behind none. */
  readonly stallTimeout: bigint;
}

const DEPOSIT_DUE = 3;

/**
 * Reads the queue of deposits, as the contract counts (docs/adr/0241).
 *
 * @param contract - that freezes
 * @returns the queue at the latest block
 * @throws as `RollupContract.values`
 */
export async function readDepositQueue(contract: RollupContract): Promise<DepositQueue> {
  const { hash, timestamp } = await contract.client.head();
  const state = { blockHash: hash };
  const read = (name: string) => contract.read(name, [], state);
  const [next, count, stallTimeout, rate] = await Promise.all([
    read('nextDeposit'),
    read('depositCount'),
    read('stallTimeout'),
    read('depositsPerTimeout'),
  ] as const);
  if (count <= next) return { waiting: 0n, seconds: stallTimeout, stallTimeout };
  const last = await contract.values('deposits', [count - 1n], state);
  const interval = rate === 0n ? 0n : (stallTimeout + rate - 1n) / rate;
  const behind = (last[DEPOSIT_DUE] as bigint) + interval - BigInt(timestamp);
  return { waiting: count - next, seconds: behind > stallTimeout ? behind : stallTimeout, stallTimeout };
}
