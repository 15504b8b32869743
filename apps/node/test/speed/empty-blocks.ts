import { addressFromPrivateKey } from '@tetrad/crypto';
import { encodeHeader } from '@tetrad/node-block';
import { hashHeader } from '@tetrad/node-consensus-bft';
import type { BlockWrite } from '@tetrad/node-store';
import type { BlockHeader, Hash } from '@tetrad/types';
import { makeBlock, sealHeader } from '../../../../libs/node/chain/consensus-bft-chain/test/seal-block.js';
import type { BulkLedger } from './bulk-ledger.js';

/** Rows that are given to the store at once. */
const AT_ONCE = 256;

/**
 * Appends blocks without transactions and of one validator, of which only the first is executed: the others are as it is, but for number,
 * parent, time and seal. The ledger does not get them, so nothing is written through it afterwards.
 */
export async function appendEmptyBlocks(
  into: BulkLedger,
  { count, key }: { readonly count: number; readonly key: Uint8Array },
): Promise<void> {
  const validators = [addressFromPrivateKey(key)];
  const { block: first, executed } = await makeBlock(into, { proposerKey: key, keys: [key] });
  await into.ledger.append(first, executed);
  const { totalTransactions } = (await into.store.findBlockByNumber(first.header.number)) ?? NONE;
  let { header, hash }: { header: BlockHeader; hash: Hash } = first;
  let writes: BlockWrite[] = [];
  for (let left = count - 1; left > 0; left -= 1) {
    const [number, timestamp] = [header.number + 1, header.timestamp + 1n];
    const { engine } = into.rules.settingsAt(number);
    const parentHash = hash;
    const bare = { ...header, number, timestamp, parentHash };
    header = sealHeader({ format: engine, header: bare, validators, proposerKey: key, keys: [key] });
    hash = hashHeader(header);
    const { stateRoot } = header;
    const block = { number, hash, stateRoot, timestamp, header: encodeHeader(header), totalTransactions };
    writes.push({ ...NOTHING, block, parentHash });
    if (writes.length < AT_ONCE && left > 1) continue;
    await into.store.appendBlocks(writes);
    writes = [];
  }
}

const NONE = { totalTransactions: 0 };
const NOTHING = {
  transactions: [],
  logs: [],
  nodes: [],
  codes: [],
  preimages: [],
  joined: [],
};
