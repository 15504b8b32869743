import { afterEach, beforeEach } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { openLedgerStore, type LedgerStore } from '../src/index.js';

/** The store of one test, and the database under it. */
export class StoreFixture {
  testDatabase!: TestDatabase;
  database!: Database;
  store!: LedgerStore;

  /** A new one before each test of the file; whatever the test has done with it is gone afterwards. */
  static forEachTest(): StoreFixture {
    const fixture = new StoreFixture();
    beforeEach(async () => {
      fixture.testDatabase = await createTestDatabase('node');
      await fixture.open();
    });
    afterEach(async () => {
      await fixture.close();
      await fixture.testDatabase.drop();
    });
    return fixture;
  }

  async open(): Promise<void> {
    this.database = await connectDatabase({ url: this.testDatabase.url });
    this.store = await openLedgerStore(this.database);
  }

  async close(): Promise<void> {
    await this.store.close();
    await this.database.close();
  }

  /** As when the process ends and starts again. */
  async reopen(): Promise<void> {
    await this.close();
    await this.open();
  }
}
