import { randomBytes, randomInt } from 'node:crypto';
import type { Database } from '@tetrad/db';
import type { ComparedStatement } from '@tetrad/testkit';
import { keyFromBytes } from '../../src/keys/key-pair.js';
import {
  MAX_GROUP_BYTES,
  MAX_UNREAD,
  MAX_UNREAD_OF_ONE,
  MAX_WAITING_FOR_ONE,
} from '../../src/message/message-bounds.js';
import { MAX_TAG } from '../../src/message/party-message.js';
import { acknowledgeMessages } from '../../src/store/hot/acknowledge-messages.js';
import { nextMessages } from '../../src/store/hot/next-messages.js';
import { receiveMessages } from '../../src/store/hot/receive-messages.js';
import { takeMessages } from '../../src/store/hot/take-messages.js';
import { unreadMessages } from '../../src/store/hot/unread-messages.js';
import { waitingPairs } from '../../src/store/hot/waiting-pairs.js';
import type { ManagerClient } from '../../src/store/manager-client.js';

/** Of a statement of a block, with its signature. */
const BODY_BYTES = 300;
const MAX_READ = 64;
const BOUNDS = { ofOne: MAX_UNREAD_OF_ONE, ofAll: MAX_UNREAD, pairs: Infinity };

const [own, other] = [randomBytes(32), randomBytes(32)];
const sent = { from: keyFromBytes(own), to: keyFromBytes(other) };
const received = { from: sent.to, to: sent.from };
let lastOrder = 1;
const nextOrder = () => BigInt((lastOrder += 1));
const newContent = () => ({ kind: 'test', body: randomBytes(BODY_BYTES) });

/** The statements for messages between parties beside the calls of the client that do the same, of one message each. */
export function messageStatements(rows: ManagerClient, database: Database): ComparedStatement[] {
  const { client } = rows;
  const ids = () => [{ sequence: BigInt(randomInt(1_000)), tag: randomInt(MAX_TAG) }];
  return [
    {
      statement: 'take-messages',
      rows: 1,
      client: () => takeByClient(rows),
      sql: async () => {
        await takeMessages(database, [{ ...sent, ...newContent(), max: MAX_WAITING_FOR_ONE }], nextOrder());
      },
    },
    {
      statement: 'next-messages',
      rows: 1,
      client: async () => {
        const row = await client.outgoingMessage.findFirst({ where: { own, other }, orderBy: { id: 'asc' } });
        await client.outgoingMessage.deleteMany({ where: { id: row?.id ?? 0n } });
      },
      sql: async () => {
        const one = { max: 1, bytes: MAX_GROUP_BYTES };
        const [row] = await nextMessages(database, sent, [], one);
        await nextMessages(database, sent, [BigInt(row?.id ?? 0)], one);
      },
    },
    {
      statement: 'waiting-pairs',
      rows: 1,
      client: () =>
        client.outgoingMessage.groupBy({
          by: ['own', 'other'],
          orderBy: { _min: { id: 'asc' } },
          take: 1_000,
        }),
      sql: () => waitingPairs(database, 1_000),
    },
    {
      statement: 'receive-messages',
      rows: 1,
      client: () => receiveByClient(rows),
      sql: async () => {
        const message = { ...received, ...newContent(), order: nextOrder(), tag: randomInt(MAX_TAG) };
        await receiveMessages(database, received, [message], BOUNDS);
      },
    },
    {
      statement: 'unread-messages',
      rows: MAX_READ,
      client: () => client.incomingMessage.findMany({ orderBy: { sequence: 'asc' }, take: MAX_READ }),
      sql: () => unreadMessages(database, MAX_READ),
    },
    {
      statement: 'acknowledge-messages',
      rows: 1,
      client: () => client.incomingMessage.deleteMany({ where: { OR: ids() } }),
      sql: () => acknowledgeMessages(database, ids()),
    },
  ];
}

/** The row of the pair is locked by the update, so that orders grow in the order of the rows. */
function takeByClient(rows: ManagerClient): Promise<unknown> {
  const pair = { own, other };
  return rows.transaction(async (calls) => {
    await calls.messagePair.createMany({ data: [pair], skipDuplicates: true });
    const now = nextOrder();
    const byClock = { where: { ...pair, lastSent: { lt: now } }, data: { lastSent: now } };
    const { count } = await calls.messagePair.updateMany(byClock);
    const next = { where: { own_other: pair }, data: { lastSent: { increment: count === 1 ? 0 : 1 } } };
    const { lastSent: order } = await calls.messagePair.update(next);
    await calls.outgoingMessage.count({ where: pair, take: MAX_WAITING_FOR_ONE });
    await calls.outgoingMessage.create({ data: { ...pair, order, ...newContent() } });
  });
}

function receiveByClient(rows: ManagerClient): Promise<unknown> {
  const pair = { own, other };
  return rows.transaction(async (calls) => {
    await calls.messagePair.findUnique({ where: { own_other: pair } });
    await calls.incomingMessage.count({ where: { other }, take: BOUNDS.ofOne });
    await calls.incomingMessage.count({ take: BOUNDS.ofAll });
    const order = nextOrder();
    const isLater = { where: { ...pair, lastReceived: { lt: order } }, data: { lastReceived: order } };
    const { count } = await calls.messagePair.updateMany(isLater);
    if (count === 1)
      await calls.incomingMessage.create({ data: { ...pair, tag: randomInt(MAX_TAG), ...newContent() } });
  });
}
