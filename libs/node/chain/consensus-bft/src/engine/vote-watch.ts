import type { Address } from '@tetrad/types';
import type { ConsensusMessage, MessageKind, View } from '../messages/consensus-message.js';

/** Decided heights whose messages are still compared: a validator that forgot what it signed begins below the others. */
const HEIGHTS_BELOW = 8;
/** Messages of further heights are compared once they are nearer; the machine keeps as many. */
const HEIGHTS_ABOVE = 2;
/** Messages of one validator and kind that are remembered at a height; more rounds than an honest one enters. */
const MAX_ROUNDS = 64;

/** Two different messages of one kind that a validator signed in one view. */
export interface Conflict extends View {
  readonly kind: MessageKind;
  readonly sender: Address;
  readonly first: string;
  readonly second: string;
}

interface Said {
  readonly content: string;
  isReported: boolean;
}

interface HeightWatch {
  readonly senders: Set<Address>;
  readonly liars: Set<Address>;
  /** Kind and sender → round → what it said. */
  readonly said: Map<string, Map<number, Said>>;
}

/**
 * Compares what validators sign, on every node, whether it takes part or not: an honest validator says one thing of a
 * kind in a view, also after a restart. Bounded in heights, rounds and validators.
 */
export class VoteWatch {
  private readonly heights = new Map<number, HeightWatch>();

  /**
   * @param open - the height being decided
   * @returns the conflict with an earlier message, once for each view and kind
   */
  observe(message: ConsensusMessage, open: number): Conflict | undefined {
    const { height, kind, sender } = message;
    if (height < open - HEIGHTS_BELOW || height > open + HEIGHTS_ABOVE) return undefined;
    const watch = this.at(height);
    watch.senders.add(sender);
    // A seal is given once at a height, in whatever round.
    const round = kind === 'seal' ? 0 : message.round;
    const key = `${kind}:${sender}`;
    const rounds = watch.said.get(key) ?? new Map<number, Said>();
    watch.said.set(key, rounds);
    const content = contentOf(message);
    const earlier = rounds.get(round);
    if (earlier === undefined) {
      if (rounds.size < MAX_ROUNDS) rounds.set(round, { content, isReported: false });
      return undefined;
    }
    if (earlier.content === content || earlier.isReported) return undefined;
    earlier.isReported = true;
    watch.liars.add(sender);
    return { kind, sender, height, round: message.round, first: earlier.content, second: content };
  }

  /** Whether a conflict of the validator at the height was returned. */
  hasConflict(sender: Address, height: number): boolean {
    return this.heights.get(height)?.liars.has(sender) === true;
  }

  /** Validators of which messages of the height or a later one were received. */
  heard(height: number): ReadonlySet<Address> {
    const senders = [...this.heights].flatMap(([one, watch]) => (one >= height ? [...watch.senders] : []));
    return new Set(senders);
  }

  /**
   * Forgets heights that are too old.
   * @param open - the height being decided
   */
  endHeight(open: number): void {
    for (const height of this.heights.keys()) if (height < open - HEIGHTS_BELOW) this.heights.delete(height);
  }

  private at(height: number): HeightWatch {
    const known = this.heights.get(height);
    if (known !== undefined) return known;
    const watch = {
      senders: new Set<Address>(),
      liars: new Set<Address>(),
      said: new Map<string, Map<number, Said>>(),
    };
    this.heights.set(height, watch);
    return watch;
  }
}

/** What the signature of the message binds, beside its view. */
function contentOf(message: ConsensusMessage): string {
  switch (message.kind) {
    case 'proposal':
      return message.block.hash;
    case 'roundChange': {
      const { prepared } = message;
      return prepared === undefined ? 'nothing prepared' : `${prepared.digest} prepared in ${prepared.round}`;
    }
    default:
      return message.digest;
  }
}
