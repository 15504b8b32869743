import type { SendRequest } from '@tetrad/api-node';
import { managementWrites } from '@tetrad/node-private-state';
import type { ActiveExtension, PrivateStateStore } from '@tetrad/node-store';
import { RetryTimer, type Address, type Clock, type Hash, type Logger } from '@tetrad/types';
import type { ManagementContracts } from './management-contracts.js';
import { findSent, type ExtensionManager } from './manager-answers.js';
import { makeVote } from './make-vote.js';
import { shareState, type ShareParts } from './share-state.js';

export interface ExtensionDutiesParts extends ShareParts {
  readonly store: Pick<PrivateStateStore, 'listExtensions'>;
  readonly manager: ExtensionManager;
  readonly management: Pick<ManagementContracts, 'read'>;
  readonly accounts: () => readonly Address[];
  readonly send: (request: SendRequest) => Promise<Hash>;
  readonly isWaiting: (hash: Hash) => boolean;
  readonly isMined: (hash: Hash) => Promise<boolean>;
  /** Whether a transaction of the sender to the contract waits for a block, one from before a restart too. */
  readonly hasWaiting: (sender: Address, to: Address) => Promise<boolean>;
  /** Whether private state is at the head of the chain; before that, a duty that seems due may already be done. */
  readonly isAtHead: () => boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Transactions that an initiator's node sends automatically. */
type Duty = 'vote' | 'share';

const GAS = 4_712_384n;
const BACK_OFF = { firstMs: 1_000, maxMs: 30_000 };

/**
 * The duties of an initiator's node in its extensions: its own vote, and sharing the state once all have approved.
 *
 * The due duties are derived from the rows of private state, the management contract and the pool, so that none is lost or
 * done twice by a restart at any point. A duty that fails is retried with a growing delay.
 *
 * Source: docs/spec/contract-extension.md#course
 */
export class ExtensionDuties {
  /** Duty of an extension → its transaction; undefined when there is nothing left to do. */
  private readonly sent = new Map<string, Hash | undefined>();
  private running: Promise<void> | undefined;
  private isWanted = false;
  private stopped = false;
  private readonly retry: RetryTimer;

  constructor(private readonly parts: ExtensionDutiesParts) {
    this.retry = new RetryTimer(parts.clock, BACK_OFF);
  }

  /** Does due duties now, unless a failed one waits for its retry. */
  wake(): void {
    if (this.stopped || this.retry.isWaiting) return;
    this.isWanted = true;
    this.running ??= this.run().finally(() => (this.running = undefined));
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.retry.cancel();
    await this.running;
  }

  private async run(): Promise<void> {
    while (this.isWanted && !this.stopped) {
      this.isWanted = false;
      try {
        if (this.parts.isAtHead()) await this.look();
        this.retry.succeeded();
      } catch (error) {
        this.retryLater(error);
      }
    }
  }

  private async look(): Promise<void> {
    const rows = await this.parts.store.listExtensions();
    const accounts = this.parts.accounts();
    this.forget(rows);
    let failure: { readonly error: unknown } | undefined;
    for (const row of rows) {
      if (this.stopped || !row.isInitiator || !accounts.includes(row.initiator)) continue;
      // A duty that fails must not block the others.
      await this.fulfil(row, row.isApproved ? 'share' : 'vote').catch((error: unknown) => {
        failure = { error };
      });
    }
    if (failure !== undefined) throw failure.error;
  }

  private async fulfil(row: ActiveExtension, duty: Duty): Promise<void> {
    const { management, initiator } = row;
    const key = `${management}/${duty}`;
    const hash = this.sent.get(key);
    if (this.sent.has(key) && (hash === undefined || this.parts.isWaiting(hash))) return;
    if (await this.parts.hasWaiting(initiator, management)) return;
    const state = await this.parts.management.read(management, initiator);
    if (state.isFinished || (duty === 'vote' && state.hasVoted)) return void this.sent.set(key, undefined);
    if (hash !== undefined && (await this.parts.isMined(hash))) {
      // It was mined without effect, and a second one would have none either.
      this.parts.logger.error('a transaction of an extension failed', {
        management,
        duty,
        transaction: hash,
      });
      return void this.sent.set(key, undefined);
    }
    this.sent.set(key, await (duty === 'vote' ? this.vote(row) : this.share(row)));
  }

  private async vote({ management, initiator, creation }: ActiveExtension): Promise<Hash> {
    const { from, parties } = await findSent(this.parts.manager, creation);
    const vote = await makeVote(this.parts.manager, management, { from, to: parties });
    return this.send(initiator, management, { from, parties, data: managementWrites.vote(true, vote) });
  }

  private async share(row: ActiveExtension): Promise<Hash | undefined> {
    const sent = await findSent(this.parts.manager, row.creation);
    const data = await shareState(this.parts, row, sent);
    return data && this.send(row.initiator, row.management, { ...sent, data });
  }

  private async send(
    account: Address,
    to: Address,
    { from, parties, data }: Awaited<ReturnType<typeof findSent>> & { readonly data: Uint8Array },
  ): Promise<Hash> {
    const privateFrom = from === undefined ? {} : { privateFrom: from };
    const call = { ...privateFrom, privateFor: parties, privacyFlag: 0, gas: GAS, gasPrice: 0n };
    const hash = await this.parts.send({ ...call, from: account, to, data });
    this.parts.logger.info('extension', { management: to, transaction: hash });
    return hash;
  }

  private forget(rows: readonly ActiveExtension[]): void {
    const active = new Set(rows.map(({ management }) => management as string));
    for (const key of this.sent.keys()) {
      if (!active.has(key.split('/', 1)[0] as string)) this.sent.delete(key);
    }
  }

  private retryLater(error: unknown): void {
    if (this.retry.failures === 0)
      this.parts.logger.warn('a duty of an extension failed and will be retried', { error });
    if (!this.stopped) this.retry.tryLater(() => this.wake());
  }
}
