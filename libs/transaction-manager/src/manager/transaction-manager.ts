import type { PtmKey } from '@tetrad/types';
import type { Completeness } from '../completeness/completeness.js';
import { repeatableNonce, type Enclave, type SealedPayload } from '../enclave/enclave.js';
import { UnknownKeyError } from '../keys/key-ring.js';
import { ManagerError } from '../manager-error.js';
import { toBase64 } from '../payload/base64.js';
import { decodeBinaryPayload } from '../payload/binary-payload.js';
import { PrivacyFlag, payloadHash, type EncodedPayload } from '../payload/encoded-payload.js';
import type { PrivacyMetadata } from '../privacy/send-checks.js';
import type { PayloadStore } from '../store/payload-store.js';
import type { RawPayloadStore } from '../store/raw-payload-store.js';
import { acceptPush, toRow, type TakenPush } from './accept-push.js';
import { boxOpeners, openWithOwnKey } from './affected-payloads.js';
import { deliver, type PayloadDeliveryParts } from './deliver.js';
import type { Deliveries } from './deliveries.js';
import { refuseLacking } from './lacking-recipients.js';
import { makePayload, type PayloadRequest } from './make-payload.js';
import type { NewRawPayloads } from './new-raw-payloads.js';
import type { RequestTurn, RequestTurns } from './request-turns.js';

export interface ManagerParts extends PayloadDeliveryParts {
  readonly enclave: Enclave;
  readonly store: PayloadStore;
  readonly raws: RawPayloadStore;
  readonly deliveries: Deliveries;
  readonly newRaws: NewRawPayloads;
  /** Whether flags 1 to 3 are switched on. */
  readonly enhanced: boolean;
  /** Keys that get every payload. */
  readonly alwaysSendTo: readonly PtmKey[];
  readonly turns: RequestTurns;
  /** Whether a payload that is not here was never here. */
  readonly completeness: Pick<Completeness, 'doubt' | 'isSettled'>;
}

export interface SendRequest extends PrivacyMetadata {
  readonly payload: Uint8Array;
  /** The first key of ours without it. */
  readonly from: PtmKey | undefined;
  readonly to: readonly PtmKey[];
}

export type SendSignedRequest = PrivacyMetadata & Pick<SendRequest, 'to'> & { readonly hash: Uint8Array };

/** A payload that was sent. */
export interface SentPayload {
  /** 64 bytes. */
  readonly hash: Uint8Array;
  readonly sender: PtmKey;
  /** Keys of ours among the recipients. */
  readonly managedParties: readonly PtmKey[];
}

/** A payload that was read; members as in `EncodedPayload`. */
export interface ReceivedPayload extends Pick<
  EncodedPayload,
  'privacyFlag' | 'affected' | 'execHash' | 'privacyGroupId' | 'recipientKeys' | 'sender'
> {
  readonly plaintext: Uint8Array;
  readonly managedParties: readonly PtmKey[];
}

/** The node and other clients, which share the main thread with each peer. */
const CLIENTS = 'clients';

/** Sends, takes, keeps and reads private payloads. */
export class TransactionManager {
  constructor(private readonly parts: ManagerParts) {}

  /** Encrypts a payload, has every recipient take it and stores it: all of that, or nothing is stored here. */
  async send({ payload, from, to, ...metadata }: SendRequest): Promise<SentPayload> {
    const sealed = this.seal(payload, from);
    const parties = [...to, sealed.sender, ...this.parts.alwaysSendTo];
    return this.distribute(sealed, { parties, ...metadata });
  }

  /** Encrypts a payload as `send` does, and neither sends nor stores it. */
  async encrypt({ payload, from, to, ...metadata }: SendRequest): Promise<EncodedPayload> {
    const sealed = this.seal(payload, from);
    const parties = [...to, sealed.sender, ...this.parts.alwaysSendTo];
    return makePayload(sealed, { parties, ...metadata }, { ...this.parts, turn: this.clientTurn() });
  }

  /** Reads a payload of `encrypt`, here or at another manager. */
  async decrypt(payload: EncodedPayload): Promise<ReceivedPayload> {
    const plaintext = await this.read(payload, undefined);
    if (plaintext !== undefined) return this.toReceived(payload, plaintext);
    const hash = toBase64(payloadHash(payload));
    throw new ManagerError('rejected', `No suitable recipient keys found to decrypt payload for ${hash}`);
  }

  /**
   * Encrypts a payload for its sender alone, until its transaction is signed.
   * @returns its hash, 64 bytes
   */
  async storeRaw(payload: Uint8Array, from: PtmKey | undefined): Promise<Uint8Array> {
    const { enclave, raws, newRaws } = this.parts;
    const hash = await raws.add(enclave.toRaw(this.seal(payload, from)));
    newRaws.add(hash);
    return hash;
  }

  /** Sends a payload of `storeRaw` under the hash that it has. */
  async sendSigned(request: SendSignedRequest): Promise<SentPayload> {
    return this.parts.deliveries.oneAtATime(request.hash, () => this.sendStored(request));
  }

  private async sendStored({ hash, to, ...metadata }: SendSignedRequest): Promise<SentPayload> {
    const { enclave, raws, store } = this.parts;
    const raw = await raws.find(hash);
    const sealed = raw === undefined ? undefined : enclave.fromRaw(raw);
    if (sealed === undefined)
      throw new ManagerError('not-found', `Raw Transaction with hash ${toBase64(hash)} was not found`);
    if (!raws.takeUnsent(hash) && (await store.has(hash))) throw await this.alreadySent(hash);
    const parties = [...to, ...this.parts.alwaysSendTo, sealed.sender];
    const recipientNonce = repeatableNonce(sealed.masterKey);
    return this.distribute(sealed, { parties, recipientNonce, ...metadata });
  }

  /**
   * Takes a payload of a peer.
   * @param from - address of the peer
   * @throws ManagerError 503 for one about contracts while their creations may have been lost: it would be stored for
   *   good as one that does not concern them
   */
  async accept(payload: EncodedPayload, from: string): Promise<TakenPush> {
    const { doubt } = this.parts.completeness;
    if (doubt !== undefined && payload.affected.length > 0)
      throw new ManagerError('unavailable', `payloads about contracts are not taken now: ${doubt}`);
    return acceptPush(payload, { ...this.parts, turn: this.parts.turns.of(from) });
  }

  /**
   * Takes a payload of a peer.
   * @returns its hash, 64 bytes
   */
  async push(payload: EncodedPayload): Promise<Uint8Array> {
    return (await this.accept(payload, '')).hash;
  }

  /**
   * Reads a payload.
   * @param to - the key of ours to read it with; any without it
   */
  async receive(hash: Uint8Array, to?: PtmKey): Promise<ReceivedPayload> {
    const payload = await this.find(hash);
    const plaintext = await this.read(payload, to);
    // Not 404, which says that we are not a party: only what a key of ours opened was ever stored (docs/adr/0099).
    if (plaintext === undefined)
      throw new ManagerError(
        'rejected',
        `No suitable recipient keys found to decrypt payload for : ${toBase64(hash)}`,
      );
    return this.toReceived(payload, plaintext);
  }

  /**
   * Whether a key of ours is, or was, a party to any payload: only what one of them opened is ever stored.
   * @throws ManagerError `unavailable` when none is here, and some may have been lost
   */
  async holdsPayloads(): Promise<boolean> {
    const { store, completeness } = this.parts;
    if (await store.hasAny()) return true;
    if (completeness.isSettled) return false;
    const reason = completeness.doubt ?? 'not all managers have been asked yet';
    throw new ManagerError('unavailable', `it is not known whether payloads were lost here: ${reason}`);
  }

  /** Reads a payload of `storeRaw`. */
  async receiveRaw(hash: Uint8Array): Promise<ReceivedPayload> {
    const { enclave, raws } = this.parts;
    const raw = await raws.find(hash);
    const sealed = raw === undefined ? undefined : enclave.fromRaw(raw);
    const plaintext = sealed === undefined ? undefined : enclave.open(sealed);
    if (sealed === undefined || plaintext === undefined)
      throw new ManagerError('not-found', `Raw Message with hash ${toBase64(hash)} was not found`);
    const { sender } = sealed;
    const metadata = { privacyFlag: PrivacyFlag.Standard, affected: [], execHash: new Uint8Array() };
    const recipients = { managedParties: [sender], recipientKeys: [sender] };
    return { ...metadata, ...recipients, sender, plaintext, privacyGroupId: undefined };
  }

  /**
   * The stored payload.
   * @throws ManagerError 404; 503 while it is not known whether payloads were lost
   */
  async find(hash: Uint8Array): Promise<EncodedPayload> {
    const encoded = await this.parts.store.find(hash);
    if (encoded === undefined) throw this.absence(hash);
    return decodeBinaryPayload(encoded);
  }

  private absence(hash: Uint8Array): ManagerError {
    const { doubt } = this.parts.completeness;
    if (doubt === undefined) return notFound(hash);
    return new ManagerError(
      'unavailable',
      `it is not known whether ${toBase64(hash)} was lost here: ${doubt}`,
    );
  }

  /**
   * Keys of its parties.
   * @throws ManagerError as `find`; 503 while it is not known whether all of them have it
   */
  async participants(hash: Uint8Array): Promise<readonly PtmKey[]> {
    await this.parts.deliveries.assertDelivered(hash);
    return (await this.find(hash)).recipientKeys;
  }

  /** Whether a key of ours sent the payload. */
  async isSender(hash: Uint8Array): Promise<boolean> {
    return this.parts.enclave.ring.has((await this.find(hash)).sender);
  }

  /**
   * Forgets the payload.
   * @returns whether there was one
   */
  delete(hash: Uint8Array): Promise<boolean> {
    return this.parts.store.delete(hash);
  }

  private async distribute(sealed: SealedPayload, request: PayloadRequest): Promise<SentPayload> {
    const { enclave, store, deliveries } = this.parts;
    const parts = { ...this.parts, turn: this.clientTurn() };
    const payload = await makePayload(sealed, request, parts);
    const { recipientKeys, sender } = payload;
    const elsewhere = recipientKeys.filter((key) => !enclave.ring.has(key));
    const hash = payloadHash(payload);
    const row = toRow(payload, hash);
    const deliverIt = async () => refuseLacking(await deliver(payload, elsewhere, parts), parts);
    const isNew = elsewhere.length === 0 ? store.add(row) : deliveries.send(row, deliverIt);
    if (!(await isNew)) throw await this.alreadySent(hash);
    return { hash, sender, managedParties: this.managed(recipientKeys) };
  }

  /**
   * The answer to a repeated send, once all recipients of the first one have the payload.
   * @throws ManagerError of the delivery
   */
  private async alreadySent(hash: Uint8Array): Promise<ManagerError> {
    await this.parts.deliveries.complete(hash);
    return new ManagerError('rejected', `Transaction with hash ${toBase64(hash)} exists already`);
  }

  private async toReceived(payload: EncodedPayload, plaintext: Uint8Array): Promise<ReceivedPayload> {
    const { recipientKeys } = payload;
    const parties = recipientKeys.length === 0 ? await this.openers(payload) : recipientKeys;
    return { ...payload, plaintext, managedParties: this.managed(parties) };
  }

  private async read(payload: EncodedPayload, to: PtmKey | undefined): Promise<Uint8Array | undefined> {
    const { enclave } = this.parts;
    if (to === undefined) {
      const opened = await openWithOwnKey(enclave, payload, this.clientTurn());
      return opened === undefined ? undefined : enclave.read(payload, opened.key);
    }
    const isParty = payload.recipientKeys.includes(to) || payload.sender === to;
    if (!isParty || !enclave.ring.has(to))
      throw new ManagerError('rejected', 'recipient not found in listed keys');
    return enclave.read(payload, to);
  }

  /** Keys of ours that open a box: older managers push payloads without the keys of the boxes. */
  private async openers(payload: EncodedPayload): Promise<PtmKey[]> {
    const opened = await boxOpeners(payload, this.parts.enclave, this.clientTurn());
    return [...new Set(opened.map(({ key }) => key))];
  }

  private clientTurn(): RequestTurn {
    return this.parts.turns.of(CLIENTS);
  }

  private managed(keys: readonly PtmKey[]): PtmKey[] {
    return keys.filter((key) => this.parts.enclave.ring.has(key));
  }

  private seal(payload: Uint8Array, from: PtmKey | undefined): SealedPayload {
    const { enclave } = this.parts;
    const sender = from ?? enclave.ring.first;
    if (!enclave.ring.has(sender)) throw new ManagerError('not-found', new UnknownKeyError(sender).message);
    return enclave.seal(sender, payload);
  }
}

function notFound(hash: Uint8Array): ManagerError {
  return new ManagerError('not-found', `Message with hash ${toBase64(hash)} was not found`);
}
