import type { Completeness } from '../completeness/completeness.js';
import type { LossCheck } from '../completeness/loss-check.js';
import { managersToAsk } from '../completeness/managers-to-ask.js';
import { acceptPush, openForKeeping, type PushParts, type TakenPush } from '../manager/accept-push.js';
import { ManagerError } from '../manager-error.js';
import type { PartyTable } from '../party/party-table.js';
import type { PeerClient } from '../party/peer-client.js';
import { toBase64 } from '../payload/base64.js';
import { decodeBinaryPayload, encodeBinaryPayload } from '../payload/binary-payload.js';
import { PrivacyFlag, payloadHash, type EncodedPayload } from '../payload/encoded-payload.js';
import type { StagedPayloadStore } from '../store/staged-payload-store.js';
import {
  RecoveryResult,
  isAll,
  outcomeOf,
  type Heard,
  type RecoveryOutcome,
  type Unresolved,
} from './recovery-outcome.js';
import { ResendRequests, type ResendRequestParts } from './resend-requests.js';
import { inOrder } from './staged-order.js';

export interface RecoveryParts extends PushParts, ResendRequestParts {
  readonly staged: StagedPayloadStore;
  readonly table: PartyTable;
  readonly peers: PeerClient;
  /** Whether managers that configured ones list are asked too. */
  readonly discover: boolean;
  readonly completeness: Pick<Completeness, 'settle' | 'awaitPeers'>;
  /** Asks the same managers, which send to one asker at a time. */
  readonly lossCheck: Pick<LossCheck, 'start' | 'stop'>;
}

/** Hashes that an outcome names. */
const MAX_MISSING = 100;

/** Fetches what this manager should hold, after its rows were lost, from the managers that have it too. */
export class Recovery {
  private state: 'none' | 'begins' | 'runs' = 'none';
  private requests: ResendRequests | undefined;

  constructor(private readonly parts: RecoveryParts) {}

  /** Whether peers may send what they were asked for. */
  get isRunning(): boolean {
    return this.state === 'runs';
  }

  /**
   * Asks every manager that is known.
   * @throws ManagerError 503 when a recovery runs already
   */
  async run(): Promise<RecoveryOutcome> {
    if (this.state !== 'none') throw new ManagerError('unavailable', 'payloads are being recovered already');
    this.state = 'begins';
    const { lossCheck } = this.parts;
    // What managers still send to the check is refused until it has stopped, so that they end it.
    const wasChecking = await lossCheck.stop();
    this.state = 'runs';
    try {
      return await this.recover();
    } finally {
      this.state = 'none';
      this.requests = undefined;
      if (wasChecking) lossCheck.start();
    }
  }

  /**
   * Takes one payload, as older managers send them.
   * @throws ManagerError 403
   */
  async accept(payload: EncodedPayload): Promise<TakenPush> {
    if (payload.privacyFlag !== PrivacyFlag.Standard)
      throw new ManagerError(
        'forbidden',
        'Transactions with enhanced privacy are not accepted during recovery mode',
      );
    const taken = await acceptPush(payload, this.push);
    this.requests?.takeOne();
    return taken;
  }

  /** Takes payloads of a peer that was asked. What refers to payloads that are not here waits until all have come. */
  async acceptBatch(payloads: readonly EncodedPayload[]): Promise<void> {
    const { requests } = this;
    for (const payload of payloads) {
      if ((await openForKeeping(payload, this.push)) === undefined) {
        requests?.take(0, 1);
        continue;
      }
      requests?.take(1, 0);
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
    const requests = new ResendRequests(this.parts);
    this.requests = requests;
    for (const url of urls) heard.push({ url, sent: await requests.askAll(url) });
    const outcome = outcomeOf(heard, await this.acceptStaged(isAll(heard)));
    if (outcome.result === RecoveryResult.Success) {
      if (isAll(heard)) await completeness.settle('recovered');
      else await completeness.awaitPeers();
    }
    return outcome;
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
    const stored = await Promise.all(hashes.map((hash) => this.parts.store.has(hash)));
    return hashes.filter((_, index) => stored[index] !== true);
  }

  private get push(): PushParts {
    return { ...this.parts, recovering: true };
  }
}
