import type { SigningKey } from '@tetrad/crypto';
import {
  AgreementDuty,
  AgreementExplainer,
  AgreementReader,
  AgreementWaiter,
  BlockResults,
  SharedContracts,
  type BlockResultsParts,
  type ContractRepairs,
  type ExchangeParts,
} from '@tetrad/node-agreement';
import type { Ledger } from '@tetrad/node-ledger';
import type { ServiceEnvironment } from '@tetrad/service';
import { systemClock } from '@tetrad/types';
import { importsFirst, type SyncingPeers } from '../open/imports-first.js';
import type { NodeModule } from '../open/node-module.js';
import type { NodeConfig } from '../options/config.js';
import { contractParties, partyStates } from './contract-parties.js';
import { executionRules } from './execution-rules.js';
import { exchangeCounters, measureAgreement, measureUnrepaired } from './measure-agreement.js';
import type { PrivateParts, Privacy } from './open-privacy.js';
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

/** How results are stated, and with what. */
interface Stating {
  readonly config: Pick<NodeConfig, 'stateResults' | 'discloseResultsTo'>;
  readonly nodeKey: SigningKey;
  readonly repairs: ContractRepairs | undefined;
}

/** Nothing is stated without the option, and nothing is compared. */
const OFF = { stated: undefined, carriesMessages: false, compareSince: () => undefined };

/**
 * Starts to state results of private transactions to their other parties.
 * @returns undefined on a node without a transaction manager
 */
export async function openAgreement(
  opened: Opened,
  { logger, metrics }: Pick<ServiceEnvironment, 'logger' | 'metrics'>,
  { config, nodeKey, repairs }: Stating,
): Promise<NodeModule<Agreement | undefined>> {
  const { ledger, privacy } = opened;
  const { own } = privacy;
  if (own === undefined) return { parts: undefined, readiness: {}, close: async () => undefined };
  const { hashOf, findState } = partyStates(ledger, own);
  const partiesOf = transactionParties(ledger, own);
  const shared = new SharedContracts({
    store: own.agreement,
    partiesOf: contractParties(ledger, privacy, own),
  });
  const genesisHash = await hashOf(0);
  if (genesisHash === undefined) throw new Error('the genesis block is not stored');
  const openTo = new Set(config.discloseResultsTo);
  const results = new BlockResults({ store: own.store, partiesOf, findState, shared, openTo });
  const counters = exchangeCounters(metrics);
  const exchange = { genesisHash, nodeKey, hashOf, results, counters, repairs, logger };
  const duty = createDuty(opened, own, exchange);
  const known = { partiesOf, findState, shared, results };
  const readers = createReaders(ledger, own, { ...known, duty: config.stateResults ? duty : OFF });
  const { reader } = readers;
  const waiter = new AgreementWaiter({ reader, clock: systemClock, logger });
  const parts = { ...readers, waiter };
  const { follower } = own;
  measureAgreement(own.agreement, metrics, () => Math.max(0, follower.head - (duty.stated ?? follower.head)));
  measureUnrepaired(reader, metrics);
  if (!config.stateResults) return { parts, readiness: {}, close: async () => waiter.stop() };
  const stopStating = startStating(duty, follower);
  const close = async () => {
    waiter.stop();
    await stopStating();
  };
  return { parts, readiness: {}, close };
}

function startStating(duty: AgreementDuty, follower: PrivateParts['follower']): () => Promise<void> {
  const unsubscribe = follower.onFollowed(() => duty.onBlock());
  duty.wake();
  return async () => {
    unsubscribe();
    await duty.stop();
  };
}

/** The duty to state what the manager's parties have a part in, on this chain. */
function createDuty(
  { ledger, privacy, peers }: Opened,
  { agreement: store, manager, follower }: PrivateParts,
  exchange: Pick<
    ExchangeParts,
    'genesisHash' | 'nodeKey' | 'hashOf' | 'results' | 'counters' | 'repairs' | 'logger'
  >,
): AgreementDuty {
  return new AgreementDuty({
    ...exchange,
    chainId: ledger.genesis.chainId,
    store,
    manager,
    followed: () => follower.head,
    rulesAt: executionRules(ledger, privacy),
    countTransactions: async (block) => (await ledger.findBlock(block))?.transactions.length ?? 0,
    importsFirst: importsFirst(ledger, peers),
    clock: systemClock,
  });
}

/** What clients read of the agreement. */
function createReaders(
  ledger: Ledger,
  own: PrivateParts,
  { partiesOf, findState, shared, results, duty }: ReadersParts,
): Pick<Agreement, 'reader' | 'explainer'> {
  const { agreement: store, store: receipts, follower } = own;
  const reader = new AgreementReader({
    partiesOf,
    findState,
    store,
    repairs: own.repairStore,
    findReceipt: (hash) => receipts.findReceipt(hash),
    followed: () => follower.head,
    duty,
    clock: systemClock,
  });
  const explainer = new AgreementExplainer({
    partiesOf,
    store,
    receipts,
    results,
    shared,
    hasPayload: payloadLookup(ledger, own),
    stated: () => duty.stated,
    clock: systemClock,
  });
  return { reader, explainer };
}

interface ReadersParts extends Pick<BlockResultsParts, 'partiesOf' | 'findState'> {
  readonly shared: SharedContracts;
  readonly results: BlockResults;
  readonly duty: Pick<AgreementDuty, 'stated' | 'carriesMessages' | 'compareSince'>;
}
