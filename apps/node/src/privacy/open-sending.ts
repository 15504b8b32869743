import { isPrivateTransaction } from '@tetrad/node-execution';
import type { Ledger } from '@tetrad/node-ledger';
import type { TransactionPool } from '@tetrad/node-pool';
import {
  PayloadDistributor,
  RecipientCheck,
  RawPrivateTransactions,
  RestrictedTransactions,
  createMarkerSigner,
  type MarkerKey,
  LedgerHead,
  type PrivateSending as AccountSending,
} from '@tetrad/node-transactions';
import { groupNonce, type GroupSender } from '@tetrad/node-private-state';
import { gasToCarryNext, type ExecutionGate } from '@tetrad/node-simulation';
import { systemClock, type Logger } from '@tetrad/types';
import { contractParties } from './contract-parties.js';
import type { PrivateParts, Privacy } from './open-privacy.js';

export interface SendingParts {
  readonly ledger: Ledger;
  readonly pool: TransactionPool;
  readonly privacy: Privacy;
  readonly executions: ExecutionGate;
  /** Signs the markers of restricted transactions. */
  readonly markerKey: MarkerKey;
  /** Whether private transactions of accounts of this node go behind markers. */
  readonly createsMarkers: boolean;
  /** Whether transactions that leave out known parties are refused. */
  readonly refusesPartial: boolean;
  readonly logger: Logger;
}

/** Sends private transactions; only a node with a transaction manager has it. */
export interface PrivateSending {
  readonly ofAccounts: AccountSending;
  readonly raw: RawPrivateTransactions;
  readonly restricted: RestrictedTransactions;
  /**
   * The next nonce of a sender in a group.
   * @throws RequestError PRIVATE_STATE_NOT_AVAILABLE
   */
  readonly countOf: (sender: GroupSender) => Promise<bigint>;
}

/** @returns undefined on a node without a transaction manager */
export function openSending(parts: SendingParts): PrivateSending | undefined {
  const { ledger, pool, privacy, executions, markerKey, createsMarkers } = parts;
  const { own, switchesAt } = privacy;
  if (own === undefined) return undefined;
  const { manager, view } = own;
  const head = new LedgerHead({ ledger, own, switchesAt, executions });
  const recipients = recipientCheck(parts, own);
  const distributor = new PayloadDistributor({ manager, head, recipients });
  const carryingGas = (data: Uint8Array) => gasToCarryNext(data, ledger);
  const countOf = (sender: GroupSender) => groupNonce(view, sender, ledger.head().header.number);
  return {
    ofAccounts: { distributor, head, createsMarkers, carryingGas },
    raw: new RawPrivateTransactions({ distributor, head, pool, isPrivate: isPrivateTransaction }),
    restricted: new RestrictedTransactions({
      manager,
      head,
      pool,
      recipients,
      countOf,
      carryingGas,
      signer: createMarkerSigner(markerKey, ledger.genesis.chainId),
    }),
    countOf,
  };
}

function recipientCheck(
  { ledger, privacy, refusesPartial, logger }: SendingParts,
  own: PrivateParts,
): RecipientCheck {
  return new RecipientCheck({
    partiesOf: contractParties(ledger, privacy, own),
    blockNumber: () => own.follower.head,
    refuses: refusesPartial,
    clock: systemClock,
    logger,
  });
}
