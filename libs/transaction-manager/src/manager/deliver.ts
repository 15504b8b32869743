import type { PtmKey } from '@tetrad/types';
import { ManagerError } from '../manager-error.js';
import { speaksCbor, takesMandatoryRecipients, takesPrivacyFlags } from '../party/api-versions.js';
import type { Party, PartyTable } from '../party/party-table.js';
import { PeerUnreachableError, type PeerClient } from '../party/peer-client.js';
import type { PushGroups } from '../party/push-groups.js';
import { toBase64 } from '../payload/base64.js';
import { encodeBinaryPayload } from '../payload/binary-payload.js';
import { encodeCborPayload } from '../payload/cbor-payload.js';
import { PrivacyFlag, payloadHash, type EncodedPayload } from '../payload/encoded-payload.js';
import type { PushAnswer } from '../payload/push-group.js';
import { copyForRecipient } from '../payload/recipient-copy.js';
import type { DroppedContract } from './lacking-recipients.js';

/** What delivering a payload takes. */
export interface DeliveryParts {
  readonly parties: PartyTable;
  readonly peers: PeerClient;
}

/** What delivering payloads takes besides. */
export interface PayloadDeliveryParts extends DeliveryParts {
  readonly pushes: PushGroups;
}

/** Pushes of one payload at a time, each of which holds a copy of it. */
const MAX_PUSHES = 16;

/**
 * Pushes a payload to every recipient elsewhere. Whether all of them are known and take payloads of its kind is looked
 * at before the first is pushed to.
 * @returns the contracts that recipients say do not count there
 * @throws ManagerError with the status of the first recipient that failed, and a line for each that did
 */
export async function deliver(
  payload: EncodedPayload,
  recipients: readonly PtmKey[],
  parts: PayloadDeliveryParts,
): Promise<DroppedContract[]> {
  const dropped: DroppedContract[] = [];
  const found = settle(recipients.map((key) => () => findParty(key, payload.privacyFlag, parts.parties)));
  const pushes = recipients.map((recipient, index) => async () => {
    const places = await pushCopy(found[index] as Party, copyForRecipient(payload, recipient), parts.pushes);
    dropped.push(...places.flatMap((place) => droppedAt(payload, place, recipient)));
  });
  await pushAll(pushes, parts);
  return dropped;
}

function droppedAt({ affected }: EncodedPayload, place: number, recipient: PtmKey): DroppedContract[] {
  const contract = affected[place];
  return contract === undefined ? [] : [{ recipient, hash: contract.hash }];
}

/**
 * Delivers a group to the managers of other members, in the same way.
 * @param encoded - see `encodeGroupMessage`
 */
export async function deliverGroup(
  encoded: Uint8Array,
  members: readonly PtmKey[],
  parts: DeliveryParts,
): Promise<void> {
  const find = (key: PtmKey) => () => findParty(key, PrivacyFlag.Standard, parts.parties).url;
  const urls = new Set(settle(members.map(find)));
  await pushAll(
    [...urls].map((url) => () => pushGroupTo(url, encoded, parts.peers)),
    parts,
  );
}

/** Runs all of them, some at a time, also when one fails. Managers that cannot be reached are forgotten. */
async function pushAll(pushes: readonly (() => Promise<void>)[], { parties }: DeliveryParts): Promise<void> {
  // By place, so that the first failure is that of the first recipient.
  const failed = new Map<number, unknown>();
  const waiting = pushes.entries();
  const pushOnes = async () => {
    for (const [index, push] of waiting) await push().catch((error: unknown) => failed.set(index, error));
  };
  await Promise.all(Array.from({ length: Math.min(MAX_PUSHES, pushes.length) }, pushOnes));
  const failures = [...failed].sort(([a], [b]) => a - b).map(([, error]) => error);
  for (const failure of failures) if (failure instanceof PeerUnreachableError) parties.forget(failure.url);
  refuseAll(failures);
}

/**
 * The manager of a key, which takes payloads of the kind.
 * @throws ManagerError 403, 404
 */
export function findParty(key: PtmKey, flag: PrivacyFlag, parties: PartyTable): Party {
  const party = parties.find(key);
  if (party === undefined) throw new ManagerError('not-found', `Recipient not found for key: ${key}`);
  if (flag !== PrivacyFlag.Standard && !takesPrivacyFlags(party.versions))
    throw new ManagerError(
      'forbidden',
      `Transactions with enhanced privacy is not currently supported on recipient ${key}`,
    );
  if (flag === PrivacyFlag.MandatoryRecipients && !takesMandatoryRecipients(party.versions))
    throw new ManagerError(
      'forbidden',
      `Transactions with mandatory recipients are not currently supported on recipient ${key}`,
    );
  return party;
}

/** @returns places of the affected contracts that do not count there */
async function pushCopy(
  { url, versions }: Party,
  copy: EncodedPayload,
  pushes: PushGroups,
): Promise<readonly number[]> {
  const answer = await pushes.push(url, encodeForPush(copy, versions));
  assertDelivered(url, copy, answer);
  return answer.dropped ?? [];
}

/** The encoding that a manager of these versions takes. */
function encodeForPush(copy: EncodedPayload, versions: ReadonlySet<string>): Uint8Array {
  return speaksCbor(versions) ? encodeCborPayload(copy) : encodeBinaryPayload(copy);
}

/**
 * Pushes a payload for one recipient.
 * @throws ManagerError 500 when it is refused, or the answer names another hash: the server got something else, or is
 *   not a manager; PeerUnreachableError
 */
export async function pushTo(
  { url, versions }: Pick<Party, 'url' | 'versions'>,
  copy: EncodedPayload,
  peers: PeerClient,
): Promise<void> {
  assertDelivered(url, copy, await peers.post(url, 'push', encodeForPush(copy, versions)));
}

/** A manager that got something else answers with the hash of what it got, and does not store it. */
function assertDelivered(
  url: string,
  copy: EncodedPayload,
  { status, text }: Pick<PushAnswer, 'status' | 'text'>,
): void {
  if ((status !== 200 && status !== 201) || text.trim() !== toBase64(payloadHash(copy)))
    throw new ManagerError('rejected', `Unable to push payload to recipient url ${url}`);
}

async function pushGroupTo(url: string, encoded: Uint8Array, peers: PeerClient): Promise<void> {
  const { status } = await peers.post(url, 'pushPrivacyGroup', encoded);
  if (status !== 200)
    throw new ManagerError('rejected', `Unable to push privacy group to recipient url ${url}`);
}

/**
 * Runs all of them.
 * @throws with the errors of those that failed, in one error
 */
function settle<T>(steps: readonly (() => T)[]): T[] {
  const [results, failures]: [T[], unknown[]] = [[], []];
  for (const step of steps) {
    try {
      results.push(step());
    } catch (error) {
      failures.push(error);
    }
  }
  refuseAll(failures);
  return results;
}

function refuseAll(failures: readonly unknown[]): void {
  const [first] = failures;
  if (first === undefined) return;
  const unexpected = failures.find(
    (failure) => !(failure instanceof ManagerError) && !(failure instanceof PeerUnreachableError),
  );
  if (unexpected !== undefined) throw unexpected;
  const texts = new Set(failures.map((failure) => (failure as Error).message));
  throw new ManagerError(first instanceof ManagerError ? first.kind : 'unreachable', [...texts].join('\n'));
}
