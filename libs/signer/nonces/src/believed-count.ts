import type { NoncePosition, NoncePositionStore, NonceSequence } from '@tetrad/signer-store';
import type { Clock, Logger } from '@tetrad/types';
import {
  doubtAfter,
  isHeldBack,
  kindOfCount,
  patienceMs,
  reasonForDoubt,
  type CountDoubt,
  type CountKind,
} from './count-doubt.js';
import type { NonceManagerTiming } from './params.js';
import type { ClientChain, SequenceClient } from './sequence-client.js';

export interface BelievedCountParts {
  readonly positions: NoncePositionStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly timing: NonceManagerTiming & { readonly resetGraceMs: number };
}

/** The counts that a client gives for one nonce sequence, as far as they are believed (docs/spec/nonce-manager.md). */
export class BelievedCount {
  private open: CountDoubt | undefined;
  private isChainKnown = false;
  private wideGapSinceMs: number | undefined;

  constructor(
    readonly sequence: NonceSequence,
    private readonly parts: BelievedCountParts,
  ) {}

  /** The doubt about the newest count; undefined when it was believed. */
  get doubt(): CountDoubt | undefined {
    return this.open;
  }

  /** Whether no nonce is to be assigned. */
  get isHeldBack(): boolean {
    return isHeldBack(this.open);
  }

  /**
   * Asks the client for the next nonce.
   * @returns undefined while it is held back
   * @throws as the client; the database's error
   */
  async ask(client: SequenceClient): Promise<bigint | undefined> {
    return this.check(client, await client.pendingCount());
  }

  /**
   * Checks a count that the client gave; where it is unexpected, the client is asked more.
   * @returns the count to go by, at most the one given; undefined while none is believed, so that no nonce may be
   *   assigned
   */
  async check(client: SequenceClient, count: bigint): Promise<bigint | undefined> {
    const position = await this.parts.positions.read(this.sequence.id, count);
    this.isChainKnown ||= position.genesis !== undefined;
    const kind = kindOfCount(count, position);
    if (kind === 'expected') return this.believe(count);
    if (kind !== 'ahead') return this.weigh(client, { kind, count, position });
    const again = await client.pendingCount();
    return this.believe(again < count ? again : count);
  }

  /** Records the client's chain once, to notice later that it is on another one. */
  async recordChain(client: SequenceClient): Promise<void> {
    if (this.isChainKnown) return;
    const { chainId, genesis } = await client.chain();
    if (genesis !== undefined && chainId === this.sequence.chainId)
      await this.parts.positions.recordGenesis(this.sequence.id, genesis);
    this.isChainKnown = true;
  }

  /**
   * Whether a wide gap has lasted.
   * @param isOpen - whether there is one now
   */
  outlastsWideGap(isOpen: boolean): boolean {
    const { clock, timing } = this.parts;
    this.wideGapSinceMs = isOpen ? (this.wideGapSinceMs ?? clock.now()) : undefined;
    return this.wideGapSinceMs !== undefined && clock.now() - this.wideGapSinceMs >= timing.fillGapMs;
  }

  private async weigh(
    client: SequenceClient,
    {
      kind,
      count,
      position,
    }: {
      readonly kind: Exclude<CountKind, 'expected' | 'ahead'>;
      readonly count: bigint;
      readonly position: NoncePosition;
    },
  ): Promise<bigint | undefined> {
    const { clock, timing } = this.parts;
    const asked = await client.chain();
    const known = { chainId: this.sequence.chainId, genesis: position.genesis };
    const reason = reasonForDoubt(kind, { asked, known });
    if (reason === undefined) return this.believe(count);
    const doubt = doubtAfter(this.open, { reason, count, nowMs: clock.now() });
    if (doubt.reason !== this.open?.reason) this.log('warn', { doubt, position });
    this.open = doubt;
    if (clock.now() - doubt.sinceMs >= patienceMs(doubt, timing)) return this.giveIn(doubt, { asked, count });
    return this.isHeldBack ? undefined : count;
  }

  /** The client has stayed with what it says. */
  private async giveIn(
    doubt: CountDoubt,
    { asked, count }: { readonly asked: ClientChain; readonly count: bigint },
  ): Promise<bigint> {
    const { positions } = this.parts;
    const { id } = this.sequence;
    if (doubt.reason === 'set-back') await positions.lowerFloor(id, count);
    if (doubt.reason === 'other-chain' && asked.genesis !== undefined)
      await positions.switchChain(id, { genesis: asked.genesis, count });
    return this.believe(doubt.reason === 'jump' ? doubt.lowest : count);
  }

  private believe(count: bigint): bigint {
    if (this.open !== undefined) this.log('info', { doubt: this.open, believed: count });
    this.open = undefined;
    return count;
  }

  private log(
    level: 'warn' | 'info',
    { doubt, position, believed }: { doubt: CountDoubt; position?: NoncePosition; believed?: bigint },
  ): void {
    const text =
      level === 'warn' ? 'transaction count of the client is doubted' : 'transaction count is believed again';
    this.parts.logger[level](text, {
      account: this.sequence.account,
      reason: doubt.reason,
      lowestCount: doubt.lowest.toString(),
      nextNonce: position?.next.toString(),
      count: believed?.toString(),
    });
  }
}
