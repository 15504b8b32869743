import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey } from '@tetrad/crypto';
import { connectDatabase } from '@tetrad/db';
import { encodeBlock } from '@tetrad/node-block';
import { bftRules } from '@tetrad/node-consensus-bft';
import { bftChainRules } from '@tetrad/node-consensus-bft-chain';
import { createExecutor, defaultGenesis, parseGenesis } from '@tetrad/node-execution';
import { openLedger } from '@tetrad/node-ledger';
import { openLedgerStore } from '@tetrad/node-store';
import { createTestDatabase } from '@tetrad/testkit';
import { hexFromBytes, silentLogger, silentMetrics, systemClock, type Block } from '@tetrad/types';
import { nextBlock } from '../../../../libs/node/chain/consensus-bft-chain/test/seal-block.js';
import { ImportFolder } from './import-folder.js';

const KEYS = [1, 2, 3, 4].map((scalar) => Buffer.alloc(32, scalar));
const VALIDATORS = KEYS.map(addressFromPrivateKey);
/** The first block with the newer headers. */
const TRANSITION = 5;
const LAST = 9;

function genesisFile(): Record<string, unknown> {
  const genesis = defaultGenesis({
    chainId: 1337,
    engine: 'ibft',
    blockPeriodMs: 1_000,
    balances: new Map(),
    extraData: hexFromBytes(bftRules('ibft').genesisExtraData(VALIDATORS)),
  });
  const config = genesis['config'] as Record<string, object>;
  const transitions = [{ block: TRANSITION, algorithm: 'qbft' }];
  return { ...genesis, config: { ...config, transitions } };
}

/** A chain of four validators that changes from IBFT to QBFT, and one more block with too few seals. */
async function makeChain(): Promise<{ blocks: Block[]; unsealed: Block }> {
  const testDatabase = await createTestDatabase('node');
  const database = await connectDatabase({ url: testDatabase.url });
  const store = await openLedgerStore(database);
  const genesis = parseGenesis(genesisFile());
  const rules = bftChainRules(genesis);
  const ledger = await openLedger({
    genesis,
    rules,
    store,
    clock: systemClock,
    logger: silentLogger,
    metrics: silentMetrics,
    executor: createExecutor(genesis),
  });
  const make = (number: number, seals: number) =>
    nextBlock({ ledger, rules }, { proposerKey: KEYS[number % 4] as Buffer, keys: KEYS.slice(0, seals) });
  const blocks = [ledger.head()];
  for (let number = 1; number <= LAST; number++) {
    const block = await make(number, 3);
    await ledger.importBlock(block);
    blocks.push(block);
  }
  const unsealed = await make(LAST + 1, 2);
  await store.close();
  await database.close();
  await testDatabase.drop();
  return { blocks, unsealed };
}

describe('a chain that changes from IBFT to QBFT', () => {
  let folder: ImportFolder;
  let made: Awaited<ReturnType<typeof makeChain>>;
  let genesis: string;
  beforeAll(async () => {
    folder = await ImportFolder.create();
    made = await makeChain();
    genesis = await folder.write('genesis.json', Buffer.from(JSON.stringify(genesisFile())));
  });
  afterAll(() => folder?.remove());

  it('is refused at the transition by a genesis file that does not name it', async () => {
    const config: Record<string, unknown> = { ...(genesisFile()['config'] as object) };
    delete config['transitions'];
    const without = { ...genesisFile(), config };
    const path = await folder.write('without.json', Buffer.from(JSON.stringify(without)));
    const file = await folder.write('blocks', ...made.blocks.map(encodeBlock));
    await expect(folder.import(path, [file])).rejects.toThrow(`block ${TRANSITION}: extraData: `);
    expect((await folder.storedBlocks()).at(-1)?.number).toBe(TRANSITION - 1);
  });

  it('is imported up to a block with fewer seals than a quorum', async () => {
    const file = await folder.write('blocks', ...[...made.blocks, made.unsealed].map(encodeBlock));
    await expect(folder.import(genesis, [file])).rejects.toThrow(
      `block ${LAST + 1}: extraData: invalid committed seals by the rules that the genesis file ${genesis} has for it ` +
        `(forks, transitions, times, rewards). The blocks up to ${LAST} are stored and stay.`,
    );
    expect((await folder.storedBlocks()).map(({ hash }) => hash)).toEqual(
      made.blocks.map(({ hash }) => hash),
    );
  });
});
