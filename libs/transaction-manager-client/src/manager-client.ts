import type { PtmKey } from '@tetrad/types';
import {
  readBoolean,
  readGroups,
  readHash,
  readKeyHash,
  readKeys,
  readHeld,
  readPayload,
  readSent,
  type PrivacyGroup,
  type PrivatePayload,
  type SentPayload,
} from './answers.js';
import type { ManagerClientOptions } from './connection.js';
import { missingFeature, type ManagerFeatures } from './features.js';
import { ManagerRequests } from './manager-requests.js';
import type { Found, Outcome } from './outcome.js';
import {
  MAX_MESSAGES,
  acknowledgeBody,
  readMessages,
  type MessageOutcome,
  type PartyMessage,
  type ReceivedMessage,
} from './party-messages.js';
import { MessageSends } from './message-sends.js';
import { PayloadLookups } from './payload-lookups.js';
import { PayloadRequests } from './payload-requests.js';
import { RawPayloadReads } from './raw-payload-reads.js';
import { StoredSends } from './stored-sends.js';
import {
  BYTES,
  JSON_HEADERS,
  JSON_TYPE,
  V2_1,
  V4_0,
  base64,
  sendBody,
  type PrivacyMetadata,
  type SendRequest,
  type SendSignedRequest,
} from './requests.js';

const MESSAGES = { path: '/partymessages' } as const;

/** A payload that waits for its signed transaction. */
export interface StoredRaw {
  /** 64 bytes. */
  readonly hash: Uint8Array;
}

/**
 * Client of a transaction manager, of ours or another one with API 1.0 to 5.0. Calls return an outcome and never throw:
 * a manager that is unavailable, slow or broken is to be expected.
 */
export class ManagerClient {
  private readonly requests: ManagerRequests;
  private readonly messages: MessageSends;
  private readonly payloads: PayloadRequests;
  private readonly lookups = new PayloadLookups((hashes) => this.payloads.lookUp('/payloads', hashes));
  private readonly raws: RawPayloadReads;
  private readonly sends = new StoredSends({
    features: (signal) => this.requests.features(signal),
    alone: (request, body, signal) => this.post('/sendsignedtx', body, request, signal),
    ask: (request, take) => this.requests.ask(request, () => undefined, take),
    refused: () => this.requests.forgetFeatures(),
  });

  /** @throws TypeError for an invalid URL */
  constructor(options: ManagerClientOptions) {
    this.requests = new ManagerRequests(options);
    this.messages = new MessageSends(this.requests);
    this.payloads = new PayloadRequests(this.requests);
    this.raws = new RawPayloadReads(this.requests, this.payloads, () => this.sends.isBusy);
  }

  /** Whether the manager is up. */
  async upcheck(signal?: AbortSignal): Promise<Outcome<void>> {
    return this.requests.ask({ method: 'GET', path: '/upcheck', signal }, () => undefined);
  }

  /** What the manager can do; asked again after it was unavailable, since another one may have come. */
  features(signal?: AbortSignal): Promise<Outcome<ManagerFeatures>> {
    return this.requests.features(signal);
  }

  /** What the manager can do by now. */
  refreshFeatures(signal?: AbortSignal): Promise<Outcome<ManagerFeatures>> {
    this.requests.forgetFeatures();
    return this.requests.features(signal);
  }

  /** Has a payload encrypted, stored, and sent to its recipients. */
  async send(request: SendRequest, signal?: AbortSignal): Promise<Outcome<SentPayload>> {
    return this.post('/send', sendBody(request), request, signal);
  }

  /**
   * Has a payload that was stored before sent, under the hash it has. Calls that come while others are under way share a request where the
   * manager takes such, which the signal of one caller does not end.
   */
  sendSigned(request: SendSignedRequest, signal?: AbortSignal): Promise<Outcome<SentPayload>> {
    return this.sends.send(request, signal);
  }

  /**
   * Sends bytes without privacy flags.
   * @returns hash, 64 bytes
   */
  async sendRaw(
    payload: Uint8Array,
    { from, to }: { readonly from?: PtmKey | undefined; readonly to: readonly PtmKey[] },
    signal?: AbortSignal,
  ): Promise<Outcome<Uint8Array>> {
    const headers = {
      'content-type': BYTES,
      ...(from === undefined ? {} : { 'c11n-from': from }),
      ...(to.length === 0 ? {} : { 'c11n-to': to.join(',') }),
    };
    const request = { method: 'POST', path: '/sendraw', headers, body: payload, signal } as const;
    return this.requests.ask(request, ({ text }) => readHash(text));
  }

  /** Has a payload encrypted and kept until its transaction is signed. */
  async storeRaw(
    payload: Uint8Array,
    from: PtmKey | undefined,
    signal?: AbortSignal,
  ): Promise<Outcome<StoredRaw>> {
    const sender = from === undefined ? {} : { from };
    const body = JSON.stringify({ payload: base64(payload), ...sender });
    const request = { method: 'POST', path: '/storeraw', headers: JSON_HEADERS, body, signal } as const;
    return this.requests.ask(request, (answer) => ({ hash: readKeyHash(answer.body) }));
  }

  /**
   * Has a payload encrypted for the sender alone; nothing is stored or sent.
   * @returns JSON, which `decrypt` takes
   */
  async encrypt(
    payload: Uint8Array,
    from: PtmKey | undefined,
    signal?: AbortSignal,
  ): Promise<Outcome<Uint8Array>> {
    const sender = from === undefined ? {} : { from };
    const body = JSON.stringify({ payload: base64(payload), ...sender, to: [] });
    const request = {
      method: 'POST',
      path: '/encodedpayload/create',
      headers: JSON_HEADERS,
      body,
      signal,
    } as const;
    return this.requests.ask(request, (answer) => answer.body);
  }

  /** Reads what `encrypt` made. */
  async decrypt(encrypted: Uint8Array, signal?: AbortSignal): Promise<Outcome<PrivatePayload>> {
    const path = '/encodedpayload/decrypt';
    return this.requests.ask(
      { method: 'POST', path, headers: JSON_HEADERS, body: encrypted, signal },
      ({ body }) => readPayload(body),
    );
  }

  /**
   * The payload of a hash (64 bytes), for any key of the manager. Calls that come while others are in flight share a
   * request where the manager has joined lookups.
   */
  async find(hash: Uint8Array): Promise<Found<PrivatePayload>> {
    const features = await this.requests.features();
    if (features.kind !== 'done' || !features.value.joinedLookups) return this.receive(hash);
    return (await this.lookups.find(hash)) ?? this.receive(hash);
  }

  /** The payload of a hash (64 bytes), for any key of the manager or the one given. */
  async receive(hash: Uint8Array, to?: PtmKey, signal?: AbortSignal): Promise<Found<PrivatePayload>> {
    const query = to === undefined ? '' : `?to=${encodeURIComponent(to)}`;
    return this.payloads.get(hash, query, ({ body }) => readPayload(body), signal);
  }

  /**
   * The payload of `storeRaw`, which the manager may have handed over already. Calls that come while another is in flight share a request, which the signal of one caller does
   * not end. A call by itself asks as `receiveRaw`, which costs less than a group of one.
   */
  findRaw(hash: Uint8Array, signal?: AbortSignal): Promise<Found<PrivatePayload>> {
    return this.raws.find(hash, signal);
  }

  /** The payload of `storeRaw`, by a request of its own. */
  receiveRaw(hash: Uint8Array, signal?: AbortSignal): Promise<Found<PrivatePayload>> {
    return this.payloads.raw(hash, signal);
  }

  /** Whether a key of the manager sent the payload. */
  async isSender(hash: Uint8Array, signal?: AbortSignal): Promise<Found<boolean>> {
    return this.payloads.get(hash, '/isSender', ({ text }) => readBoolean(text), signal);
  }

  /** Parties of the payload as far as the manager knows them. */
  async participants(hash: Uint8Array, signal?: AbortSignal): Promise<Found<readonly PtmKey[]>> {
    return this.payloads.get(hash, '/participants', ({ text }) => readKeys(text), signal);
  }

  /** Mandatory recipients of a payload with privacy flag 2. */
  async mandatoryRecipients(hash: Uint8Array, signal?: AbortSignal): Promise<Found<readonly PtmKey[]>> {
    return this.payloads.get(hash, '/mandatory', ({ text }) => readKeys(text), signal);
  }

  /** Which keys of the manager see one private state. */
  async residentGroups(signal?: AbortSignal): Promise<Outcome<readonly PrivacyGroup[]>> {
    const request = {
      method: 'GET',
      path: '/groups/resident',
      headers: { accept: JSON_TYPE },
      signal,
    } as const;
    return this.requests.ask(request, ({ body }) => readGroups(body));
  }

  /** Gives a message to the manager, which stores it and delivers it to the recipient's manager within a day. */
  sendMessage(message: PartyMessage): Promise<Outcome<MessageOutcome>> {
    return this.messages.send(message);
  }

  /**
   * Gives messages to the manager in their order, up to 64 of them in one request where it takes such.
   * @returns for each what `sendMessage` returns
   */
  sendMessages(messages: readonly PartyMessage[]): Promise<readonly Outcome<MessageOutcome>[]> {
    return this.messages.sendAll(messages);
  }

  /**
   * Whether the manager has any payload, of which it says itself whether some may have been lost.
   * `refused` by managers that do not know the question.
   */
  async holdsPayloads(signal?: AbortSignal): Promise<Outcome<boolean>> {
    const request = {
      method: 'GET',
      path: '/payloads/held',
      headers: { accept: JSON_TYPE },
      signal,
    } as const;
    return this.requests.ask(request, ({ body }) => readHeld(body));
  }

  /** Messages that wait for the node, at most 64: the oldest that were not acknowledged. */
  async unreadMessages(signal?: AbortSignal): Promise<Outcome<readonly ReceivedMessage[]>> {
    const path = `${MESSAGES.path}?max=${MAX_MESSAGES}`;
    return this.requests.ask({ method: 'GET', path, headers: { accept: JSON_TYPE }, signal }, ({ body }) =>
      readMessages(body),
    );
  }

  /** @param ids - of messages that the node has done, or stored; at most 64 */
  async acknowledgeMessages(ids: readonly string[]): Promise<Outcome<void>> {
    const path = `${MESSAGES.path}/acknowledge`;
    const body = acknowledgeBody(ids);
    return this.requests.ask({ method: 'POST', path, headers: JSON_HEADERS, body }, () => undefined);
  }

  /** Closes the connections; what is under way is `unknown`. */
  close(): Promise<void> {
    this.raws.close();
    return this.requests.close();
  }

  private async post(
    path: string,
    body: string,
    metadata: PrivacyMetadata,
    signal: AbortSignal | undefined,
  ): Promise<Outcome<SentPayload>> {
    const features = await this.requests.features(signal);
    if (features.kind !== 'done') return features;
    const missing = missingFeature(metadata, features.value);
    if (missing !== undefined)
      return {
        kind: 'refused',
        status: 501,
        text: `private transaction manager does not support ${missing}`,
      };
    const versioned = features.value.versionedTypes ? V2_1 : JSON_TYPE;
    const type = features.value.mandatoryRecipients ? V4_0 : versioned;
    const headers = { 'content-type': type, accept: type };
    return this.requests.ask({ method: 'POST', path, headers, body, signal }, (answer) =>
      readSent(answer.body),
    );
  }
}
