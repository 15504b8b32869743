import type { Completeness } from '../completeness/completeness.js';
import { INCOMPLETE_HEADER } from '../completeness/incomplete-answer.js';
import type { LossCheck } from '../completeness/loss-check.js';
import type { PrivacyGroups } from '../group/privacy-groups.js';
import type { Resender } from '../manager/resend.js';
import { ManagerError } from '../manager-error.js';
import { decodeBinaryPayload } from '../payload/binary-payload.js';
import type { Recovery } from '../recovery/recovery.js';
import {
  badRequest,
  base64Bytes,
  parseMembers,
  publicKey,
  requiredList,
  requiredText,
  type Members,
} from './json-members.js';
import {
  BYTES,
  JSON_TYPE,
  MAX_BODY_FACTOR,
  TEXT,
  json,
  type HttpAnswer,
  type HttpRequest,
  type Route,
} from './route.js';

export interface ResendRouteParts {
  readonly resender: Resender;
  readonly recovery: Recovery;
  readonly lossCheck: Pick<LossCheck, 'isRunning' | 'acceptBatch'>;
  readonly groups: PrivacyGroups;
  readonly completeness: Pick<Completeness, 'incompleteness'>;
}

/** Of a key and a few words, which are held while a resend waits for those before it, however long. */
const MAX_ASKING_BYTES = 64 * 1_024;

type ResendParts = Pick<ResendRouteParts, 'resender' | 'completeness'>;

/** Routes for managers that lost payloads, for the payloads they resend, and for messages about privacy groups. */
export function resendRoutes(parts: ResendRouteParts): Route[] {
  const { recovery, lossCheck, groups } = parts;
  const post = { method: 'POST', consumes: [JSON_TYPE] } as const;
  return [
    { ...post, path: '/resend', handle: ({ body }) => resend(parseAsking(body), parts) },
    { ...post, path: '/resendBatch', handle: ({ body }) => resendBatch(parseAsking(body), parts) },
    // Base64 in JSON is longer than the bytes that it encodes.
    {
      ...post,
      path: '/pushBatch',
      bodyFactor: MAX_BODY_FACTOR,
      handle: (request) => pushBatch(request, recovery, lossCheck),
    },
    {
      method: 'POST',
      path: '/pushPrivacyGroup',
      consumes: [BYTES],
      async handle({ body }) {
        await groups.accept(body);
        return { status: 200 };
      },
    },
  ];
}

/** @throws ManagerError 400 */
function parseAsking(body: HttpRequest['body']): Members {
  if (body.length > MAX_ASKING_BYTES) throw badRequest('body');
  return parseMembers(body);
}

async function resend(members: Members, parts: ResendParts): Promise<HttpAnswer> {
  const { type } = members;
  if (type !== 'ALL' && type !== 'INDIVIDUAL')
    throw new ManagerError('rejected', 'type must be ALL or INDIVIDUAL');
  const key = publicKey(requiredText(members, 'publicKey'));
  if (type === 'INDIVIDUAL') {
    const hash = base64Bytes(requiredText(members, 'key'));
    return { status: 200, type: TEXT, body: await parts.resender.one(hash, key) };
  }
  return saysWhetherComplete(parts, async (resender) => {
    await resender.all(key);
    return { status: 200 };
  });
}

async function resendBatch(members: Members, parts: ResendParts): Promise<HttpAnswer> {
  const { batchSize } = members;
  if (typeof batchSize !== 'number' || !Number.isSafeInteger(batchSize) || batchSize < 1)
    throw badRequest('batchSize');
  const key = publicKey(requiredText(members, 'publicKey'));
  return saysWhetherComplete(parts, async (resender) =>
    json({ total: await resender.inBatches(key, batchSize) }),
  );
}

/** What was resent is all there was only if nothing was in doubt before it, nor after. */
async function saysWhetherComplete(
  { resender, completeness }: ResendParts,
  send: (resender: Resender) => Promise<HttpAnswer>,
): Promise<HttpAnswer> {
  const before = completeness.incompleteness;
  const answer = await send(resender);
  const state = before ?? completeness.incompleteness;
  return state === undefined ? answer : { ...answer, headers: { [INCOMPLETE_HEADER]: state } };
}

/** A manager sends batches only to one that asked for them. */
async function pushBatch(
  { body }: HttpRequest,
  recovery: Recovery,
  lossCheck: ResendRouteParts['lossCheck'],
): Promise<HttpAnswer> {
  const asked = [recovery, lossCheck].find(({ isRunning }) => isRunning);
  if (asked === undefined) throw new ManagerError('not-found', 'HTTP 404 Not Found');
  const encoded = requiredList(parseMembers(body), 'encodedPayloads').map(base64Bytes);
  await asked.acceptBatch(encoded.map(decodeBinaryPayload));
  return { status: 200 };
}
