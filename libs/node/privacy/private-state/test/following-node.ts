import { connectDatabase, type Database } from '@tetrad/db';
import { bftChainRules } from '@tetrad/node-consensus-bft-chain';
import { StateDatabase, createExecutor, decodeTransaction, parseGenesis } from '@tetrad/node-execution';
import { openLedger, type Ledger } from '@tetrad/node-ledger';
import { openLedgerStore, type LedgerStore } from '@tetrad/node-store';
import { silentLogger, silentMetrics, systemClock } from '@tetrad/types';
import { ChainFollower } from '../src/follower/chain-follower.js';
import { PrivateFollowing, privacySwitches, type PayloadSource } from '../src/index.js';
import { CHAIN_ID, NO_SHARED_STATES, genesisFile } from './recorded-chain.js';

const quiet = { logger: silentLogger, metrics: silentMetrics };

/** A node's chain and private state over one database. */
export async function openFollowingNode(url: string, name: string, manager: PayloadSource) {
  const genesis = parseGenesis(genesisFile(name));
  const database: Database = await connectDatabase({ url });
  const store: LedgerStore = await openLedgerStore(database);
  const executor = createExecutor(genesis);
  const rules = bftChainRules(genesis);
  const clock = { ...systemClock, now: () => 4_000_000_000_000 };
  const ledger: Ledger = (await openLedger({ genesis, rules, store, executor, clock, ...quiet })) as Ledger;
  const following = new PrivateFollowing({
    replay: async (block) => {
      const { context, world } = await ledger.replay(block);
      return {
        context: executor.context(context),
        world: world.evm,
        execute: (transaction) => executor.executeTransaction(context, transaction, world),
      };
    },
    countLogs: async (block) =>
      (await ledger.listReceipts(block)).reduce((sum, { receipt }) => sum + receipt.logs.length, 0),
    states: new StateDatabase({ source: store.privateState, metrics: silentMetrics, name: 'private ' }),
    store: store.privateState,
    payloads: manager,
    sharedStates: NO_SHARED_STATES,
    switchesAt: privacySwitches(genesis),
    decode: (raw) => decodeTransaction(raw, CHAIN_ID),
    chainId: CHAIN_ID,
  });
  const follower = await ChainFollower.open({
    name: 'private state',
    chain: ledger,
    following,
    ...quiet,
    clock: systemClock,
    retryMs: 20,
  });
  const close = async () => {
    await follower.stop();
    await store.close();
    await database.close();
  };
  return { ledger, following, follower, store, close };
}

export type FollowingNode = Awaited<ReturnType<typeof openFollowingNode>>;
