import { addressFromPrivateKey, keccak256, signDigest } from '@tetrad/crypto';
import { decodeTransaction, isPrivateTransaction } from '@tetrad/node-execution';
import type { Ledger } from '@tetrad/node-ledger';
import type { TransactionPool } from '@tetrad/node-pool';
import {
  PayloadDistributor,
  RawPrivateTransactions,
  RestrictedTransactions,
  type MarkerSigner,
} from '@tetrad/node-private-sending';
import { laneAccount, type Lane } from '@tetrad/node-private-state';
import { HeadStages, type PrivateSending as AccountSending } from '@tetrad/node-transactions';
import { gasToCarry, type ExecutionGate } from '@tetrad/node-simulation';
import type { Privacy, PrivateParts } from './open-privacy.js';

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
  /** The next nonce of a lane. Fails: RefusalError PRIVATE_STATE_NOT_AVAILABLE */
  readonly countOf: (lane: Lane) => Promise<bigint>;
}

/** Out: undefined on a node without a transaction manager */
export function openSending(parts: SendingParts): PrivateSending | undefined {
  const { ledger, pool, privacy, executions, createsMarkers } = parts;
  const { own, switchesAt } = privacy;
  if (own === undefined) return undefined;
  const { manager } = own;
  const stages = new HeadStages({ ledger, own, switchesAt, executions });
  const distributor = new PayloadDistributor({ manager, stages });
  const carryingGas = (data: Uint8Array) => gasAtHead(ledger, data);
  const countOf = (lane: Lane) => executedOf(ledger, own, lane);
  return {
    ofAccounts: { distributor, stages, createsMarkers, carryingGas },
    raw: new RawPrivateTransactions({ distributor, stages, pool, isPrivate: isPrivateTransaction }),
    restricted: new RestrictedTransactions({
      ...{ manager, stages, pool, countOf, carryingGas },
      signer: markerSigner(parts),
    }),
    countOf,
  };
}

function markerSigner({ nodeKey, ledger }: SendingParts): MarkerSigner {
  const { chainId } = ledger.genesis;
  return {
    ...{ address: addressFromPrivateKey(nodeKey), chainId },
    sign: (envelope) =>
      decodeTransaction(envelope.raw(signDigest(keccak256(envelope.preimage()), nodeKey)), chainId),
  };
}

/** In the next block. */
function gasAtHead(ledger: Ledger, data: Uint8Array): bigint {
  const { number, timestamp } = ledger.contextOf(ledger.head().header);
  return gasToCarry(data, ledger.executor.rules({ number: number + 1, timestamp }));
}

async function executedOf(ledger: Ledger, { view }: PrivateParts, lane: Lane): Promise<bigint> {
  const { number } = ledger.head().header;
  await view.demand(number);
  const world = await view.worldAt(number);
  return (await world.findAccount(laneAccount(lane)))?.nonce ?? 0n;
}
