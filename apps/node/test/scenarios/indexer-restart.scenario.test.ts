import type { Interface } from 'ethers/abi';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { developmentAccounts, until } from '@tetrad/testkit';
import { createNodeHome, type NodeHome } from '../node-process.js';
import { post } from '../running-node.js';
import { SentToken } from './sent-token.js';

const [OWNER] = developmentAccounts(1, 'owner') as [ReturnType<typeof developmentAccounts>[number]];
const HOLDER = `0x${'ab'.repeat(20)}`;
const KILLS = 3;
const TRANSFERS = 4;

interface Block {
  readonly number: string;
  readonly hash: string;
  readonly parentHash: string;
  readonly transactions: readonly { readonly hash: string }[];
}

interface Log {
  readonly blockNumber: string;
  readonly transactionHash: string;
  readonly logIndex: string;
  readonly data: string;
}

/** A transfer as the indexer keeps it. */
interface Row {
  readonly id: string;
  readonly value: bigint;
  /** Balance of the holder after the block, by a call at its height. */
  readonly balance: bigint;
  readonly status: string;
}

/**
 * Follows the chain by the requests of Ponder 0.15, recorded while it followed `./tetrad up`: the newest block, the blocks up to it by number, and
 * for each its logs, calls and receipts by hash.
 */
class Indexer {
  readonly rows: Row[] = [];
  readonly hashes: string[] = [];
  calls = 0;

  constructor(
    private readonly url: string,
    private readonly token: string,
    private readonly abi: Interface,
  ) {}

  /** Reads what is new; a node that is away is asked again later, as from the last whole block. */
  async follow(): Promise<void> {
    try {
      const { number } = await this.ask<Block>('eth_getBlockByNumber', ['latest', false]);
      while (this.hashes.length <= Number(number)) await this.index(this.hashes.length);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }

  private async index(height: number): Promise<void> {
    const block = await this.ask<Block>('eth_getBlockByNumber', [hex(height), true]);
    if (height > 0 && block.parentHash !== this.hashes.at(-1))
      throw new Error(`block ${height} was replaced`);
    const topics = [this.abi.getEvent('Transfer')?.topicHash];
    const logs = await this.ask<Log[]>('eth_getLogs', [{ blockHash: block.hash, topics }]);
    const traces =
      height === 0
        ? []
        : await this.ask<object[]>('debug_traceBlockByHash', [block.hash, { tracer: 'callTracer' }]);
    expect(traces).toHaveLength(block.transactions.length);
    const rows: Row[] = [];
    for (const log of logs.filter(({ data }) => data !== '0x')) rows.push(await this.rowOf(block, log));
    // All of a block, or nothing of it.
    this.rows.push(...rows);
    this.calls += traces.length;
    this.hashes.push(block.hash);
  }

  private async rowOf({ hash, number }: Block, log: Log): Promise<Row> {
    const receipts = await this.ask<{ transactionHash: string; status: string }[]>('eth_getBlockReceipts', [
      hash,
    ]);
    const receipt = receipts.find(({ transactionHash }) => transactionHash === log.transactionHash);
    const data = this.abi.encodeFunctionData('balanceOf', [HOLDER]);
    const balance = await this.ask<string>('eth_call', [{ to: this.token, data }, number]);
    return {
      id: `${log.transactionHash}-${log.logIndex}`,
      value: BigInt(log.data),
      balance: BigInt(balance),
      status: receipt?.status ?? 'unknown',
    };
  }

  private async ask<T>(method: string, params: readonly unknown[]): Promise<T> {
    const { result, error } = await post(this.url, method, params);
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result as T;
  }
}

const hex = (number: number) => `0x${number.toString(16)}`;

let home: NodeHome;
beforeAll(async () => {
  home = await createNodeHome([OWNER]);
});
afterAll(() => home?.remove());

describe('an indexer beside a node that is killed and started again', () => {
  it('goes on from its last block, and has each transfer once', async () => {
    let node = await home.start(['--http-api', 'eth,debug']);
    const token = await SentToken.deploy(home, OWNER);
    const indexer = new Indexer(home.url, token.address, token.abi);
    const values: bigint[] = [];
    let last = '';
    for (let kill = 0; kill <= KILLS; kill++) {
      for (let transfer = 0; transfer < TRANSFERS; transfer++) {
        values.push(BigInt(values.length + 1));
        last = await token.transfer(HOLDER, BigInt(values.length));
        await indexer.follow();
      }
      if (kill === KILLS) break;
      await node.kill();
      await indexer.follow();
      node = await home.start(['--http-api', 'eth,debug']);
    }
    const { blockNumber } = await token.mined(last);
    await until(async () => {
      await indexer.follow();
      return indexer.hashes.length > Number(blockNumber);
    });
    const transfers = indexer.rows.slice(1);
    expect(transfers.map(({ value }) => value)).toEqual(values);
    expect(new Set(indexer.rows.map(({ id }) => id)).size).toBe(values.length + 1);
    expect(transfers.at(-1)?.balance).toBe(values.reduce((sum, value) => sum + value, 0n));
    expect(new Set(transfers.map(({ status }) => status))).toEqual(new Set(['0x1']));
    expect(indexer.calls).toBe(values.length + 1);
    expect(await node.stop()).toBe(0);
  });
});
