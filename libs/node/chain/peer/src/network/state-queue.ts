import type { NodeId } from '../identity/node-id.js';

/** Who asks. */
export interface Asker {
  readonly nodeId: NodeId;
  /** Whether it is a validator, or named by the operator. */
  readonly isMember: boolean;
  /** Those that share what one gets: a member alone, strangers by the address from which they come. */
  readonly group: string;
}

/** A question that waits or is answered. */
export interface QueuedQuestion {
  readonly asker: Asker;
  /** Called when it lost its place before it was begun with. */
  readonly comeAgain: () => void;
}

/**
 * Places of questions, one of a node. Each group has more than its share while no other one wants a place: members have half of the
 * places and every second turn, strangers the others, and each of them is shared by groups. A question beyond takes the place of the
 * newest one of the group that has most.
 */
export class StateQueue<Question extends QueuedQuestion> {
  /** In the order in which they came. */
  private readonly waiting: Question[] = [];
  private begun: Question | undefined;
  /** Number of the turn at which a group that has a place got its first one, or had its last turn. */
  private readonly since = new Map<string, number>();
  private turns = 0;
  private wasMember = false;

  constructor(private readonly places: number) {}

  /** Takes a place, or says that the question has to come again. */
  enter(question: Question): void {
    const { nodeId, group } = question.asker;
    const all = this.all();
    if (all.some(({ asker }) => asker.nodeId === nodeId)) return question.comeAgain();
    if (all.length >= this.places) {
      const loser = this.loserTo(question.asker);
      if (loser === undefined) return question.comeAgain();
      this.waiting.splice(this.waiting.indexOf(loser), 1);
      this.forget(loser);
      loser.comeAgain();
    }
    this.waiting.push(question);
    if (!this.since.has(group)) this.since.set(group, this.turns);
  }

  /** The question whose turn it is; undefined when none waits. */
  begin(): Question | undefined {
    const others = this.waiting.filter(({ asker }) => asker.isMember !== this.wasMember);
    const [next] = [...(others.length > 0 ? others : this.waiting)].sort(
      (one, other) => this.sinceOf(one) - this.sinceOf(other),
    );
    if (next === undefined) return undefined;
    this.waiting.splice(this.waiting.indexOf(next), 1);
    this.begun = next;
    this.wasMember = next.asker.isMember;
    this.turns += 1;
    this.since.set(next.asker.group, this.turns);
    return next;
  }

  /** The question that was begun with is answered. */
  end(): void {
    const ended = this.begun;
    this.begun = undefined;
    if (ended !== undefined) this.forget(ended);
  }

  /** Which waiting question makes room for one of the asker; undefined: none, as no group has more than its share. */
  private loserTo({ isMember, group }: Asker): Question | undefined {
    const ofOthers = this.all().filter(({ asker }) => asker.isMember !== isMember);
    if (ofOthers.length > this.places / 2) return this.newestOfMost(!isMember);
    const loser = this.newestOfMost(isMember);
    return loser && this.held(loser.asker.group) > this.held(group) + 1 ? loser : undefined;
  }

  private newestOfMost(isMember: boolean): Question | undefined {
    return this.waiting
      .filter(({ asker }) => asker.isMember === isMember)
      .reverse()
      .sort((one, other) => this.held(other.asker.group) - this.held(one.asker.group))[0];
  }

  private held(group: string): number {
    return this.all().filter(({ asker }) => asker.group === group).length;
  }

  private sinceOf({ asker }: Question): number {
    return this.since.get(asker.group) ?? 0;
  }

  private forget({ asker }: Question): void {
    if (this.held(asker.group) === 0) this.since.delete(asker.group);
  }

  private all(): readonly Question[] {
    return this.begun === undefined ? this.waiting : [this.begun, ...this.waiting];
  }
}
