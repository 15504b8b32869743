import type { Logger, PtmKey } from '@tetrad/types';
import { acceptPush, openForKeeping, type PushParts } from '../manager/accept-push.js';
import { ManagerError } from '../manager-error.js';
import type { PartyExchange } from '../party/party-exchange.js';
import type { PartyTable } from '../party/party-table.js';
import { PeerUnreachableError, type PeerClient } from '../party/peer-client.js';
import { decodeBinaryPayload, encodeBinaryPayload } from '../payload/binary-payload.js';
import { PrivacyFlag, payloadHash, type EncodedPayload } from '../payload/encoded-payload.js';
import type { StagedPayloadStore } from '../store/staged-payload-store.js';
import { inOrder } from './staged-order.js';

export interface RecoveryParts extends PushParts {
  readonly staged: StagedPayloadStore;
  readonly table: PartyTable;
  readonly exchange: PartyExchange;
  readonly peers: PeerClient;
  readonly logger: Logger;
}

/** How a recovery went; the numbers are the exit codes of existing managers. */
export enum RecoveryResult {
  Success = 0,
  Partial = 1,
  Failure = 2,
}

export interface RecoveryOutcome {
  readonly result: RecoveryResult;
  /** URLs of managers that sent all they had for us, and of those that did not, with the reason. */
  readonly answered: readonly string[];
  readonly failed: readonly { readonly url: string; readonly reason: string }[];
  /**
   * Payloads about contracts of which we got no creation. Where every manager answered we are not a party to those, and
   * they are stored; else they stay staged, as a manager that failed may have the creation.
   */
  readonly unresolved: number;
}

/** Payloads that a manager sends us at a time. */
const BATCH_SIZE = 100;
/** A manager answers when it has sent everything. */
const RESEND_TIMEOUT_MS = 3_600_000;

/** Fetches what this manager should hold, after its rows were lost, from the managers that have it too. */
export class Recovery {
  private running = false;
  /** What came while a manager was asked and no key of ours opens. */
  private unopened = 0;

  constructor(private readonly parts: RecoveryParts) {}

  /** Whether peers may send what they were asked for. */
  get isRunning(): boolean {
    return this.running;
  }

  /** Asks every manager that is known. Fails: ManagerError 503 when a recovery runs already */
  async run(): Promise<RecoveryOutcome> {
    if (this.running) throw new ManagerError(503, 'payloads are being recovered already');
    this.running = true;
    try {
      return await this.recover();
    } finally {
      this.running = false;
    }
  }

  /** Takes one payload, as older managers send them. Out: its hash, 64 bytes. Fails: ManagerError 403 */
  accept(payload: EncodedPayload): Promise<Uint8Array> {
    if (payload.privacyFlag !== PrivacyFlag.Standard)
      throw new ManagerError(403, 'Transactions with enhanced privacy are not accepted during recovery mode');
    return acceptPush(payload, this.push);
  }

  /** Takes payloads of a peer that was asked. What refers to payloads that are not here waits until all have come. */
  async acceptBatch(payloads: readonly EncodedPayload[]): Promise<void> {
    for (const payload of payloads) {
      if (openForKeeping(payload, this.push) === undefined) {
        this.unopened += 1;
        continue;
      }
      const affected = payload.affected.map(({ hash }) => hash);
      const missing = affected.length > 0 && !(await this.hasAll(affected));
      if (!missing) await this.keep(payload);
      else
        await this.parts.staged.add({
          hash: payloadHash(payload),
          encoded: encodeBinaryPayload(payload),
          affected,
        });
    }
  }

  private async recover(): Promise<RecoveryOutcome> {
    const { exchange, table } = this.parts;
    // They send only to where they know our keys to be.
    await exchange.tellAll();
    const [answered, failed]: [string[], { url: string; reason: string }[]] = [[], []];
    for (const url of table.urlsOfParties) {
      const reason = await this.askAll(url);
      if (reason === undefined) answered.push(url);
      else failed.push({ url, reason });
    }
    const unresolved = await this.acceptStaged(failed.length === 0);
    return { result: resultOf(answered.length, failed.length), answered, failed, unresolved };
  }

  /** Out: why not, when the manager does not send all it has for our keys */
  private async askAll(url: string): Promise<string | undefined> {
    this.unopened = 0;
    try {
      for (const publicKey of this.parts.enclave.ring.keys) await this.ask(url, publicKey);
      return this.unopened === 0 ? undefined : `sent ${this.unopened} payloads that no key here opens`;
    } catch (error) {
      if (error instanceof PeerUnreachableError || error instanceof ManagerError) return error.message;
      throw error;
    }
  }

  private async ask(url: string, publicKey: PtmKey): Promise<void> {
    const { peers } = this.parts;
    const request = { publicKey, batchSize: BATCH_SIZE };
    const batches = await peers.postJson(url, 'resendBatch', request, RESEND_TIMEOUT_MS);
    if (batches.status === 200) return;
    // Older managers send payloads one by one, and those with privacy flags not at all.
    const all = await peers.postJson(url, 'resend', { type: 'ALL', publicKey }, RESEND_TIMEOUT_MS);
    const reason = `${batches.status} ${batches.text.slice(0, 200)}`;
    if (all.status !== 200) throw new ManagerError(500, `payloads of ${publicKey}: ${reason}`);
    this.parts.logger.warn('a manager resends no payloads with privacy flags', { url, reason });
  }

  /** In: isAll — whether every manager has sent what it has for us */
  private async acceptStaged(isAll: boolean): Promise<number> {
    const { staged } = this.parts;
    let unresolved = 0;
    for (const sequence of inOrder(await staged.order())) {
      const encoded = await staged.find(sequence);
      if (encoded === undefined) continue;
      const payload = decodeBinaryPayload(encoded);
      const isResolved = await this.hasAll(payload.affected.map(({ hash }) => hash));
      if (!isResolved) unresolved += 1;
      // Without its contracts it would be stored as one that does not concern them, and be executed as that.
      if (!isResolved && !isAll) continue;
      await this.keep(payload);
      await staged.remove(sequence);
    }
    return unresolved;
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

  private async hasAll(hashes: readonly Uint8Array[]): Promise<boolean> {
    const found = await Promise.all(hashes.map((hash) => this.parts.store.find(hash)));
    return !found.includes(undefined);
  }

  private get push(): PushParts {
    return { ...this.parts, recovering: true };
  }
}

function resultOf(answered: number, failed: number): RecoveryResult {
  if (answered === 0) return RecoveryResult.Failure;
  return failed === 0 ? RecoveryResult.Success : RecoveryResult.Partial;
}
