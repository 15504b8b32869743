import type { ExecutionContext, World } from '@tetrad/node-evm';
import { isPrivateTransaction, type StateDatabase } from '@tetrad/node-execution';
import type { FollowOutcome, Following } from '../follower/followed-chain.js';
import type { PrivateHead, PrivateStateStore } from '@tetrad/node-store';
import { EMPTY_ROOT } from '@tetrad/node-block';
import type { Block, Hash, SignedTransaction } from '@tetrad/types';
import type { DecodeTransaction } from '../execution/marked-transaction.js';
import {
  carriedPayloads,
  executePrivateBlock,
  hasPrivateWork,
  type PrivateBlockParts,
} from '../execution/private-block.js';
import { storedRoots } from '../execution/state-validation-root.js';
import { PendingExtensions, StoredExtensions } from '../extension/pending-extensions.js';
import type { SharedStateCheck } from '../extension/shared-state-check.js';
import type { SharedStates } from '../extension/shared-states.js';
import { PendingMetadata } from '../metadata/privacy-metadata.js';
import { AheadPayloads } from '../payload/ahead-payloads.js';
import type { PayloadSource } from '../payload/payload-source.js';
import { StoredMetadata } from './stored-metadata.js';
import type { DueRepair, RepairSource } from '../repair/repair-source.js';
import { writeRepairs } from '../repair/write-repairs.js';
import type { PrivacySwitches } from './privacy-switches.js';
import { toPrivateWrite } from './private-rows.js';

/** A committed block whose public transactions can be executed again. */
export interface Replay {
  readonly context: ExecutionContext;
  /** After the parent block. */
  readonly world: World;
  execute(transaction: SignedTransaction): Promise<unknown>;
  /** As in PrivateBlockParts. */
  readonly isPermitted?: PrivateBlockParts['isPermitted'];
}

export interface PrivateFollowingParts {
  readonly replay: (block: Block) => Promise<Replay>;
  /** Logs of the block's public transactions. */
  readonly countLogs: (block: Block) => Promise<number>;
  readonly states: StateDatabase;
  readonly store: PrivateStateStore;
  readonly payloads: PayloadSource;
  readonly sharedStates: SharedStates;
  readonly switchesAt: (blockNumber: number) => PrivacySwitches;
  readonly decode: DecodeTransaction;
  readonly chainId: bigint;
  /** Absent where no other party is asked. */
  readonly checkShared?: SharedStateCheck | undefined;
  /** Absent where no contract is ever repaired. */
  readonly repairs?: RepairSource | undefined;
}

/** Maximum number of blocks without private transactions before the head is stored. */
const STORED_EVERY = 64;

/**
 * Private state of this node: executes the chain's private transactions to which the node is a party.
 *
 * A block without private transactions is not stored at once; after a restart it is followed again.
 */
export class PrivateFollowing implements Following<Block> {
  private stored = -1;

  constructor(private readonly parts: PrivateFollowingParts) {}

  async findHead(): Promise<PrivateHead | undefined> {
    const head = await this.parts.store.findHead();
    this.stored = head?.number ?? -1;
    return head;
  }

  async follow(block: Block): Promise<FollowOutcome> {
    const { number } = block.header;
    const { repairs: source, switchesAt } = this.parts;
    const due = await source?.dueAt({ number, hash: block.hash });
    if (due?.kind === 'paused') return due;
    const repairs = due?.repairs ?? [];
    const kinds = { isPrivate: isPrivateTransaction, hasMarkers: switchesAt(number).markers };
    if (hasPrivateWork(block.transactions, kinds)) return this.execute(block, repairs);
    if (repairs.length > 0) return this.repair(block, repairs);
    if (number - this.stored >= STORED_EVERY) await this.store(block);
    return { kind: 'followed' };
  }

  /** Root of the private state after the block. */
  async rootAt(blockNumber: number): Promise<Hash> {
    return (await this.parts.store.findRoot(blockNumber)) ?? EMPTY_ROOT;
  }

  /** A block without private transactions. */
  private async repair(block: Block, due: readonly DueRepair[]): Promise<FollowOutcome> {
    const { number: blockNumber } = block.header;
    const world = await this.parts.states.openWorld(await this.rootAt(blockNumber - 1));
    const repairs = await writeRepairs(world, due);
    const changes = await world.commitBlock();
    const nothing = { results: [], created: new Map(), publicLogs: 0 };
    await this.store(block, toPrivateWrite({ ...nothing, blockNumber, changes, repairs }));
    this.parts.states.adopt(changes);
    this.parts.repairs?.written(blockNumber);
    return { kind: 'followed' };
  }

  private async execute(block: Block, due: readonly DueRepair[]): Promise<FollowOutcome> {
    const { states, store, switchesAt, decode, chainId, sharedStates, checkShared } = this.parts;
    const { number } = block.header;
    const { enhancements, markers } = switchesAt(number);
    const kinds = { isPrivate: isPrivateTransaction, hasMarkers: markers };
    const payloads = new AheadPayloads(this.parts.payloads, carriedPayloads(block.transactions, kinds));
    const replay = await this.parts.replay(block);
    const world = await states.openWorld(await this.rootAt(number - 1), replay.world.journal);
    const metadata = new PendingMetadata(new StoredMetadata(store, number - 1));
    const extensions = new PendingExtensions(new StoredExtensions(store, number - 1));
    const outcome = await executePrivateBlock(
      {
        context: replay.context,
        publicWorld: replay.world,
        privateWorld: world.evm,
        payloads,
        metadata,
        extensions,
        decode,
        chainId,
        roots: storedRoots,
        sharedStates,
        hasPrivacyEnhancements: enhancements,
        hasMarkers: markers,
        executePublicly: (transaction) => replay.execute(transaction),
        isPermitted: replay.isPermitted,
        check: checkShared && ((offer) => checkShared({ ...offer, block: number })),
      },
      block.transactions,
      isPrivateTransaction,
    );
    if (outcome.kind === 'paused') {
      return { kind: 'paused', reason: `${outcome.reason} (transaction ${outcome.transaction})` };
    }
    const repairs = await writeRepairs(world, due);
    const changes = await world.commitBlock();
    const publicLogs = outcome.results.length === 0 ? 0 : await this.parts.countLogs(block);
    const { results } = outcome;
    const { created } = metadata;
    await this.store(
      block,
      toPrivateWrite({ blockNumber: number, results, changes, created, publicLogs, repairs }),
    );
    states.adopt(changes);
    if (due.length > 0) this.parts.repairs?.written(number);
    return { kind: 'followed' };
  }

  private async store({ header, hash }: Block, write?: ReturnType<typeof toPrivateWrite>): Promise<void> {
    try {
      await this.parts.store.moveHead({ number: header.number, hash }, this.stored, write);
    } catch (error) {
      // The database may have committed despite the error, so the stored head is read again.
      const head = await this.findHead();
      if (head?.hash !== hash) throw error;
    }
    this.stored = header.number;
  }
}
