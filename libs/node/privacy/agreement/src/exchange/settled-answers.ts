import type { AgreementBlock, KeyPair } from '@tetrad/node-store';
import { pairName } from '../results/payload-parties.js';
import type { ExchangeParts } from './exchange-parts.js';
import { compared, isSettled, withStatement } from './own-statement.js';

/** Statements of one pair that wait: those to be answered, and those of blocks that are not followed yet. */
const MAX_WAITING = 512;
/** Part of the time that answers to one pair may take, in the long run: a party chooses the blocks, and long ones take long. */
const SHARE = 0.1;
/** How much of that a pair may have saved up. */
const MAX_SAVED_MS = 200;
/** Until it is known how long an answer takes. */
const FIRST_STEP_MS = 50;
const MAX_COUNTED = 1_024;

interface Turns {
  /** How long answers have taken beyond their share, at a time. */
  readonly usedMs: number;
  readonly atMs: number;
  /** From when on one that comes now is answered, and how long after that the next one. */
  readonly freeAtMs: number;
  readonly stepMs: number;
}

/**
 * Answers statements about blocks of which this node has no row any more, as both agreed: results are read again for them. Each is a row
 * without a statement of ours until its turn has come, and none is forgotten: its sender would ask again ever more rarely.
 */
export class SettledAnswers {
  private readonly turns = new Map<string, Turns>();

  constructor(
    private readonly parts: Pick<
      ExchangeParts,
      'chainId' | 'genesisHash' | 'nodeKey' | 'store' | 'results' | 'hashOf' | 'clock'
    >,
  ) {}

  /**
   * Stores a statement, to be answered in its turn.
   * @param isReply - to a statement of ours, which is not answered when both agree
   * @returns false when too many wait, and this one was dropped
   */
  async ask(row: AgreementBlock, isReply: boolean): Promise<boolean> {
    const { store } = this.parts;
    if ((await store.countUnanswered(row)) >= MAX_WAITING) return false;
    await store.save([{ ...row, sent: Number(isReply), nextAtMs: this.nextTurn(row) }]);
    return true;
  }

  /**
   * Stores the answer to a row without a statement of ours, or a later turn for it.
   * @throws RequestError TRANSACTION_MANAGER_UNAVAILABLE, KEY_UNAVAILABLE
   */
  async answer(row: AgreementBlock): Promise<void> {
    const { store, results, clock } = this.parts;
    const startMs = clock.now();
    const { usedMs, atMs } = this.turnsOf(row);
    if (usedMs - SHARE * (startMs - atMs) > MAX_SAVED_MS)
      return store.save([{ ...row, nextAtMs: this.nextTurn(row) }]);
    const isReply = row.sent > 0;
    const [own] = await results.read(row.block, row);
    const answer = compared(await withStatement(this.parts, row, own?.list ?? []));
    // The other party has ours: it says this because it had it.
    const next = answer.state === 'agreed' && isReply ? { ...answer, sent: 1, nextAtMs: undefined } : answer;
    if (isSettled(next)) await store.settle([next]);
    else await store.save([next]);
    this.took(row, startMs);
  }

  private nextTurn(pair: KeyPair): number {
    const turns = this.turnsOf(pair);
    const atMs = Math.max(this.parts.clock.now(), turns.freeAtMs);
    this.remember(pair, { ...turns, freeAtMs: atMs + turns.stepMs });
    return atMs;
  }

  private took(pair: KeyPair, startMs: number): void {
    const nowMs = this.parts.clock.now();
    const { usedMs, atMs, freeAtMs } = this.turnsOf(pair);
    const tookMs = nowMs - startMs;
    const left = Math.max(0, usedMs - SHARE * (nowMs - atMs));
    this.remember(pair, { usedMs: left + tookMs, atMs: nowMs, freeAtMs, stepMs: tookMs / SHARE });
  }

  private turnsOf(pair: KeyPair): Turns {
    const nowMs = this.parts.clock.now();
    const unknown = { usedMs: 0, atMs: nowMs, freeAtMs: nowMs, stepMs: FIRST_STEP_MS };
    return this.turns.get(pairName(pair)) ?? unknown;
  }

  private remember(pair: KeyPair, turns: Turns): void {
    this.turns.delete(pairName(pair));
    this.turns.set(pairName(pair), turns);
    const [oldest] = this.turns.keys();
    if (this.turns.size > MAX_COUNTED && oldest !== undefined) this.turns.delete(oldest);
  }
}
