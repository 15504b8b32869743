import { writeFile } from 'node:fs/promises';
import { keccak256 } from '@tetrad/crypto';
import { connectDatabase, type Database } from '@tetrad/db';
import { openLedgerStore } from '@tetrad/node-store';
import { envelopeOf } from '@tetrad/transactions';
import { addressFromBytes, addressToBytes, parseAddress } from '@tetrad/types';
import { addressKey, SCOPE } from '../../../../libs/node/chain/address-index/src/address-key.js';
import { ROLE } from '../../../../libs/node/chain/address-index/src/entries.js';
import { OpenRows } from '../../../../libs/node/chain/address-index/src/open-rows.js';
import { numberOfPlace } from '../../../../libs/node/chain/address-index/src/place.js';

/** Accounts that all other transactions are of. */
const OTHERS = 20_000;
/** Entries of a row of another account, of three bytes each: two full rows and more for each. */
const OTHER_ENTRY_BYTES = 3;
const ENTRIES_OF_ROW = 128;
const HASH_KEY = new Uint8Array(16).fill(7);
const ACCOUNT = parseAddress(`0x${'ab'.repeat(20)}`);
const BLOCKS_AT_A_TIME = 1_000;

/**
 * Gives the blocks of a database transactions, written straight into the tables, and an index by address up to the head: of an account those that
 * the page of an explorer shows, of others rows of the same size with any content.
 *
 * `write-account-history.js DATABASE_URL TRANSACTIONS OF_ACCOUNT REPORT`
 */
async function writeAccountHistory([url = '', all, ofAccount, report = '']: readonly string[]) {
  const database = await connectDatabase({ url });
  const { rows } = await database.pool.query<{ head: number }>('SELECT max(number)::int AS head FROM block');
  const head = rows[0]?.head ?? 0;
  const ofBlock = { all: Number(all) / head, own: Number(ofAccount) / head };
  await writeTransactions(database, head, ofBlock);
  await writeOthers(database, head * (ofBlock.all - ofBlock.own));
  await writeIndex(database, head, ofBlock.own);
  await database.pool.query('VACUUM ANALYZE');
  await writeFile(report, JSON.stringify({ account: ACCOUNT, head }));
  await database.close();
}

/** Transfers; the first of each block are the account's, each with bytes and a hash of its own, as it is read again by its hash. */
async function writeTransactions(
  database: Database,
  head: number,
  { all, own }: { readonly all: number; readonly own: number },
): Promise<void> {
  const other = Buffer.from(transfer(0));
  for (let from = 1; from <= head; from += BLOCKS_AT_A_TIME) {
    const to = Math.min(head, from + BLOCKS_AT_A_TIME - 1);
    await writeOwn(database, { from, to, own });
    await database.pool.query(
      `${INSERT} SELECT b, i, sha256((b || ' ' || i)::bytea), substring(sha256((b * 7 + i)::text::bytea) for 20), $5,
                        1, 21000, 21000 * (i + 1), 0, 0
                   FROM generate_series($1::int, $2::int) AS b, generate_series($3::int, $4::int - 1) AS i`,
      [from, to, own, all, other],
    );
  }
}

const INSERT = `INSERT INTO transaction
  (block_number, index, hash, sender, raw, status, gas_used, cumulative_gas_used, first_log, log_count)`;

async function writeOwn(
  { pool }: Database,
  { from, to, own }: { readonly from: number; readonly to: number; readonly own: number },
): Promise<void> {
  const count = (to - from + 1) * own;
  const raws = Array.from({ length: count }, (_, at) => Buffer.from(transfer((from - 1) * own + at)));
  const hashes = raws.map((raw) => Buffer.from(keccak256(raw)));
  await pool.query(
    `${INSERT} SELECT $1 + (n - 1) / $2, (n - 1) % $2, hash, $3, raw, 1, 21000, 21000 * ((n - 1) % $2 + 1), 0, 0
                 FROM unnest($4::bytea[], $5::bytea[]) WITH ORDINALITY AS own (hash, raw, n)`,
    [from, own, Buffer.from(addressToBytes(ACCOUNT)), hashes, raws],
  );
}

/** A transfer without a signature of anyone: what is read takes the sender from its column. */
function transfer(nonce: number): Uint8Array {
  return envelopeOf({
    chainId: 1337n,
    nonce: BigInt(nonce),
    gasLimit: 21_000n,
    to: addressFromBytes(new Uint8Array(20).fill(1)),
    value: 1n,
    data: new Uint8Array(0),
    fees: { type: 'legacy', gasPrice: 0n },
  }).raw({ r: new Uint8Array(32).fill(1), s: new Uint8Array(32).fill(2), parity: 0 });
}

async function writeOthers({ pool }: Database, transactions: number): Promise<void> {
  // Each transaction has a sender and a recipient.
  const rowsOfEach = Math.ceil((2 * transactions) / OTHERS / ENTRIES_OF_ROW);
  await pool.query(
    `INSERT INTO address_row (list, first, sent_before, roles, entries)
     SELECT 4 * (a * 115292150460684::bigint), r * 1048576::bigint, r, 3, decode(repeat('ab', $3), 'hex')
       FROM generate_series(1, $1::int) AS a, generate_series(1, $2::int) AS r`,
    [OTHERS, rowsOfEach, ENTRIES_OF_ROW * OTHER_ENTRY_BYTES],
  );
}

/** The rows of the account, and the head of the index. */
async function writeIndex(database: Database, head: number, own: number): Promise<void> {
  const store = await openLedgerStore(database);
  const open = new OpenRows((scope, keys) => store.addressIndex.findNewest(scope, keys));
  const key = addressKey(HASH_KEY, ACCOUNT);
  const hash = await store.findBlockByNumber(head);
  if (hash === undefined) throw new Error('the chain has no head');
  for (let from = 1; from <= head; from += BLOCKS_AT_A_TIME) {
    const last = Math.min(head, from + BLOCKS_AT_A_TIME - 1);
    const entries = Array.from({ length: (last - from + 1) * own }, (_, at) => ({
      scope: SCOPE.public,
      key,
      roles: ROLE.sent,
      place: numberOfPlace({ blockNumber: from + Math.floor(at / own), index: at % own }),
    }));
    const progress = { hashKey: HASH_KEY, blockNumber: head, blockHash: hash.hash, callsFrom: 0 };
    await store.addressIndex.write(progress, await open.add(entries));
    open.settle();
  }
  await store.close();
}

await writeAccountHistory(process.argv.slice(2));
