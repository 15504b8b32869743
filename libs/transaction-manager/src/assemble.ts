import { setTimeout } from 'node:timers/promises';
import { FairTurns } from '@tetrad/rpc';
import { silentMetrics, type Logger, type Metrics, type PtmKey } from '@tetrad/types';
import { Completeness } from './completeness/completeness.js';
import { LossCheck } from './completeness/loss-check.js';
import { MarkExchange } from './completeness/mark-exchange.js';
import { MarkKeeper } from './completeness/mark-keeper.js';
import { PayloadMarks } from './completeness/payload-marks.js';
import type { Enclave } from './enclave/enclave.js';
import { PrivacyGroups } from './group/privacy-groups.js';
import { residentGroups, type ResidentGroup } from './group/resident-groups.js';
import { Deliveries } from './manager/deliveries.js';
import { NewRawPayloads } from './manager/new-raw-payloads.js';
import { RequestTurns } from './manager/request-turns.js';
import { Resender } from './manager/resend.js';
import { TransactionManager } from './manager/transaction-manager.js';
import { MessageInbox } from './message/message-inbox.js';
import { MessageOutbox } from './message/message-outbox.js';
import { PeerAbilities } from './message/peer-abilities.js';
import { KeyClaims } from './party/key-claims.js';
import { KeyConflicts } from './party/key-conflicts.js';
import { KeyProver } from './party/key-prover.js';
import { PartyExchange } from './party/party-exchange.js';
import { PartyTable } from './party/party-table.js';
import type { PeerClient } from './party/peer-client.js';
import { ProofBudget } from './party/proof-budget.js';
import { PushGroups } from './party/push-groups.js';
import { Recovery } from './recovery/recovery.js';
import type { KeyHolderStore } from './store/key-holder-store.js';
import type { ManagerStore } from './store/open-manager-store.js';

/** What decides how a manager behaves, wherever it listens. */
export interface BehaviourOptions {
  readonly logger: Logger;
  /** Listen to the managers of `peers` only. */
  readonly useWhitelist?: boolean;
  /** Get to know managers that others tell of; default true. */
  readonly discover?: boolean;
  /** Have managers prove the keys they announce; default true. */
  readonly proveKeys?: boolean;
  /** Take proofs of keys without the URL of the manager that gives them, as existing managers give them; default true. */
  readonly unboundProofs?: boolean;
  /** Ask managers at any address that is announced; default false: peers, and those at the announcer's own address. */
  readonly anyAddress?: boolean;
  /** Take privacy flags 1 to 3; default true. */
  readonly enhanced?: boolean;
  /** Keys that get every payload. */
  readonly alwaysSendTo?: readonly PtmKey[];
  /** Which own keys see one private state; absent without multiple private states. */
  readonly residentGroups?: readonly ResidentGroup[] | undefined;
  readonly partyIntervalMs?: number;
  readonly metrics?: Metrics;
  /** Shares the main thread between requests. */
  readonly turns?: FairTurns;
  /** Waits between the requests of a recovery; time passes without it. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

/** The parts of a manager, behind its ports. */
export interface Parts {
  readonly enclave: Enclave;
  readonly manager: TransactionManager;
  readonly groups: PrivacyGroups;
  readonly resender: Resender;
  readonly recovery: Recovery;
  readonly completeness: Completeness;
  readonly lossCheck: LossCheck;
  readonly table: PartyTable;
  readonly exchange: PartyExchange;
  readonly conflicts: KeyConflicts;
  readonly holders: KeyHolderStore;
  readonly markKeeper: MarkKeeper;
  readonly inbox: MessageInbox;
  readonly outbox: MessageOutbox;
  readonly deliveries: Deliveries;
  readonly newRaws: NewRawPayloads;
}

const PARTY_INTERVAL_MS = 5_000;
const MESSAGE_INTERVAL_MS = 1_000;
/** What peers send back that were asked for it counts as of one sender. */
const ASKED = 'asked';

/**
 * Puts a manager together.
 * @param at.url - our own
 * @param at.configured - URLs of peers
 * @throws TypeError for groups that do not fit the keys
 */
export function assemble(
  options: BehaviourOptions,
  at: {
    readonly stored: ManagerStore;
    readonly enclave: Enclave;
    readonly peers: PeerClient;
    readonly url: string;
    readonly configured: readonly string[];
  },
): Parts {
  const { logger, enhanced = true, alwaysSendTo = [], discover = true } = options;
  const { stored, enclave, peers, url, configured } = at;
  const { payloads: store, raws, holders, staged } = stored;
  const { ring } = enclave;
  const table = new PartyTable({ url, keys: ring.keys, peers: configured });
  const delivery = { parties: table, peers };
  const pushes = new PushGroups(peers);
  const conflicts = new KeyConflicts({ logger, metrics: options.metrics ?? silentMetrics });
  const { metrics = silentMetrics, partyIntervalMs: intervalMs = PARTY_INTERVAL_MS } = options;
  const completeness = new Completeness({ store: stored.completeness, logger, metrics });
  const marks = new PayloadMarks({ store: stored.completeness, completeness, enclave });
  const abilities = new PeerAbilities();
  const exchange = exchangeOf(options, { ...at, table, conflicts, holders, marks, abilities });
  const resident = options.residentGroups && residentGroups(options.residentGroups, ring.keys);
  const groups = new PrivacyGroups({ ...delivery, ring, resident, store: stored.groups });
  const turns = new RequestTurns(options.turns ?? new FairTurns());
  const asking = { enclave, store, table, exchange, peers, logger, discover, completeness };
  const turn = turns.of(ASKED);
  const lossCheck = new LossCheck({ ...asking, turn, intervalMs });
  const newRaws = new NewRawPayloads();
  const deliveries = new Deliveries({ ...delivery, pushes, enclave, store, logger, metrics });
  return {
    enclave,
    table,
    exchange,
    groups,
    conflicts,
    holders,
    completeness,
    lossCheck,
    deliveries,
    newRaws,
    markKeeper: new MarkKeeper({ enclave, table, holders }),
    inbox: new MessageInbox({ enclave, table, turns, store: stored.messages }),
    outbox: new MessageOutbox({
      enclave,
      table,
      peers,
      abilities,
      logger,
      store: stored.messages,
      intervalMs: options.partyIntervalMs ?? MESSAGE_INTERVAL_MS,
    }),
    manager: new TransactionManager({
      ...delivery,
      pushes,
      deliveries,
      newRaws,
      enclave,
      store,
      raws,
      enhanced,
      alwaysSendTo,
      completeness,
      turns,
    }),
    resender: new Resender({ ...delivery, store, completeness }),
    recovery: new Recovery({
      ...asking,
      turn,
      enhanced,
      staged,
      lossCheck,
      pause: options.pause ?? ((ms) => setTimeout(ms)),
    }),
  };
}

function exchangeOf(
  options: BehaviourOptions,
  at: {
    readonly enclave: Enclave;
    readonly peers: PeerClient;
    readonly table: PartyTable;
    readonly configured: readonly string[];
    readonly conflicts: KeyConflicts;
    readonly holders: KeyHolderStore;
    readonly marks: PayloadMarks;
    readonly abilities: PeerAbilities;
  },
): PartyExchange {
  const { enclave, peers, table, configured, conflicts, holders, marks, abilities } = at;
  const { logger, discover = true, proveKeys = true, partyIntervalMs = PARTY_INTERVAL_MS } = options;
  const budget = new ProofBudget();
  const claims = new KeyClaims({
    ring: enclave.ring,
    table,
    conflicts,
    budget,
    logger,
    store: holders,
    prover: new KeyProver({ enclave, peers }),
    acceptsUnbound: options.unboundProofs ?? true,
  });
  return new PartyExchange({
    peers,
    table,
    conflicts,
    abilities,
    budget,
    logger,
    discover,
    marks: new MarkExchange({ marks, enclave, table, peers, logger }),
    claims: proveKeys ? claims : undefined,
    anyAddress: options.anyAddress ?? false,
    allowed: options.useWhitelist === true ? new Set(configured) : undefined,
    intervalMs: partyIntervalMs,
  });
}

/** Restores the holders that were proved before the last stop; claims of their keys are checked against them. */
export async function restoreHolders({ table, holders }: Pick<Parts, 'table' | 'holders'>): Promise<void> {
  for (const { key, url, bound } of await holders.all()) table.setHolder(key, { url, bound, active: false });
}
