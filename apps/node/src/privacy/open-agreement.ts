import type { SigningKey } from '@tetrad/crypto';
import {
  AgreementDuty,
  AgreementExplainer,
  AgreementReader,
  AgreementWaiter,
  BlockResults,
  SharedContracts,
  type ContractRepairs,
  type ExchangeParts,
} from '@tetrad/node-agreement';
import type { Ledger } from '@tetrad/node-ledger';
import type { AgreementStore } from '@tetrad/node-store';
import type { ServiceEnvironment } from '@tetrad/service';
import { systemClock, type Metrics } from '@tetrad/types';
import { importsFirst, type SyncingPeers } from '../open/imports-first.js';
import type { NodeModule } from '../open/node-module.js';
import type { NodeConfig } from '../options/config.js';
import { contractParties, partyStates } from './contract-parties.js';
import { executionRules } from './execution-rules.js';
import type { Privacy } from './open-privacy.js';
import { payloadLookup } from './payload-lookup.js';
import { transactionParties } from './transaction-parties.js';

interface Opened {
  readonly ledger: Ledger;
  readonly privacy: Privacy;
  readonly peers: SyncingPeers;
}

/** What is known of the results of other parties. */
export interface Agreement {
  readonly reader: AgreementReader;
  readonly explainer: AgreementExplainer;
  readonly waiter: AgreementWaiter;
}

/** Nothing is stated without the option, and nothing is compared. */
const OFF = { stated: undefined, carriesMessages: false, compareSince: () => undefined };

/**
 * Starts to state results of private transactions to their other parties.
 * @returns undefined on a node without a transaction manager
 */
export async function openAgreement(
  { ledger, privacy, peers }: Opened,
  { logger, metrics }: Pick<ServiceEnvironment, 'logger' | 'metrics'>,
  {
    config,
    nodeKey,
    repairs,
  }: {
    readonly config: Pick<NodeConfig, 'stateResults' | 'discloseResultsTo'>;
    readonly nodeKey: SigningKey;
    readonly repairs: ContractRepairs | undefined;
  },
): Promise<NodeModule<Agreement | undefined>> {
  const { own } = privacy;
  if (own === undefined) return { parts: undefined, readiness: {}, close: async () => undefined };
  const { agreement: store, store: results, manager, follower } = own;
  const { findState, hashOf } = partyStates(ledger, own);
  const partiesOf = transactionParties(ledger, own);
  const shared = new SharedContracts({ store, partiesOf: contractParties(ledger, privacy, own) });
  const genesisHash = await hashOf(0);
  if (genesisHash === undefined) throw new Error('the genesis block is not stored');
  const blockResults = new BlockResults({
    store: results,
    partiesOf,
    findState,
    shared,
    openTo: new Set(config.discloseResultsTo),
  });
  const duty = new AgreementDuty({
    chainId: ledger.genesis.chainId,
    genesisHash,
    nodeKey,
    store,
    manager,
    results: blockResults,
    followed: () => follower.head,
    hashOf,
    rulesAt: executionRules(ledger, privacy),
    countTransactions: async (block) => (await ledger.findBlock(block))?.transactions.length ?? 0,
    counters: counters(metrics),
    importsFirst: importsFirst(ledger, peers),
    repairs,
    clock: systemClock,
    logger,
  });
  const reader = new AgreementReader({
    partiesOf,
    findState,
    store,
    repairs: own.repairStore,
    findReceipt: (hash) => results.findReceipt(hash),
    followed: () => follower.head,
    duty: config.stateResults ? duty : OFF,
    clock: systemClock,
  });
  const explainer = new AgreementExplainer({
    partiesOf,
    store,
    receipts: results,
    results: blockResults,
    shared,
    hasPayload: payloadLookup(ledger, own),
    stated: () => (config.stateResults ? duty.stated : undefined),
    clock: systemClock,
  });
  const waiter = new AgreementWaiter({ reader, clock: systemClock, logger });
  const parts = { reader, explainer, waiter };
  measureAgreement(store, metrics, () => Math.max(0, follower.head - (duty.stated ?? follower.head)));
  measureUnrepaired(reader, metrics);
  if (!config.stateResults) return { parts, readiness: {}, close: async () => waiter.stop() };
  const unsubscribe = follower.onFollowed(() => duty.onBlock());
  duty.wake();
  const close = async () => {
    waiter.stop();
    unsubscribe();
    await duty.stop();
  };
  return { parts, readiness: {}, close };
}

/** Blocks of all parties by what is known of their agreement. */
function measureAgreement(store: AgreementStore, metrics: Metrics, lag: () => number): void {
  const blocks = metrics.gauge(
    'node_agreement_blocks',
    'Blocks with results of private transactions on which this node and another party do not agree, or not yet',
    ['state'],
  );
  const pending = metrics.gauge(
    'node_agreement_oldest_pending_seconds',
    'Age of the oldest statement that another party whose manager carries messages has not answered',
  );
  const parties = metrics.gauge(
    'node_agreement_parties',
    'Pairs of manager keys that share private transactions, by whether messages reach the other one',
    ['messages'],
  );
  const behind = metrics.gauge(
    'node_agreement_lag_blocks',
    'Blocks that private state has followed, and whose results are not stated to other parties yet',
  );
  metrics.onScrape(async () => {
    behind.set(lag());
    const counts = await store.count();
    for (const state of ['pending', 'diverged', 'undisclosed'] as const) blocks.set(counts[state], { state });
    const { oldestPendingMs: oldest } = counts;
    pending.set(oldest === undefined ? 0 : Math.max(0, (systemClock.now() - oldest) / 1_000));
    parties.set(counts.pairs, { messages: 'yes' });
    parties.set(counts.pairsWithoutMessages, { messages: 'no' });
  });
}

function measureUnrepaired(reader: AgreementReader, metrics: Metrics): void {
  const contracts = metrics.gauge(
    'node_agreement_unrepaired_contracts',
    'Private contracts of which another party has stated another state last, and that neither has repaired since',
  );
  metrics.onScrape(async () => contracts.set(await reader.countUnrepaired()));
}

function counters(metrics: Metrics): ExchangeParts['counters'] {
  return {
    heard: metrics.counter(
      'node_agreement_heard_total',
      'Messages of other parties about private results, by what became of them',
      ['result'],
    ),
    sent: metrics.counter(
      'node_agreement_sent_total',
      'Messages about private results that the transaction manager has taken for other parties',
      ['kind'],
    ),
  };
}
