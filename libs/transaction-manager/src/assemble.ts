import type { Logger, PtmKey } from '@tetrad/types';
import type { Database } from '@tetrad/db';
import type { Enclave } from './enclave/enclave.js';
import { PrivacyGroups } from './group/privacy-groups.js';
import { residentGroups, type ResidentGroup } from './group/resident-groups.js';
import { Resender } from './manager/resend.js';
import { TransactionManager } from './manager/transaction-manager.js';
import { PartyExchange } from './party/party-exchange.js';
import { PartyTable } from './party/party-table.js';
import type { PeerClient } from './party/peer-client.js';
import { PushGroups } from './party/push-groups.js';
import { Recovery } from './recovery/recovery.js';
import { PayloadStore } from './store/payload-store.js';
import { PrivacyGroupStore } from './store/privacy-group-store.js';
import { RawPayloadStore } from './store/raw-payload-store.js';
import { StagedPayloadStore } from './store/staged-payload-store.js';

/** What decides how a manager behaves, wherever it listens. */
export interface BehaviourOptions {
  readonly database: Database;
  readonly logger: Logger;
  /** Listen to the managers of `peers` only. */
  readonly useWhitelist?: boolean;
  /** Get to know managers that others tell of; default true. */
  readonly discover?: boolean;
  /** Have managers prove the keys they announce; default true. */
  readonly proveKeys?: boolean;
  /** Take privacy flags 1 to 3; default true. */
  readonly enhanced?: boolean;
  /** Keys that get every payload. */
  readonly alwaysSendTo?: readonly PtmKey[];
  /** Which own keys see one private state; without it there are no multiple private states. */
  readonly residentGroups?: readonly ResidentGroup[] | undefined;
  readonly partyIntervalMs?: number;
}

/** The parts of a manager, behind its ports. */
export interface Parts {
  readonly enclave: Enclave;
  readonly manager: TransactionManager;
  readonly groups: PrivacyGroups;
  readonly resender: Resender;
  readonly recovery: Recovery;
  readonly table: PartyTable;
  readonly exchange: PartyExchange;
}

const PARTY_INTERVAL_MS = 5_000;

/** Puts a manager together. In: url — our own; configured — URLs of peers. Fails: TypeError for groups that do not fit the keys */
export function assemble(
  options: BehaviourOptions,
  at: {
    readonly enclave: Enclave;
    readonly peers: PeerClient;
    readonly url: string;
    readonly configured: readonly string[];
  },
): Parts {
  const { database, logger, enhanced = true, alwaysSendTo = [] } = options;
  const { enclave, peers, url, configured } = at;
  const { ring } = enclave;
  const table = new PartyTable({ url, keys: ring.keys, peers: configured });
  const store = new PayloadStore(database);
  const delivery = { parties: table, peers };
  const raws = new RawPayloadStore(database);
  const exchange = exchangeOf(options, { ...at, table });
  const resident = options.residentGroups && residentGroups(options.residentGroups, ring.keys);
  const groups = new PrivacyGroups({ ...delivery, ring, resident, store: new PrivacyGroupStore(database) });
  const staged = new StagedPayloadStore(database);
  return {
    ...{ enclave, table, exchange, groups },
    manager: new TransactionManager({
      ...{ ...delivery, pushes: new PushGroups(peers) },
      ...{ enclave, store, raws, enhanced, alwaysSendTo },
    }),
    resender: new Resender({ ...delivery, store }),
    recovery: new Recovery({ enclave, store, enhanced, staged, table, exchange, peers, logger }),
  };
}

function exchangeOf(
  options: BehaviourOptions,
  at: {
    readonly enclave: Enclave;
    readonly peers: PeerClient;
    readonly table: PartyTable;
    readonly configured: readonly string[];
  },
): PartyExchange {
  const { enclave, peers, table, configured } = at;
  const { logger, discover = true, proveKeys = true, partyIntervalMs = PARTY_INTERVAL_MS } = options;
  return new PartyExchange({
    ...{ enclave, peers, table, logger, discover, proveKeys },
    allowed: options.useWhitelist === true ? new Set(configured) : undefined,
    intervalMs: partyIntervalMs,
  });
}
