import { addressCodec, defineMethod, indexCodec, param } from '@tetrad/rpc';
import { parseAddress, type Address } from '@tetrad/types';
import { z } from 'zod';
import { ACCOUNT, PENDING_TRANSACTION, RECIPIENT } from './examples.js';
import { transactionCodec } from './wire/transaction.js';

const SOURCE = 'Ethereum execution API, "txpool"';

/** Nonce as decimal text → entry. */
function byNonce<Entry extends z.ZodType>(entry: Entry) {
  return z.codec(
    z.record(z.string().regex(/^[0-9]+$/), entry),
    z.custom<ReadonlyMap<bigint, z.output<Entry>>>((value) => value instanceof Map),
    {
      decode: (entries) =>
        new Map(Object.entries(entries).map(([nonce, value]) => [BigInt(nonce), value as z.output<Entry>])),
      encode: (entries) =>
        Object.fromEntries([...entries].map(([nonce, value]) => [nonce.toString(), value])) as Record<
          string,
          z.output<Entry>
        >,
    },
  );
}

/** Sender → nonce → entry. */
function bySender<Entry extends z.ZodType>(entry: Entry) {
  const entries = byNonce(entry);
  type Entries = ReadonlyMap<bigint, z.output<Entry>>;
  return z.codec(
    z.record(z.string().regex(/^0x[0-9a-fA-F]{40}$/), entries),
    z.custom<ReadonlyMap<Address, Entries>>((value) => value instanceof Map),
    {
      decode: (senders) =>
        new Map(Object.entries(senders).map(([sender, value]) => [parseAddress(sender), value as Entries])),
      encode: (senders) => Object.fromEntries(senders) as Record<string, z.output<typeof entries>>,
    },
  );
}

/** `pending` can run next; `queued` waits for an earlier nonce of the same sender. */
function pools<Contents extends z.ZodType>(contents: Contents) {
  return z.object({ pending: contents, queued: contents });
}

const inspected = `${RECIPIENT}: 0 wei + 21000 gas × 0 wei`;

/** What waits in the transaction pool. */
export const txpoolMethods = {
  txpool_content: defineMethod({
    summary: 'All transactions of the pool by sender and nonce.',
    params: [],
    result: pools(bySender(transactionCodec)),
    errors: ['RESPONSE_TOO_LARGE'],
    source: SOURCE,
    examples: [
      {
        summary: 'with one that waits for its turn',
        params: [],
        result: { pending: { [ACCOUNT]: { '8': PENDING_TRANSACTION } }, queued: {} },
      },
    ],
  }),
  txpool_contentFrom: defineMethod({
    summary: 'Transactions of one sender by nonce.',
    params: [param('address', addressCodec, 'sender')],
    result: pools(byNonce(transactionCodec)),
    errors: ['RESPONSE_TOO_LARGE'],
    source: SOURCE,
    examples: [
      {
        summary: 'with a gap before it',
        params: [ACCOUNT],
        result: { pending: {}, queued: { '9': PENDING_TRANSACTION } },
      },
    ],
  }),
  txpool_inspect: defineMethod({
    summary: 'One line of text for each transaction of the pool.',
    params: [],
    result: pools(bySender(z.string())),
    errors: ['RESPONSE_TOO_LARGE'],
    source: 'go-ethereum, "txpool"',
    examples: [
      { summary: 'with one', params: [], result: { pending: { [ACCOUNT]: { '8': inspected } }, queued: {} } },
    ],
  }),
  txpool_status: defineMethod({
    summary: 'Number of transactions that can run and that wait for a nonce.',
    params: [],
    result: pools(indexCodec),
    source: SOURCE,
    examples: [{ summary: 'with three', params: [], result: { pending: '0x2', queued: '0x1' } }],
  }),
};
