import { asBuffer } from '@tetrad/db';
import { ManagerError } from '../manager-error.js';
import { isManagerFault } from '../manager-fault.js';
import type { NewRawPayloads } from '../manager/new-raw-payloads.js';
import type { ReceivedPayload, TransactionManager } from '../manager/transaction-manager.js';
import { toBase64 } from '../payload/base64.js';
import { HASH_BYTES } from '../payload/encoded-payload.js';
import { badRequest, base64Bytes, parseMembers, requiredList } from './json-members.js';
import { V2_1 } from './media-types.js';
import { JSON_TYPE, json, type Route } from './route.js';
import { receivedJson } from './transaction-routes.js';

/** Header of the answer to `GET /version/api` by which a node knows that `/payloads` is there. */
export const LOOKUPS_HEADER = 'tetrad-payload-lookups';

/** Value of the header: `2` since `/payloads/raw` is there too, `3` since `/payloads/raw/new` is. Nodes take a higher one as well. */
export const LOOKUPS_VERSION = '3';

/** How long a request for new payloads waits for one: less than the time that nodes give a request. */
const NEW_WAIT_MS = 2_000;

/** Maximum number of hashes in a request. */
const MAX_HASHES = 64;

/** Payloads that are read at a time, each of which may be as long as a request. */
const READ_TOGETHER = 16;

/** Bytes of payloads above which the rest is left to the next request. */
const ANSWER_BYTES = 4 * 1_048_576;

/** How the payload of a hash is read; fails as `TransactionManager.receive`. */
type Read = (hash: Buffer) => Promise<ReceivedPayload>;

/**
 * Several payloads in one request, which a node needs that executes a block or that many clients send to, those that were stored for transactions that come next, and whether there are any, which one needs that joins:
 * docs/spec/transaction-manager.md#lookups. In a path of its own, so that the answers of the paths that existing managers have stay theirs.
 */
export function lookupRoutes({
  manager,
  newRaws,
}: {
  readonly manager: TransactionManager;
  readonly newRaws: NewRawPayloads;
}): Route[] {
  const readRaw: Read = (hash) => manager.receiveRaw(hash);
  return [
    {
      method: 'POST',
      path: '/payloads',
      consumes: [JSON_TYPE],
      handle: async ({ body }) => json(await lookUp(hashesOf(body), (hash) => manager.receive(hash))),
    },
    {
      method: 'POST',
      path: '/payloads/raw',
      consumes: [JSON_TYPE],
      handle: async ({ body }) => json(await lookUp(hashesOf(body), readRaw)),
    },
    {
      method: 'POST',
      path: '/payloads/raw/new',
      consumes: [JSON_TYPE],
      async handle({ body }) {
        const { last, hashes } = await newRaws.since(placeOf(body), NEW_WAIT_MS);
        return json({ last, ...(await lookUp(hashes.map(asBuffer), readRaw)) });
      },
    },
    {
      method: 'GET',
      path: '/payloads/held',
      handle: async () => json({ held: await manager.holdsPayloads() }),
    },
  ];
}

async function lookUp(hashes: readonly Buffer[], read: Read): Promise<{ readonly payloads: object[] }> {
  const answers: object[] = [];
  let bytes = 0;
  for (let next = 0; next < hashes.length && bytes <= ANSWER_BYTES; next += READ_TOGETHER) {
    const some = hashes.slice(next, next + READ_TOGETHER);
    for (const found of await Promise.all(some.map((hash) => readOne(hash, read)))) {
      if (bytes > ANSWER_BYTES) break;
      bytes += found.bytes;
      answers.push(found.answer);
    }
  }
  return { payloads: answers };
}

/** @throws ManagerError 400 */
function placeOf(body: Buffer): number | undefined {
  const { after } = parseMembers(body);
  if (after === undefined) return undefined;
  if (typeof after === 'number' && Number.isSafeInteger(after) && after >= 0) return after;
  throw badRequest('after');
}

function hashesOf(body: Buffer): Buffer[] {
  const texts = requiredList(parseMembers(body), 'hashes');
  if (texts.length === 0) throw badRequest('hashes');
  if (texts.length > MAX_HASHES)
    throw new ManagerError('invalid', `hashes has ${texts.length} entries; the limit is ${MAX_HASHES}`);
  return texts.map((text) => {
    const hash = base64Bytes(text);
    if (hash.length !== HASH_BYTES)
      throw new ManagerError('invalid', `hashes: a hash has ${HASH_BYTES} bytes, not ${hash.length}`);
    return hash;
  });
}

/** Each answer names its hash: a node that reads an absent payload into an answer would leave the other parties. */
async function readOne(
  hash: Buffer,
  read: Read,
): Promise<{ readonly answer: object; readonly bytes: number }> {
  const named = { hash: toBase64(hash) };
  try {
    const received = await read(hash);
    const found = { ...receivedJson(received, V2_1), participants: received.recipientKeys };
    return { answer: { ...named, found }, bytes: received.plaintext.length };
  } catch (error) {
    // Any other failure concerns all of the request, such as a database that is away.
    if (!isManagerFault(error)) throw error;
    const absent = error.code === 'MANAGER_ERROR' && error.kind === 'not-found';
    return { answer: { ...named, ...(absent ? { absent } : { failure: error.message }) }, bytes: 0 };
  }
}
