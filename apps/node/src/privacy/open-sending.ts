import { isPrivateTransaction } from '@tetrad/node-execution';
import type { Ledger } from '@tetrad/node-ledger';
import type { TransactionPool } from '@tetrad/node-pool';
import {
  PayloadDistributor,
  RawPrivateTransactions,
  RestrictedTransactions,
  createMarkerSigner,
  HeadStages,
  type PrivateSending as AccountSending,
} from '@tetrad/node-transactions';
import { laneNonce, type Lane } from '@tetrad/node-private-state';
import { gasToCarryNext, type ExecutionGate } from '@tetrad/node-simulation';
import type { Privacy } from './open-privacy.js';

export interface SendingParts {
  readonly ledger: Ledger;
  readonly pool: TransactionPool;
  readonly privacy: Privacy;
  readonly executions: ExecutionGate;
  /** Signs the markers of restricted transactions. */
  readonly nodeKey: Uint8Array;
  /** Whether private transactions of accounts of this node go behind markers. */
  readonly createsMarkers: boolean;
}

/** What sends private transactions; only a node with a transaction manager has it. */
export interface PrivateSending {
  readonly ofAccounts: AccountSending;
  readonly raw: RawPrivateTransactions;
  readonly restricted: RestrictedTransactions;
  /** The next nonce of a lane. Fails: RequestError PRIVATE_STATE_NOT_AVAILABLE */
  readonly countOf: (lane: Lane) => Promise<bigint>;
}

/** Out: undefined on a node without a transaction manager */
export function openSending(parts: SendingParts): PrivateSending | undefined {
  const { ledger, pool, privacy, executions, nodeKey, createsMarkers } = parts;
  const { own, switchesAt } = privacy;
  if (own === undefined) return undefined;
  const { manager, view } = own;
  const stages = new HeadStages({ ledger, own, switchesAt, executions });
  const distributor = new PayloadDistributor({ manager, stages });
  const carryingGas = (data: Uint8Array) => gasToCarryNext(data, ledger);
  const countOf = (lane: Lane) => laneNonce(view, lane, ledger.head().header.number);
  return {
    ofAccounts: { distributor, stages, createsMarkers, carryingGas },
    raw: new RawPrivateTransactions({ distributor, stages, pool, isPrivate: isPrivateTransaction }),
    restricted: new RestrictedTransactions({
      ...{ manager, stages, pool, countOf, carryingGas },
      signer: createMarkerSigner(nodeKey, ledger.genesis.chainId),
    }),
    countOf,
  };
}
