import { readJson } from '@tetrad/rpc';
import { isPtmKey, type PtmKey } from '@tetrad/types';
import { z } from 'zod';
import { MAX_TEXT, unknown, type Found, type Outcome } from './outcome.js';

/** Bytes of a payload hash. */
const HASH_BYTES = 64;
/** No answer nests deeper than a list of objects with lists. */
const MAX_DEPTH = 8;

/** A private payload as a manager reads it. */
export interface PrivatePayload {
  readonly plaintext: Uint8Array;
  /** 0 to 3. */
  readonly privacyFlag: number;
  /** Hashes of 64 bytes: the payloads that created the affected contracts. */
  readonly affected: readonly Uint8Array[];
  /** Base64 text of the root, or empty. */
  readonly execHash: string;
  /** Recipients whose keys the manager holds; undefined where it does not tell (before API 2.1). */
  readonly managedParties: readonly PtmKey[] | undefined;
  readonly sender: PtmKey | undefined;
  readonly privacyGroupId: Uint8Array | undefined;
  /** All parties that the manager knows of; undefined where it does not tell them with a payload. */
  readonly participants?: readonly PtmKey[] | undefined;
}

/** A payload that a manager has sent. */
export interface SentPayload {
  /** 64 bytes. */
  readonly hash: Uint8Array;
  readonly managedParties: readonly PtmKey[] | undefined;
  readonly sender: PtmKey | undefined;
}

/** What became of one payload of a group. */
export interface SignedOutcome {
  /** 64 bytes. */
  readonly hash: Uint8Array;
  readonly outcome: Outcome<SentPayload>;
}

export interface PrivacyGroup {
  readonly id: Uint8Array;
  readonly name: string;
  readonly kind: string;
  readonly members: readonly PtmKey[];
}

const bytes = z.string().transform((text, context) => {
  const value = Buffer.from(text, 'base64');
  if (value.toString('base64') === text) return value;
  context.addIssue({ code: 'custom', message: 'not base64' });
  return z.NEVER;
});
const hash = bytes.refine((value) => value.length === HASH_BYTES, `not ${HASH_BYTES} bytes`);
const key = z.string().refine((text): text is PtmKey => isPtmKey(text), 'not a public key');

const received = z.looseObject({
  payload: bytes,
  privacyFlag: z.int().min(0).max(3).nullish(),
  affectedContractTransactions: z.array(hash).nullish(),
  execHash: z.string().nullish(),
  managedParties: z.array(key).nullish(),
  senderKey: key.nullish(),
  privacyGroupId: bytes.nullish(),
  participants: z.array(key).nullish(),
});
const sent = z.looseObject({ key: hash, managedParties: z.array(key).nullish(), senderKey: key.nullish() });
const sentInGroup = z.looseObject({
  hash,
  status: z.int().min(200).max(599),
  managedParties: z.array(key).nullish(),
  senderKey: key.nullish(),
  text: z.string().nullish(),
});
const stored = z.looseObject({ key: hash });
const groups = z.array(
  z.looseObject({
    privacyGroupId: bytes,
    name: z.string().nullish(),
    type: z.string().nullish(),
    members: z.array(key),
  }),
);

const lookedUp = z.looseObject({
  payloads: z.array(
    z.looseObject({
      hash,
      found: received.optional(),
      absent: z.literal(true).optional(),
      failure: z.string().optional(),
    }),
  ),
});

const newRaws = z.looseObject({ last: z.int().min(0), payloads: lookedUp.shape.payloads });

const held = z.looseObject({ held: z.boolean() });

/**
 * Whether a manager has any payload.
 * @throws as `readAs`
 */
export function readHeld(body: Uint8Array): boolean {
  return readAs(held, body).held;
}

/** What a joined lookup says of one payload: the payload, that it is absent, or why it cannot be read. */
export interface LookedUp {
  /** 64 bytes. */
  readonly hash: Uint8Array;
  readonly outcome: Found<PrivatePayload>;
}

/** @throws as `readAs` */
export function readPayload(body: Uint8Array): PrivatePayload {
  return toPayload(readAs(received, body));
}

/**
 * The answer to a joined lookup.
 * @throws as `readAs`
 */
export function readLookedUp(body: Uint8Array): LookedUp[] {
  return toLookedUp(readAs(lookedUp, body).payloads);
}

/** Payloads that were stored for signed transactions, and the place to ask from next. */
export interface NewRawPayloads {
  readonly last: number;
  readonly payloads: readonly LookedUp[];
}

/** @throws as `readAs` */
export function readNewRaws(body: Uint8Array): NewRawPayloads {
  const { last, payloads } = readAs(newRaws, body);
  return { last, payloads: toLookedUp(payloads) };
}

function toLookedUp(payloads: z.infer<typeof lookedUp>['payloads']): LookedUp[] {
  return payloads.map(({ hash: ofHash, found, absent, failure }) => {
    if (found !== undefined) return { hash: ofHash, outcome: { kind: 'found', value: toPayload(found) } };
    if (absent === true && failure === undefined) return { hash: ofHash, outcome: { kind: 'not-found' } };
    return { hash: ofHash, outcome: unknown(`500 status: ${failure?.slice(0, MAX_TEXT) ?? ''}`) };
  });
}

function toPayload(value: z.infer<typeof received>): PrivatePayload {
  return {
    plaintext: value.payload,
    privacyFlag: value.privacyFlag ?? 0,
    affected: value.affectedContractTransactions ?? [],
    execHash: value.execHash ?? '',
    managedParties: value.managedParties ?? undefined,
    sender: value.senderKey ?? undefined,
    privacyGroupId: value.privacyGroupId ?? undefined,
    participants: value.participants ?? undefined,
  };
}

export function readSent(body: Uint8Array): SentPayload {
  const { key: sentHash, managedParties, senderKey } = readAs(sent, body);
  return { hash: sentHash, managedParties: managedParties ?? undefined, sender: senderKey ?? undefined };
}

/**
 * What an answer to a group says of one payload.
 * @throws as `readAs`
 */
export function readSentInGroup(line: Uint8Array): SignedOutcome {
  const { hash: ofHash, status, managedParties, senderKey, text } = readAs(sentInGroup, line);
  if (status !== 200 && status !== 201)
    return { hash: ofHash, outcome: { kind: 'refused', status, text: (text ?? '').slice(0, MAX_TEXT) } };
  const value = { hash: ofHash, managedParties: managedParties ?? undefined, sender: senderKey ?? undefined };
  return { hash: ofHash, outcome: { kind: 'done', value } };
}

/** The hash of an object with a `key`. */
export function readKeyHash(body: Uint8Array): Uint8Array {
  return readAs(stored, body).key;
}

/** The hash that is the whole answer. */
export function readHash(text: string): Uint8Array {
  return hash.parse(text);
}

export function readGroups(body: Uint8Array): PrivacyGroup[] {
  return readAs(groups, body).map(({ privacyGroupId, name, type, members }) => ({
    id: privacyGroupId,
    name: name ?? '',
    kind: type ?? '',
    members,
  }));
}

/** API versions. */
export function readVersions(body: Uint8Array): string[] {
  return readAs(z.array(z.string()), body);
}

/** Keys between commas; nothing between none. */
export function readKeys(text: string): PtmKey[] {
  return text === '' ? [] : text.split(',').map((one) => key.parse(one));
}

/** @throws TypeError for any other text than `true` and `false` */
export function readBoolean(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new TypeError('must be true or false');
}

/** @throws Error when it is not JSON of that shape */
function readAs<T>(schema: z.ZodType<T>, body: Uint8Array): T {
  const result = schema.safeParse(readJson(body, MAX_DEPTH));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new TypeError(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}
