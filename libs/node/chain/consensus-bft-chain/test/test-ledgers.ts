import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import type { Block } from '@tetrad/types';
import { openTestLedger, transfer, untilMined, type TestLedger } from './open-test-ledger.js';

/** The ledgers of a test and their databases, which end with it. */
export class TestLedgers {
  /** URL of the database that every test has. */
  url = '';
  private readonly ledgers: TestLedger[] = [];
  private readonly databases: TestDatabase[] = [];

  /** Begins a test. */
  async begin(): Promise<void> {
    this.url = await this.freshUrl();
  }

  /** URL of another empty database. */
  async freshUrl(): Promise<string> {
    const fresh = await createTestDatabase('node');
    this.databases.push(fresh);
    return fresh.url;
  }

  async open(url: string, options: Parameters<typeof openTestLedger>[1] = {}): Promise<TestLedger> {
    const ledger = await openTestLedger(url, options);
    this.ledgers.push(ledger);
    return ledger;
  }

  async close(one: TestLedger): Promise<void> {
    this.ledgers.splice(this.ledgers.indexOf(one), 1);
    await one.close();
  }

  /** Ends a test. */
  async end(): Promise<void> {
    for (const one of [...this.ledgers]) await this.close(one);
    for (const one of this.databases.splice(0)) await one.drop();
  }
}

/** A chain of a few blocks with transactions in them. */
export async function grow(chain: TestLedger, transactions = 12): Promise<void> {
  const production = await chain.produce();
  await Promise.all(
    Array.from({ length: transactions }, (_, index) =>
      chain.pool.add(transfer(index % 4, Math.floor(index / 4))),
    ),
  );
  await untilMined(chain, 2);
  await production.stop();
}

export async function blocksOf({ ledger }: TestLedger): Promise<Block[]> {
  const numbers = Array.from({ length: ledger.head().header.number }, (_, index) => index + 1);
  return (await Promise.all(numbers.map((number) => ledger.findBlock(number)))) as Block[];
}
