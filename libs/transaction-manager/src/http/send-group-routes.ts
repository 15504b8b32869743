import type { Logger } from '@tetrad/types';
import { ManagerError } from '../manager-error.js';
import { toBase64 } from '../payload/base64.js';
import { HASH_BYTES } from '../payload/encoded-payload.js';
import { answerToError } from './answer-error.js';
import { AnswersAsTheyCome } from './answers-as-they-come.js';
import { badRequest, parseMembers, requiredText, type Members } from './json-members.js';
import { V4_0 } from './media-types.js';
import { JSON_TYPE, type HttpAnswer, type HttpRequest, type Route } from './route.js';
import { readSignedRequest, type SendParts } from './send-routes.js';

/** Header of the answer to `GET /version/api` by which a node knows that the path is there. */
export const SENDS_HEADER = 'tetrad-send-groups';

/** Maximum number of payloads in a request. */
const MAX_SENDS = 64;

const LINES = 'application/x-ndjson';

/**
 * Several payloads of `storeRaw` sent by one request, each as by `/sendsignedtx`, told of as soon as it is done:
 * docs/spec/transaction-manager.md#groups-of-sends.
 */
export function sendGroupRoutes(parts: SendParts & { readonly logger: Logger }): Route[] {
  return [
    {
      method: 'POST',
      path: '/sendsignedtxs',
      consumes: [JSON_TYPE],
      async handle(request) {
        const sends = sendsOf(request.body);
        const lines = new AnswersAsTheyCome(sends.map((one) => sendOne(one, request, parts)));
        const body = await lines.next();
        return { status: 200, type: LINES, body, ...(lines.isOver ? {} : { rest: lines }) };
      },
    },
  ];
}

interface NamedSend {
  /** Base64 as it came, by which the answer names the payload. */
  readonly hash: string;
  readonly members: Members;
}

/** @throws ManagerError 400 before any is sent */
function sendsOf(body: Buffer): NamedSend[] {
  const { sends } = parseMembers(body);
  if (!Array.isArray(sends) || sends.length === 0) throw badRequest('sends');
  if (sends.length > MAX_SENDS)
    throw new ManagerError('invalid', `sends has ${sends.length} entries; the limit is ${MAX_SENDS}`);
  return sends.map((members: unknown) => {
    if (typeof members !== 'object' || members === null || Array.isArray(members)) throw badRequest('sends');
    const hash = requiredText(members as Members, 'hash');
    if (toBase64(Buffer.from(hash, 'base64')) !== hash || Buffer.from(hash, 'base64').length !== HASH_BYTES)
      throw badRequest('hash');
    return { hash, members: members as Members };
  });
}

/** One line; a failure has the status and the text that it has by itself. */
async function sendOne(
  { hash, members }: NamedSend,
  { headers }: HttpRequest,
  parts: SendParts & { readonly logger: Logger },
): Promise<string> {
  try {
    const request = await readSignedRequest(members, { mediaType: V4_0, headers }, parts.groups);
    const { managedParties, sender } = await parts.manager.sendSigned(request);
    return `${JSON.stringify({ hash, status: 201, managedParties, senderKey: sender })}\n`;
  } catch (error) {
    const answer = answerToError(error, parts.logger);
    return `${JSON.stringify({ hash, status: answer.status, text: textOf(answer) })}\n`;
  }
}

/** Where HTTP has a text in the reason phrase only. */
function textOf({ body, headers }: HttpAnswer): string {
  return typeof body === 'string' && body !== '' ? body : (headers?.['reason'] ?? '');
}
