import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase, createDatabase, dropDatabase } from '@tetrad/db';
import { createTestDatabase, testServerUrl, until, type TestDatabase } from '@tetrad/testkit';
import { openManagerStore } from '@tetrad/transaction-manager';
import {
  PATIENCE,
  RECORDED_KEYS,
  privacyGenesis,
  startManager,
  startPrivacyNetwork,
  type PrivacyNetwork,
  type TestManager,
} from '../../privacy-network.js';
import { startNode, type RunningNode } from '../../running-node.js';
import { connect } from '../../validator-network.js';
import { A, B, MODULES, Parties, accounts, quiet, textOf } from './parties.js';

describe('a party that is restored from an old backup', () => {
  let network: PrivacyNetwork;
  let manager: TestManager | undefined;
  let node: RunningNode | undefined;
  const dropped: TestDatabase[] = [];
  beforeAll(async () => {
    network = await startPrivacyNetwork({
      keys: RECORDED_KEYS.slice(0, 1),
      accounts: accounts.slice(0, 1),
      modules: MODULES,
      configOf: quiet,
    });
  });
  afterAll(async () => {
    await node?.stop();
    await manager?.end();
    for (const database of dropped) await database.drop();
    await network?.stop();
  });

  it('is seen by both, with the transaction that it has lost, and agrees again after a repair', async () => {
    const databases = {
      node: await createTestDatabase('node'),
      manager: await createTestDatabase('transaction-manager'),
    };
    const inUse = { node: kept(databases.node), manager: kept(databases.manager) };
    await start(inUse);
    const all = parties();
    const contract = await all.create([B]);
    await stop();
    const backup = { node: await copyOf(databases.node), manager: await copyOf(databases.manager) };
    await declareComplete(backup.manager);
    await start(inUse);
    const lost = await parties().increment(contract, [B]);
    await parties().agreed(lost);
    await stop();
    dropped.push(databases.node, databases.manager);
    await start(backup);
    const hash = await parties().increment(contract, [B]);
    const [atSender, atParty] = [
      await parties().explained(0, { contract, other: B, hash }),
      await parties().explained(1, { contract, other: A, hash }),
    ];
    expect(await parties().blocksSince(hash)).toBeLessThanOrEqual(3);
    for (const one of [atSender, atParty])
      expect(one).toMatchObject({ agreement: 'diverged', transaction: hash });
    // The block of the lost one was agreed on before: comparing it anew finds it.
    const text = await textOf(parties().node(0), contract, 0);
    expect(text).toContain(`first: transaction ${lost} of block`);
    expect(text).toContain('differs: the other party does not have it');
    expect(await parties().explained(1, { contract, other: A, hash: lost })).toMatchObject({
      difference: { field: 'transaction', at: 'own' },
      causes: [{ kind: 'payloadLost', at: 'own' }],
    });
    expect(await parties().sums(contract)).toEqual([3, 2]);
    await parties().repair(contract, 1, 0);
    expect(await parties().sums(contract)).toEqual([3, 3]);
    await parties().agreed(await parties().increment(contract, [B]));
  });

  const parties = () => new Parties(network, [network.nodes[0], node] as RunningNode[]);

  async function start(databases: { readonly node: TestDatabase; readonly manager: TestDatabase }) {
    const key = RECORDED_KEYS[1];
    if (key === undefined) throw new Error('a second key is needed');
    const peers = network.managers.map(({ peerUrl }) => peerUrl);
    manager = await startManager(key, { peers }, { given: databases.manager });
    const { url } = manager;
    const genesis = privacyGenesis(accounts.slice(0, 1));
    node = await startNode([...PATIENCE, '--peer-exchange', 'false', '--ptm-url', url], {
      genesis: { ...genesis, config: { ...genesis.config, ...quiet() } },
      nodeKey: Buffer.alloc(32, 0x51),
      held: accounts.slice(1, 2),
      modules: MODULES,
      database: databases.node,
    });
    await connect(parties().nodes);
    await until(async () => network.managers[0]?.parties.entries.some((one) => one.key === B) === true);
  }

  async function stop() {
    await node?.stop();
    await manager?.end();
    [node, manager] = [undefined, undefined];
  }
});

/** The database, which is not dropped when what uses it stops. */
function kept({ url }: TestDatabase): TestDatabase {
  return { url, drop: async () => undefined };
}

/** As the operator of a restored manager may say, wrongly; its node would wait otherwise. */
async function declareComplete({ url }: TestDatabase): Promise<void> {
  const database = await connectDatabase({ url, poolSize: 1 });
  const stored = openManagerStore(database);
  await stored.completeness.set('declared');
  await stored.close();
  await database.close();
}

let copies = 0;
async function copyOf({ url }: TestDatabase): Promise<TestDatabase> {
  const server = await testServerUrl();
  const source = new URL(url).pathname.slice(1);
  const copy = await createDatabase(server, `${source}_${(copies += 1)}`, source);
  return { url: copy, drop: () => dropDatabase(server, new URL(copy).pathname.slice(1)) };
}
