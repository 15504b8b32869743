import { isDatabaseUnavailable } from '@tetrad/db';
import { AddressHistory, AddressIndexing, indexedBlocks } from '@tetrad/node-address-index';
import type { BlocksByAddress } from '@tetrad/node-simulation';
import type { ServiceEnvironment } from '@tetrad/service';
import { OperatorError } from '@tetrad/types';
import { importsFirst, type SyncingPeers } from '../open/imports-first.js';
import type { NodeModule } from '../open/node-module.js';
import type { OpenChain } from '../open/open-chain.js';
import type { NodeConfig } from '../options/config.js';
import type { Privacy } from './open-privacy.js';

/** The index by address; all are absent where the operator does not want it. */
export interface AddressIndexParts {
  readonly addressIndex: AddressIndexing | undefined;
  readonly addressHistory: AddressHistory | undefined;
  readonly blockIndex: BlocksByAddress | undefined;
}

/**
 * Starts to fill the index by address behind the chain, where the operator wants one.
 * @throws OperatorError on a node that lacks blocks of the past, and does not fill them in
 */
export async function openAddressIndex(
  config: Pick<NodeConfig, 'addressIndex' | 'history' | 'stateHistory'>,
  { logger, metrics }: Pick<ServiceEnvironment, 'logger' | 'metrics'>,
  {
    chain,
    privacy,
    peers,
  }: {
    readonly chain: Pick<OpenChain, 'ledger' | 'store'>;
    readonly privacy: Privacy;
    readonly peers: SyncingPeers;
  },
): Promise<NodeModule<AddressIndexParts>> {
  if (!config.addressIndex) {
    const parts = { addressIndex: undefined, addressHistory: undefined, blockIndex: undefined };
    return { parts, readiness: {}, close: () => Promise.resolve() };
  }
  const { joined } = chain.ledger.blockHorizon;
  if (joined !== undefined && chain.ledger.blockHorizon.oldest > 1 && config.history !== 'all')
    throw new OperatorError(
      `--address-index: not with --history ${config.history}: this node joined by state at block ${joined}, and the index needs all blocks before`,
    );
  const store = chain.store.addressIndex;
  const addressIndex = await AddressIndexing.start({
    ledger: chain.ledger,
    store,
    receipts: privacy.receipts,
    privacy,
    privateState: privacy.own?.view,
    // Where old states are removed the index keeps up, since it cannot have their calls later.
    isImporting: config.stateHistory === undefined ? importsFirst(chain.ledger, peers) : () => false,
    isDatabaseUnavailable,
    logger,
    metrics,
  });
  const addressHistory = new AddressHistory(store, () => addressIndex.head.hashKey);
  const blockIndex = indexedBlocks(addressIndex, addressHistory);
  return {
    parts: { addressIndex, addressHistory, blockIndex },
    readiness: {},
    close: () => addressIndex.close(),
  };
}
