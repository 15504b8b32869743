import type { SendRequest } from '@tetrad/api-node';
import { managementWrites } from '@tetrad/node-private-state';
import type { ActiveExtensionRow, PrivateStateStore } from '@tetrad/node-store';
import type { Address, Clock, Hash, Logger } from '@tetrad/types';
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
  /** Whether private state is at the head of the chain: what is due before may have been done. */
  readonly isAtHead: () => boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What an initiator's node does by itself. */
type Duty = 'vote' | 'share';

const GAS = 4_712_384n;
const RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

/**
 * What the node of an initiator owes to its extensions: its own vote, and the state once all have approved.
 *
 * What is due follows from the rows of private state, the management contract and the pool, so that nothing is forgotten or
 * done twice after a restart, wherever it fell. What fails is tried again with a growing delay.
 *
 * Source: privacy-and-extension.md, section 5.5, steps 2 and 6
 */
export class ExtensionDuties {
  /** Duty of an extension → the transaction that fulfils it; undefined when there is nothing left to do. */
  private readonly sent = new Map<string, Hash | undefined>();
  private running: Promise<void> | undefined;
  private isWanted = false;
  private stopped = false;
  private attempts = 0;
  private cancelRetry: (() => void) | undefined;

  constructor(private readonly parts: ExtensionDutiesParts) {}

  /** Looks at once what is due, unless what failed waits for its next try. */
  wake(): void {
    if (this.stopped || this.cancelRetry !== undefined) return;
    this.isWanted = true;
    this.running ??= this.run().finally(() => (this.running = undefined));
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.cancelRetry?.();
    await this.running;
  }

  private async run(): Promise<void> {
    while (this.isWanted && !this.stopped) {
      this.isWanted = false;
      try {
        if (this.parts.isAtHead()) await this.look();
        this.attempts = 0;
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
      // One that fails must not hold up the others.
      await this.fulfil(row, row.isApproved ? 'share' : 'vote').catch((error: unknown) => {
        failure = { error };
      });
    }
    if (failure !== undefined) throw failure.error;
  }

  private async fulfil(row: ActiveExtensionRow, duty: Duty): Promise<void> {
    const { management, initiator } = row;
    const key = `${management}/${duty}`;
    const hash = this.sent.get(key);
    if (this.sent.has(key) && (hash === undefined || this.parts.isWaiting(hash))) return;
    if (await this.parts.hasWaiting(initiator, management)) return;
    const state = await this.parts.management.read(management, initiator);
    if (state.isFinished || (duty === 'vote' && state.hasVoted)) return void this.sent.set(key, undefined);
    if (hash !== undefined && (await this.parts.isMined(hash))) {
      // It is there, and did not do what it was for: another would not either.
      this.parts.logger.error('a transaction of an extension failed', {
        management,
        duty,
        transaction: hash,
      });
      return void this.sent.set(key, undefined);
    }
    this.sent.set(key, await (duty === 'vote' ? this.vote(row) : this.share(row)));
  }

  private async vote({ management, initiator, creation }: ActiveExtensionRow): Promise<Hash> {
    const { from, parties } = await findSent(this.parts.manager, creation);
    const vote = await makeVote(this.parts.manager, management, { from, to: parties });
    return this.send(initiator, management, { from, parties, data: managementWrites.vote(true, vote) });
  }

  private async share(row: ActiveExtensionRow): Promise<Hash | undefined> {
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

  private forget(rows: readonly ActiveExtensionRow[]): void {
    const active = new Set(rows.map(({ management }) => management as string));
    for (const key of this.sent.keys()) {
      if (!active.has(key.split('/', 1)[0] as string)) this.sent.delete(key);
    }
  }

  private retryLater(error: unknown): void {
    const { clock, logger } = this.parts;
    if (this.attempts === 0) logger.warn('what is due for an extension is tried again later', { error });
    const delay = Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** Math.min(this.attempts++, 20));
    if (this.stopped) return;
    this.cancelRetry = clock.schedule(delay, () => {
      this.cancelRetry = undefined;
      this.wake();
    });
  }
}
