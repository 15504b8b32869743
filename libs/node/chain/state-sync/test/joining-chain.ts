import { addressFromPrivateKey } from '@tetrad/crypto';
import type { ValidatorSnapshot } from '@tetrad/node-consensus-bft';
import { serveValidators } from '@tetrad/node-consensus-bft-chain';
import type { Genesis } from '@tetrad/node-execution';
import { ServedPast, ServedState } from '@tetrad/node-ledger';
import type { PeerLimits, StatePort } from '@tetrad/node-peer';
import type { StateRepair } from '@tetrad/node-store';
import { systemClock, type Address, type Clock, type SignedTransaction } from '@tetrad/types';
import { testGenesis, type TestLedger } from '../../consensus-bft-chain/test/open-test-ledger.js';
import { nextBlock, type NextBlock } from '../../consensus-bft-chain/test/seal-block.js';
import type { TestLedgers } from '../../consensus-bft-chain/test/test-ledgers.js';
import { CollectedLog } from '../../peer/test/collected-log.js';
import { eventually } from '../../peer/test/eventually.js';
import type { FakeNetwork, FakeNode } from '../../peer/test/fake-node.js';
import {
  CheckpointEvidence,
  LogEvidence,
  SealEvidence,
  StateSync,
  type Checkpoint,
  type EvidenceOfRun,
  type LoggedBlock,
  type PastToLeaveOut,
} from '../src/index.js';

/** Keys of the validators A, B, C, D, and of E, which is not a validator. */
const KEYS = [1, 2, 3, 4, 5].map((scalar) => Buffer.alloc(32, scalar));
export const [A, B, C, D, E] = KEYS as [Buffer, Buffer, Buffer, Buffer, Buffer];
export const STORE = `0x${'c0'.repeat(20)}` as Address;
/** Goes when it is called, with its storage. */
export const DOOMED = `0x${'dd'.repeat(20)}` as Address;
const ACCOUNTS = 300;
const SLOTS = 250;
/** Contracts with one slot each, two of which are equal. */
const SMALL = 40;
/** Of one answer, so that the state has several. */
const BOUNDS = { entries: 100, nodes: 1_000 };

const word = (value: number) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
const addressAt = (prefix: string, index: number) =>
  `0x${prefix}${index.toString(16).padStart(40 - prefix.length, '0')}` as Address;

/** A state of several ranges of accounts, one storage of several ranges, and many small ones. */
export function largeGenesis(changes: Parameters<typeof testGenesis>[0] = {}): Genesis {
  const genesis = testGenesis({ blockPeriodMs: 1000, validatorKeys: [A, B, C, D], ...changes });
  const empty = { balance: 0n, nonce: 1n, code: new Uint8Array(0), storage: [] };
  const storage = Array.from({ length: SLOTS }, (_, slot) => ({ slot: word(slot), value: word(slot + 1) }));
  return {
    ...genesis,
    alloc: [
      ...genesis.alloc,
      // Stores the second word of its input in the slot that the first one names.
      { ...empty, address: STORE, code: Buffer.from('602035600035550000', 'hex'), storage },
      // CALLER SELFDESTRUCT
      { ...empty, address: DOOMED, code: Buffer.from('33ff', 'hex'), storage: storage.slice(0, 3) },
      ...Array.from({ length: ACCOUNTS }, (_, index) => ({
        ...empty,
        address: addressAt('aa', index),
        balance: 1n,
      })),
      ...Array.from({ length: SMALL }, (_, index) => ({
        ...empty,
        address: addressAt('bb', index),
        code: Buffer.from([0x00, (index >> 1) & 0xff]),
        storage: [{ slot: word(index >> 1), value: word(7) }],
      })),
    ],
  };
}

/** Appends a block; three of four seal it when nothing else is said. */
export async function append(
  chain: TestLedger,
  transactions: readonly SignedTransaction[] = [],
  next: Partial<NextBlock> = {},
): Promise<void> {
  await chain.ledger.importBlock(
    await nextBlock(chain, { proposerKey: A, keys: [A, B, C], transactions, ...next }),
  );
}

/**
 * What a node with the chain answers to peers.
 * @param bounds - of one answer; small when absent
 */
export function statePortOf(chain: TestLedger, bounds = BOUNDS): StatePort {
  const served = new ServedState(chain.store, bounds);
  const past = new ServedPast(chain.store, chain.ledger.blockHorizon);
  return {
    history: (question) => past.history(question),
    headers: (question) => served.headers(question),
    ranges: (question) => served.ranges(question),
    contents: (question) => served.contents(question),
    validators: ({ number }) => serveValidators(chain, chain.store, number),
  };
}

/** Starts a peer with the chain; what it answers can be changed. */
export async function startPeer(
  network: FakeNetwork,
  chain: TestLedger,
  more: Partial<StatePort> = {},
): Promise<FakeNode> {
  const genesis = (await chain.ledger.findHeader(0))?.hash;
  if (genesis === undefined) throw new Error('no block 0');
  const state = { ...statePortOf(chain), ...more };
  const peer = await network.start({ state, genesisHash: genesis });
  peer.chain.head = () => chain.ledger.head();
  return peer;
}

function beforeRepairs({ store }: TestLedger, onRepair: (write: StateRepair) => Promise<void>): void {
  const { stateSync } = store;
  const repair = stateSync.repair.bind(stateSync);
  stateSync.repair = async (write) => {
    await onRepair(write);
    await repair(write);
  };
}

/** A node with block 0, and how it joins. */
export interface Joining {
  readonly node: FakeNode;
  readonly log: CollectedLog;
  readonly url: string;
  readonly ending: AbortController;
  run(): Promise<number | undefined>;
}

export async function startJoining(
  { ledgers, network }: { readonly ledgers: TestLedgers; readonly network: FakeNetwork },
  peers: readonly FakeNode[],
  options: {
    readonly genesis: Genesis;
    readonly checkpoint?: Checkpoint;
    readonly trustsCheckpoint?: boolean;
    readonly url?: string;
    /** The system's when absent. */
    readonly clock?: Clock;
    readonly limits?: Partial<PeerLimits>;
    readonly past?: PastToLeaveOut;
    readonly onTarget?: () => Promise<void>;
    /** The newest block of a log, in place of seals. */
    readonly newest?: () => Promise<LoggedBlock | undefined>;
    /** Flat rows that are healed at once, and what is called before they are stored. */
    readonly healedRows?: number;
    readonly onRepair?: (write: StateRepair) => Promise<void>;
  },
): Promise<Joining> {
  const url = options.url ?? (await ledgers.freshUrl());
  const chain = await ledgers.open(url, { genesis: options.genesis });
  const genesisHash = chain.ledger.head().hash;
  const staticPeers = peers.map(({ enode }) => enode);
  const { limits = {} } = options;
  const node = await network.start({ genesisHash, staticPeers, takesNoBlocks: true, limits });
  node.chain.head = () => chain.ledger.head();
  await eventually(() => node.network.states.sources().length === peers.length, 'all peers');
  const log = new CollectedLog();
  const ending = new AbortController();
  const { checkpoint, newest, onRepair, healedRows, clock = systemClock } = options;
  if (onRepair !== undefined) beforeRepairs(chain, onRepair);
  const evidence: EvidenceOfRun<ValidatorSnapshot> = (pool) => {
    if (newest !== undefined) return new LogEvidence({ chain, newest, pool, clock });
    return checkpoint !== undefined && options.trustsCheckpoint === true
      ? new CheckpointEvidence({ chain, store: chain.store, checkpoint, pool, clock })
      : new SealEvidence(chain, chain.store);
  };
  const run = async () => {
    const sync = new StateSync({
      chain,
      evidence,
      store: chain.store,
      peers: node.network.states,
      healedRows,
      checkpoint,
      past: options.past,
      onTarget: options.onTarget,
      // All of them are, before it runs.
      isGathered: () => true,
      clock,
      logger: log,
      signal: ending.signal,
    });
    try {
      return await sync.run();
    } finally {
      await ledgers.close(chain);
    }
  };
  return { node, log, url, ending, run };
}

export const addressesOf = (keys: readonly Uint8Array[]): Address[] => keys.map(addressFromPrivateKey).sort();
