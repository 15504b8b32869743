import { consensusFields, type ConsensusHeader } from './consensus-fields.js';

/** A block of the last hour. */
export interface HourBlock extends ConsensusHeader {
  readonly number: number;
  /** Seconds since the epoch. */
  readonly timestamp: number;
}

/** What a block shows that is not as usual. */
export type BlockEvent = { readonly block: number; readonly time: number } & (
  | { readonly kind: 'gap'; readonly seconds: number }
  | LateRounds
  | { readonly kind: 'vote'; readonly by: string; readonly candidate: string; readonly isIn: boolean }
  | { readonly kind: 'validators'; readonly joined: readonly string[]; readonly left: readonly string[] }
);

/** Blocks of a late round, one after the other or with others between them, that the same validators did not propose. */
export interface LateRounds {
  readonly kind: 'rounds';
  /** Of the newest of them, which the event is of. */
  readonly round: number;
  readonly missed: readonly string[];
  /** How many blocks, and the lowest. */
  readonly times: number;
  readonly since: number;
  /** The longest wait for one of them; 0 when none was a gap. */
  readonly seconds: number;
}

/** A gap is that many times as long as the usual one, and longer than a few seconds. */
const GAP_FACTOR = 3;
const MIN_GAP_SECONDS = 5;

/**
 * Votes, changes of validators, late rounds and gaps between blocks, newest first. A gap before a late round is said there.
 * @param blocks - ascending, without a gap in their numbers; of the first only its votes and rounds are checked
 */
export function blockEvents(blocks: readonly HourBlock[]): readonly BlockEvent[] {
  const usual = usualSeconds(blocks);
  const limit = Math.max(MIN_GAP_SECONDS, GAP_FACTOR * usual);
  const events: BlockEvent[] = [];
  const votes = new Set<string>();
  let before: { readonly block: HourBlock; readonly validators: readonly string[] } | undefined;
  for (const block of blocks) {
    const at = { block: block.number, time: block.timestamp };
    const seconds = before === undefined ? 0 : block.timestamp - before.block.timestamp;
    const gap = seconds > limit ? seconds : 0;
    const fields = consensusFields(block);
    const validators = fields?.validators ?? [];
    const vote = fields?.vote && `${block.miner} ${fields.vote.candidate} ${fields.vote.isIn}`;
    // A proposer repeats its vote in each of its blocks.
    if (fields?.vote && vote !== undefined && !votes.has(vote)) {
      votes.add(vote);
      events.push({ ...at, kind: 'vote', by: block.miner, ...fields.vote });
    }
    if (fields?.round) {
      const missed = missedProposers(validators, before?.block.miner, fields.round);
      const late = { round: fields.round, missed, times: 1, since: block.number, seconds: gap };
      events.push({ ...at, kind: 'rounds', ...late });
    } else if (gap > 0) events.push({ ...at, kind: 'gap', seconds: gap });
    // Headers of some chains list validators at times only.
    if (before !== undefined && validators.length > 0 && before.validators.length > 0) {
      const joined = without(validators, before.validators);
      const left = without(before.validators, validators);
      if (joined.length + left.length > 0) events.push({ ...at, kind: 'validators', joined, left });
    }
    before = { block, validators };
  }
  return joinLateRounds(events.reverse());
}

/** One event for late rounds that follow one another and have the same cause: a validator that is down has one in each of its turns. */
function joinLateRounds(events: readonly BlockEvent[]): readonly BlockEvent[] {
  const joined: BlockEvent[] = [];
  for (const event of events) {
    const newer = joined.at(-1);
    if (newer?.kind === 'rounds' && event.kind === 'rounds' && isSame(newer.missed, event.missed))
      joined[joined.length - 1] = {
        ...newer,
        times: newer.times + 1,
        since: event.since,
        seconds: Math.max(newer.seconds, event.seconds),
      };
    else joined.push(event);
  }
  return joined;
}

const isSame = (some: readonly string[], others: readonly string[]) => some.join() === others.join();

/** The middle one of the times between blocks, in seconds; 0 without two blocks. */
function usualSeconds(blocks: readonly HourBlock[]): number {
  const times = blocks
    .slice(1)
    .map(({ timestamp }, at) => timestamp - (blocks[at]?.timestamp ?? timestamp))
    .sort((a, b) => a - b);
  return times[Math.floor(times.length / 2)] ?? 0;
}

/**
 * The validators whose rounds ended without a block, where they take turns in the order of their addresses.
 * @param last - proposer of the block before; the list is empty without it
 */
function missedProposers(validators: readonly string[], last: string | undefined, round: number): string[] {
  const ordered = [...validators].map((one) => one.toLowerCase()).sort();
  const from = ordered.indexOf(last?.toLowerCase() ?? '');
  if (from < 0) return [];
  const turns = Array.from({ length: Math.min(round, ordered.length) }, (_, turn) => from + 1 + turn);
  return turns.flatMap((turn) => ordered[turn % ordered.length] ?? []);
}

function without(all: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others);
  return all.filter((one) => !known.has(one));
}
