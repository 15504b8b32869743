import { backOffMs, type Logger, type PtmKey } from '@tetrad/types';
import type { Completeness } from '../completeness/completeness.js';
import { readIncompleteness } from '../completeness/incomplete-answer.js';
import type { LossCheck } from '../completeness/loss-check.js';
import { managersToAsk } from '../completeness/managers-to-ask.js';
import { acceptPush, openForKeeping, type PushParts, type TakenPush } from '../manager/accept-push.js';
import { ManagerError } from '../manager-error.js';
import type { PartyExchange } from '../party/party-exchange.js';
import type { PartyTable } from '../party/party-table.js';
import { PeerUnreachableError, type PeerAnswer, type PeerClient } from '../party/peer-client.js';
import { toBase64 } from '../payload/base64.js';
import { decodeBinaryPayload, encodeBinaryPayload } from '../payload/binary-payload.js';
import { PrivacyFlag, payloadHash, type EncodedPayload } from '../payload/encoded-payload.js';
import type { StagedPayloadStore } from '../store/staged-payload-store.js';
import {
  RecoveryResult,
  isAll,
  outcomeOf,
  worseOf,
  type Heard,
  type RecoveryOutcome,
  type Sent,
  type Unresolved,
} from './recovery-outcome.js';
import { inOrder } from './staged-order.js';

export interface RecoveryParts extends PushParts {
  readonly staged: StagedPayloadStore;
  readonly table: PartyTable;
  readonly exchange: PartyExchange;
  readonly peers: PeerClient;
  /** Whether managers that configured ones list are asked too. */
  readonly discover: boolean;
  readonly completeness: Pick<Completeness, 'settle' | 'awaitPeers'>;
  /** Asks the same managers, which send to one asker at a time. */
  readonly lossCheck: Pick<LossCheck, 'start' | 'stop'>;
  readonly logger: Logger;
  /** Waits, for the time in milliseconds, before a manager is asked again. */
  readonly pause: (ms: number) => Promise<unknown>;
}

/**
 * Payloads that a manager sends us at a time, the first time and when it is asked again: an existing manager gives up on a
 * batch that is not stored in its time limit, which we do not know.
 */
const BATCH_SIZES = [100, 25, 5, 1];
/** Before it is asked again; twice as long each time. */
const PAUSES = { firstMs: 1_000, maxMs: 4_000 };
/** Hashes that an outcome names. */
const MAX_MISSING = 100;
/** A manager answers when it has sent everything. */
const RESEND_TIMEOUT_MS = 3_600_000;

/** Fetches what this manager should hold, after its rows were lost, from the managers that have it too. */
export class Recovery {
  private running = false;
  /** Payloads that arrived during a request to a manager and that no key of ours opens. */
  private unopened = 0;

  constructor(private readonly parts: RecoveryParts) {}

  /** Whether peers may send what they were asked for. */
  get isRunning(): boolean {
    return this.running;
  }

  /**
   * Asks every manager that is known.
   * @throws ManagerError 503 when a recovery runs already
   */
  async run(): Promise<RecoveryOutcome> {
    if (this.running) throw new ManagerError('unavailable', 'payloads are being recovered already');
    this.running = true;
    const { lossCheck } = this.parts;
    const wasChecking = await lossCheck.stop();
    try {
      return await this.recover();
    } finally {
      this.running = false;
      if (wasChecking) lossCheck.start();
    }
  }

  /**
   * Takes one payload, as older managers send them.
   * @throws ManagerError 403
   */
  accept(payload: EncodedPayload): Promise<TakenPush> {
    if (payload.privacyFlag !== PrivacyFlag.Standard)
      throw new ManagerError(
        'forbidden',
        'Transactions with enhanced privacy are not accepted during recovery mode',
      );
    return acceptPush(payload, this.push);
  }

  /** Takes payloads of a peer that was asked. What refers to payloads that are not here waits until all have come. */
  async acceptBatch(payloads: readonly EncodedPayload[]): Promise<void> {
    for (const payload of payloads) {
      if ((await openForKeeping(payload, this.push)) === undefined) {
        this.unopened += 1;
        continue;
      }
      const affected = payload.affected.map(({ hash }) => hash);
      const missing = await this.missingOf(affected);
      if (missing.length === 0) await this.keep(payload);
      else
        await this.parts.staged.add({
          hash: payloadHash(payload),
          encoded: encodeBinaryPayload(payload),
          affected,
        });
    }
  }

  private async recover(): Promise<RecoveryOutcome> {
    const { exchange, table, completeness } = this.parts;
    const urls = await managersToAsk(this.parts);
    table.addParties(urls);
    // They send only to where they know our keys to be.
    await exchange.announceToAll();
    const heard: Heard[] = [];
    for (const url of urls) heard.push({ url, sent: await this.askAll(url) });
    const outcome = outcomeOf(heard, await this.acceptStaged(isAll(heard)));
    if (outcome.result === RecoveryResult.Success) {
      if (isAll(heard)) await completeness.settle('recovered');
      else await completeness.awaitPeers();
    }
    return outcome;
  }

  /** @returns the payloads that the manager sent for our keys, or why it did not */
  private async askAll(url: string): Promise<Heard['sent']> {
    this.unopened = 0;
    try {
      let sent: Sent = 'all';
      for (const publicKey of this.parts.enclave.ring.keys)
        sent = worseOf(sent, await this.ask(url, publicKey));
      return this.unopened === 0 ? sent : { reason: `sent ${this.unopened} payloads that no key here opens` };
    } catch (error) {
      if (error instanceof PeerUnreachableError || error instanceof ManagerError)
        return { reason: error.message };
      throw error;
    }
  }

  /** Asks again, for less at a time, a manager that did not manage; what it sent already is stored. */
  private async ask(url: string, publicKey: PtmKey): Promise<Sent> {
    let failure: unknown;
    const { unopened } = this;
    for (const [turn, batchSize] of BATCH_SIZES.entries()) {
      if (turn > 0) await this.parts.pause(backOffMs(turn, PAUSES));
      // All of them come again.
      this.unopened = unopened;
      try {
        return await this.askOnce(url, publicKey, batchSize);
      } catch (error) {
        if (!(error instanceof PeerUnreachableError || error instanceof ManagerError)) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  /** @throws ManagerError, PeerUnreachableError */
  private async askOnce(url: string, publicKey: PtmKey, batchSize: number): Promise<Sent> {
    const { peers, exchange, logger } = this.parts;
    const request = { publicKey, batchSize };
    const batches = await peers.postJson(url, 'resendBatch', request, RESEND_TIMEOUT_MS);
    if (batches.status === 200) return readIncompleteness(batches.headers) ?? 'all';
    const reason = reasonOf(publicKey, batches);
    if (!hasNoBatches(batches)) {
      // It may not have heard, or have forgotten, where our keys are.
      await exchange.announceToAll();
      throw new ManagerError('rejected', reason);
    }
    const all = await peers.postJson(url, 'resend', { type: 'ALL', publicKey }, RESEND_TIMEOUT_MS);
    if (all.status !== 200) throw new ManagerError('rejected', reasonOf(publicKey, all));
    logger.warn('a manager resends no payloads with privacy flags', { url, reason });
    return 'unflagged';
  }

  /** @param hasAll - whether every manager has sent what it has for us */
  private async acceptStaged(hasAll: boolean): Promise<Unresolved> {
    const { staged } = this.parts;
    const missing = new Set<string>();
    let unresolved = 0;
    for (const sequence of inOrder(await staged.order())) {
      const encoded = await staged.find(sequence);
      if (encoded === undefined) continue;
      const payload = decodeBinaryPayload(encoded);
      const lacked = await this.missingOf(payload.affected.map(({ hash }) => hash));
      if (lacked.length > 0) unresolved += 1;
      for (const hash of lacked) if (missing.size < MAX_MISSING) missing.add(toBase64(hash));
      // Without its contracts it would be stored as one that does not concern them, and be executed as that.
      if (lacked.length > 0 && !hasAll) continue;
      await this.keep(payload);
      await staged.remove(sequence);
    }
    return { unresolved, missing: [...missing] };
  }

  /** What the rules refuse is not kept; it would not have been when it was sent. */
  private async keep(payload: EncodedPayload): Promise<void> {
    try {
      await acceptPush(payload, this.push);
    } catch (error) {
      if (!(error instanceof ManagerError)) throw error;
      this.parts.logger.warn('a recovered payload was refused', { reason: error.message });
    }
  }

  private async missingOf(hashes: readonly Uint8Array[]): Promise<Uint8Array[]> {
    const found = await Promise.all(hashes.map((hash) => this.parts.store.find(hash)));
    return hashes.filter((_, index) => found[index] === undefined);
  }

  private get push(): PushParts {
    return { ...this.parts, recovering: true };
  }
}

/** Paths, methods and media types that existing managers do not know are 500 with the status in the text. */
const UNKNOWN_REQUEST = /^HTTP (404|405|415) /;
/** It knows the path, and not where the key is. */
const UNKNOWN_KEY = /^Recipient not found/;

/** Whether the answer is that of a manager without batches; any other answer is one that did not manage this time. */
function hasNoBatches({ status, text }: PeerAnswer): boolean {
  if (status === 404) return !UNKNOWN_KEY.test(text);
  return status === 405 || status === 415 || (status === 500 && UNKNOWN_REQUEST.test(text));
}

function reasonOf(publicKey: PtmKey, { status, text }: PeerAnswer): string {
  return `payloads of ${publicKey}: ${`${status} ${text.slice(0, 200)}`.trim()}`;
}
