import {
  decodeSharedState,
  isWholeState,
  type DueRepair,
  type SharedState,
} from '@tetrad/node-private-state';
import type { StoredRepair } from '@tetrad/node-store';
import type { ReceivedMessage } from '@tetrad/transaction-manager-client';
import type { Address, Hash, PtmKey } from '@tetrad/types';
import type { Heard } from '../exchange/heard.js';
import { stateBytes, stateDigest, type ContractState } from '../signed/contract-state.js';
import { AskParties } from './ask-parties.js';
import { obstacleIn, type RepairRule } from './check-answers.js';
import type { RepairingParts } from './repairing-parts.js';

/** What an operator has ordered. */
export interface RepairOrder {
  readonly contract: Address;
  /** Key of this node's manager under which the others are asked. */
  readonly own: PtmKey;
  /** The party whose state is taken. */
  readonly source: PtmKey;
  /** The parties that are asked besides. */
  readonly others: readonly PtmKey[];
  readonly rule: RepairRule;
  /** In the words of the operator. */
  readonly reason: string;
  /** How long each step may take, in milliseconds. */
  readonly waitMs: number;
}

/**
 * `asking`: all parties, of the last followed block. `waiting`: for the next block. `holding`: private state waits for the contract
 * after that block. Then `written`, or `failed`.
 */
export type RepairPhase = 'asking' | 'waiting' | 'holding' | 'written' | 'failed';

export interface RepairProgress {
  readonly order: RepairOrder;
  readonly phase: RepairPhase;
  /** At whose end the contract is replaced, once that is known. */
  readonly block: number | undefined;
  /** Why it has failed. */
  readonly failure: string | undefined;
}

const SAME = 'this node has the same state of the contract already';

/** One repair from the order to the row: nothing of it is stored before. */
export class RepairSession {
  private phase: RepairPhase = 'asking';
  private failure: string | undefined;
  private asked: AskParties | undefined;
  private state: SharedState | undefined;
  private payload: Uint8Array = new Uint8Array(0);
  private cancel: () => void = () => undefined;

  /** @param wake - has private state go on, or look again whether it may */
  constructor(
    private readonly parts: RepairingParts,
    private readonly order: RepairOrder,
    private readonly wake: () => void,
  ) {}

  get progress(): RepairProgress {
    const { order, phase, failure } = this;
    const isFixed = phase === 'holding' || phase === 'written';
    return { order, phase, block: isFixed ? this.asked?.question.block : undefined, failure };
  }

  get isOver(): boolean {
    return this.phase === 'written' || this.phase === 'failed';
  }

  /** Asks all parties of the last followed block, so that nothing waits for those that would not answer. */
  begin(block: number, blockHash: Hash): void {
    this.open('offer', block, blockHash, () => void this.onOffers());
    this.limit('the parties have not answered in time');
  }

  hear(message: ReceivedMessage): Heard {
    return this.asked === undefined || this.isOver ? 'unknown' : this.asked.hear(message);
  }

  /** What is to be written at the end of the block that private state follows next. */
  dueAt(block: number, blockHash: Hash): DueRepair | 'wait' | undefined {
    if (this.phase === 'waiting') this.hold(block, blockHash);
    if (this.phase !== 'holding' || this.asked?.question.block !== block) return undefined;
    if (this.state === undefined) return 'wait';
    return { contract: this.order.contract, state: this.state, record: (before) => this.record(before) };
  }

  /** The block was stored with what `dueAt` said. */
  written(block: number): void {
    if (this.phase !== 'holding' || this.asked?.question.block !== block) return;
    this.end('written', undefined);
  }

  /** Ends it, as when the node stops. */
  fail(reason: string): void {
    if (this.isOver) return;
    this.end('failed', reason);
    this.parts.logger.warn('a contract was not repaired', { contract: this.order.contract, reason });
    this.wake();
  }

  private open(purpose: 'offer' | 'whole', block: number, blockHash: Hash, onAll: () => void): void {
    this.asked?.stop();
    const { contract, own, source, others } = this.order;
    const question = { contract, own, source, others, block, blockHash, purpose };
    const asked: AskParties = new AskParties(this.parts, question, () => {
      if (asked.isAnswered && this.asked === asked && !this.isOver) onAll();
    });
    this.asked = asked;
    asked.ask();
  }

  private async onOffers(): Promise<void> {
    const { asked, order } = this;
    if (asked === undefined || this.phase !== 'asking') return;
    const { question, answers } = asked;
    const obstacle = obstacleIn(order, answers);
    if (obstacle !== undefined) return this.fail(obstacle);
    const own = await this.parts.findState(order.contract, question.block);
    const said = answers.get(order.source);
    if (own === undefined || said?.kind !== 'stated')
      return this.fail('this node does not have the contract');
    if (stateDigest(own) === stateDigest(said.statement.state)) return this.fail(SAME);
    asked.stop();
    this.phase = 'waiting';
    this.limit('no further block came; send any transaction, and repair again');
    this.wake();
  }

  private hold(block: number, blockHash: Hash): void {
    this.phase = 'holding';
    this.open('whole', block, blockHash, () => this.onWhole());
    this.limit('the parties have not sent what they stated in time');
  }

  private onWhole(): void {
    const { asked, order } = this;
    if (asked === undefined || this.phase !== 'holding' || this.state !== undefined) return;
    const obstacle = obstacleIn(order, asked.answers);
    if (obstacle !== undefined) return this.fail(obstacle);
    const said = asked.answers.get(order.source);
    const payload = asked.whole();
    const state = payload && decodeSharedState(payload, order.contract);
    if (payload === undefined || state === undefined || said?.kind !== 'stated' || !isWholeState(state))
      return this.fail(`what party ${order.source} has sent is not the contract that it has stated`);
    if (stateDigest(state) !== stateDigest(said.statement.state))
      return this.fail(`what party ${order.source} has sent is not the contract that it has stated`);
    asked.stop();
    this.cancel();
    this.state = state;
    this.payload = payload;
    this.wake();
  }

  private record(before: Parameters<DueRepair['record']>[0]): StoredRepair | undefined {
    const { order, asked, state, payload: payloadAfter } = this;
    if (asked === undefined || state === undefined) return undefined;
    const obstacle = obstacleTo(before, state);
    if (obstacle !== undefined || before === undefined || before === 'tooLarge') {
      this.fail(obstacle ?? 'this node does not have the contract');
      return undefined;
    }
    const { contract, own, source, others, reason } = order;
    const signed = [...asked.answers.values()].flatMap((answer) =>
      answer.kind === 'stated' ? [answer.signed] : [],
    );
    return {
      block: asked.question.block,
      contract,
      own,
      source,
      request: asked.request,
      reason,
      stateBefore: stateBytes(before.state),
      stateAfter: stateBytes(state),
      payloadBefore: before.payload,
      payloadAfter,
      statements: Buffer.concat(signed),
      untold: [source, ...others],
      madeAtMs: this.parts.clock.now(),
    };
  }

  private limit(reason: string): void {
    this.cancel();
    this.cancel = this.parts.clock.schedule(this.order.waitMs, () => this.fail(this.missing() ?? reason));
  }

  /** Who is missing, in the words of what is known so far. */
  private missing(): string | undefined {
    if (this.phase === 'waiting' || this.asked === undefined) return undefined;
    return obstacleIn(this.order, this.asked.answers);
  }

  private end(phase: 'written' | 'failed', failure: string | undefined): void {
    this.phase = phase;
    this.failure = failure;
    this.cancel();
    this.asked?.stop();
  }
}

function obstacleTo(before: Parameters<DueRepair['record']>[0], state: ContractState): string | undefined {
  if (before === undefined) return 'this node does not have the contract';
  if (before === 'tooLarge') return 'the contract of this node is too large to be kept in the record';
  return stateDigest(before.state) === stateDigest(state) ? SAME : undefined;
}
