import { randomBytes } from 'node:crypto';
import type { SigningKey } from '@tetrad/crypto';
import { ContractRepairs, SharedContracts } from '@tetrad/node-agreement';
import type { Ledger } from '@tetrad/node-ledger';
import { dumpContract } from '@tetrad/node-private-state';
import type { AgreementStore, RepairStore } from '@tetrad/node-store';
import type { ServiceEnvironment } from '@tetrad/service';
import { hashFromBytes, systemClock, type Address, type Metrics, type PtmKey } from '@tetrad/types';
import type { NodeModule } from '../open/node-module.js';
import type { NodeConfig } from '../options/config.js';
import { contractParties, partyStates } from './contract-parties.js';
import type { Privacy } from './open-privacy.js';

interface Opened {
  readonly ledger: Ledger;
  readonly privacy: Privacy;
}

/**
 * Makes it possible to repair private contracts: an operator begins each repair, and allows each party a whole contract.
 * @returns undefined on a node without a transaction manager
 */
export async function openRepairs(
  { ledger, privacy }: Opened,
  { logger, metrics }: Pick<ServiceEnvironment, 'logger' | 'metrics'>,
  { config, nodeKey }: { readonly config: Pick<NodeConfig, 'stateResults'>; readonly nodeKey: SigningKey },
): Promise<NodeModule<ContractRepairs | undefined>> {
  const { own } = privacy;
  if (own === undefined) return { parts: undefined, readiness: {}, close: async () => undefined };
  const { agreement, repairs: stored, repairStore: store, manager, follower, view } = own;
  const { findState, hashOf, demand } = partyStates(ledger, own);
  const partiesOf = contractParties(ledger, privacy, own);
  const genesisHash = await hashOf(0);
  if (genesisHash === undefined) throw new Error('the genesis block is not stored');
  const repairs = new ContractRepairs({
    chainId: ledger.genesis.chainId,
    genesisHash,
    nodeKey,
    store,
    manager,
    shared: new SharedContracts({ store: agreement, partiesOf }),
    partiesOf,
    findState,
    hashOf,
    demand,
    readWhole: async (contract, block) => dumpContract(await view.worldAt(block), contract),
    followed: () => follower.head,
    wake: () => follower.wake(),
    carriesMessages: async () => {
      const features = await manager.features();
      return config.stateResults && features.kind === 'done' && features.value.partyMessages;
    },
    ownKeysWith: (contract, other) => ownKeysWith(agreement, contract, other),
    randomHash: () => hashFromBytes(randomBytes(32)),
    clock: systemClock,
    logger,
  });
  stored.bind(repairs);
  measureRepairs(store, metrics);
  return { parts: repairs, readiness: {}, close: () => repairs.stop() };
}

async function ownKeysWith(store: AgreementStore, contract: Address, other: PtmKey): Promise<PtmKey[]> {
  const rows = await store.listContract(contract);
  return rows.filter((row) => row.other === other).map(({ own }) => own);
}

function measureRepairs(store: RepairStore, metrics: Metrics): void {
  const gauge = metrics.gauge(
    'node_private_repairs',
    'Repairs of private contracts that are recorded, of this node and of other parties that have told theirs',
    ['of'],
  );
  const last = metrics.gauge(
    'node_private_repair_last_timestamp_seconds',
    'When the newest repair of a private contract was made here, or told by another party; 0 without one',
    ['of'],
  );
  metrics.onScrape(async () => {
    const { here, told, lastHereMs = 0, lastToldMs = 0 } = await store.count();
    gauge.set(here, { of: 'node' });
    gauge.set(told, { of: 'parties' });
    last.set(lastHereMs / 1_000, { of: 'node' });
    last.set(lastToldMs / 1_000, { of: 'parties' });
  });
}
