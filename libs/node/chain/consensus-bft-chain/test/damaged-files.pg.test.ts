import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChainImportError, type Ledger } from '@tetrad/node-ledger';
import { createTestDatabase, seededRandom, testSeed, type TestDatabase } from '@tetrad/testkit';
import { importDamaged } from '../../ledger/test/damaged-chain.js';
import { openTestLedger, type TestLedger } from './open-test-ledger.js';
import { recordedBlocks, recordedGenesis } from './recorded-chains.js';

describe.each(['qbft', 'istanbul'])('a file of the %s chain of a GoQuorum with a changed byte', (name) => {
  let database: TestDatabase;
  let chain: TestLedger;
  beforeAll(async () => {
    database = await createTestDatabase('node');
    chain = await openTestLedger(database.url, { genesis: recordedGenesis(name) });
  });
  afterAll(async () => {
    await chain?.close();
    await database?.drop();
  });

  it('is refused, wherever the byte is, with the state as before; the whole file is imported then', async () => {
    const blocks = await recordedBlocks(name);
    const refusals = await importDamaged(chain.ledger as Ledger, {
      blocks,
      confirmsByNext: false,
      random: seededRandom(testSeed()),
      flipsPerBlock: 4,
    });
    expect(refusals).toHaveLength(4 * blocks.length);
    const fields = new Set(
      refusals.flatMap((refusal) => (refusal instanceof ChainImportError ? [refusal.field] : [])),
    );
    expect(fields.has('header')).toBe(false);
    for (const field of ['extraData', 'transactionsRoot', 'parentHash']) expect([...fields]).toContain(field);
    expect(await chain.ledger.verifyFromGenesis()).toBe(blocks.length - 1);
  });
});
