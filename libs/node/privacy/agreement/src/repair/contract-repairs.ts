import type { DueRepairs, RepairSource } from '@tetrad/node-private-state';
import type { ReceivedMessage } from '@tetrad/transaction-manager-client';
import { RequestError, type Address, type Hash, type PtmKey } from '@tetrad/types';
import type { Heard } from '../exchange/heard.js';
import { AnswerRepairs } from './answer-repairs.js';
import { REPAIR_KINDS } from './repair-parts.js';
import { RepairSession, type RepairOrder, type RepairProgress } from './repair-session.js';
import type { RepairRule } from './check-answers.js';
import type { RepairingParts } from './repairing-parts.js';
import { TellRepairs } from './tell-repairs.js';

/** What an operator asks for. */
export interface WantedRepair {
  readonly contract: Address;
  readonly source: PtmKey;
  /** Parties that must state the same; those that are known without it. */
  readonly agreeWith: readonly PtmKey[] | undefined;
  /** Whether the source is believed alone. */
  readonly acceptsOne: boolean;
  readonly reason: string;
  readonly waitMs: number;
}

export interface ContractRepairsParts extends RepairingParts {
  /** Has private state follow the next block, or look again whether it may. */
  readonly wake: () => void;
  /** Whether this node states results to others, and its manager carries messages. */
  readonly carriesMessages: () => Promise<boolean>;
  /** Keys under which this node shares the contract with the other party. */
  readonly ownKeysWith: (contract: Address, other: PtmKey) => Promise<readonly PtmKey[]>;
}

/** Maximum number of parties that are asked. */
const MAX_ASKED = 64;

/** Repairs of private contracts: those that an operator has ordered, those that are stored, and those of other parties. */
export class ContractRepairs implements RepairSource {
  private session: RepairSession | undefined;
  private readonly answering: AnswerRepairs;
  private readonly telling: TellRepairs;

  constructor(private readonly parts: ContractRepairsParts) {
    this.answering = new AnswerRepairs(parts);
    this.telling = new TellRepairs(parts);
  }

  /** The repair that is under way, or was last; undefined without one since the node was started. */
  get progress(): RepairProgress | undefined {
    return this.session?.progress;
  }

  /**
   * Begins a repair, one at a time.
   * @returns how it stands
   * @throws RequestError REPAIR_REFUSED, NOT_A_PRIVATE_CONTRACT, TRANSACTION_MANAGER_UNAVAILABLE
   */
  async begin(wanted: WantedRepair): Promise<RepairProgress> {
    const { followed, hashOf, carriesMessages } = this.parts;
    this.assertFree();
    if (!(await carriesMessages()))
      throw refused('this node does not state results, or its manager carries no messages');
    const order = await this.orderOf(wanted);
    const block = followed();
    const blockHash = await hashOf(block);
    if (blockHash === undefined) throw refused('private state has not followed a block yet');
    // What was ordered meanwhile goes first.
    this.assertFree();
    const session = new RepairSession(this.parts, order, this.parts.wake);
    this.session = session;
    session.begin(block, blockHash);
    return session.progress;
  }

  /** Takes a message of another party, if it is about a repair. */
  async hear(message: ReceivedMessage): Promise<Heard> {
    switch (message.kind) {
      case REPAIR_KINDS.request:
        return this.answering.hear(message);
      case REPAIR_KINDS.done:
        return this.telling.hear(message);
      case REPAIR_KINDS.statement:
      case REPAIR_KINDS.refusal:
      case REPAIR_KINDS.part:
        return this.session?.hear(message) ?? 'unknown';
      default:
        return 'unknown';
    }
  }

  /** Tells other parties of repairs of which they were not told yet. */
  tell(): Promise<void> {
    return this.telling.tellAll();
  }

  dueAt({ number, hash }: { readonly number: number; readonly hash: Hash }): Promise<DueRepairs> {
    return Promise.resolve(this.dueNow(number, hash));
  }

  written(block: number): void {
    this.session?.written(block);
  }

  async stop(): Promise<void> {
    this.session?.fail('the node has stopped');
    await this.answering.stop();
  }

  /** @throws RequestError REPAIR_REFUSED */
  private assertFree(): void {
    if (this.session?.isOver === false) throw refused('another repair is under way');
  }

  private dueNow(number: number, hash: Hash): DueRepairs {
    const due = this.session?.dueAt(number, hash);
    if (due === 'wait') {
      const { contract, source } = this.session?.progress.order ?? {};
      return { kind: 'paused', reason: `contract ${contract} is repaired, and comes from party ${source}` };
    }
    return { kind: 'known', repairs: due === undefined ? [] : [due] };
  }

  private async orderOf(wanted: WantedRepair): Promise<RepairOrder> {
    const { contract, source, agreeWith, acceptsOne, reason, waitMs } = wanted;
    const { findState, followed, partiesOf, ownKeysWith } = this.parts;
    if ((await findState(contract, followed())) === undefined)
      throw new RequestError('NOT_A_PRIVATE_CONTRACT', `this node has no private contract ${contract}`);
    const { parties, own: ownKeys } = await partiesOf(contract);
    const [own = [...ownKeys][0]] = await ownKeysWith(contract, source);
    if (own === undefined || ownKeys.has(source))
      throw refused(`this node shares no contract ${contract} with party ${source}`);
    const named = agreeWith ?? [...parties].filter((key) => !ownKeys.has(key));
    const others = [...new Set(named)].filter((key) => key !== source);
    if (others.some((key) => ownKeys.has(key))) throw refused('a party to agree with is this node itself');
    if (others.length >= MAX_ASKED) throw refused(`more than ${MAX_ASKED} parties to agree with`);
    const rule: RepairRule = acceptsOne ? 'one' : agreeWith === undefined ? 'most' : 'all';
    if (rule !== 'one' && others.length === 0)
      throw refused(
        `no party besides ${source} is known to have the contract: name others (--agree-with), or believe it alone (--accept-one)`,
      );
    const asked = rule === 'one' ? [] : others;
    return { contract, own, source, others: asked, rule, reason, waitMs };
  }
}

function refused(text: string): RequestError {
  return new RequestError('REPAIR_REFUSED', text);
}
