import { asBuffer } from '@tetrad/db';
import { addressToBytes, hashFromBytes, type Address, type Hash } from '@tetrad/types';
import type { NodeCalls } from './node-client.js';

const MAX_FOUND = 256;
const MAX_SCANNED = 10_000;
const PAGE = 1_000;
const ADDRESS_BYTES = 20;

/**
 * Hashes of the newest private transactions that entered the contract, in the order of the chain. No index finds them: the results
 * are read backward, for questions that people ask.
 */
export async function listEntering(calls: NodeCalls, contract: Address): Promise<Hash[]> {
  const wanted = Buffer.from(addressToBytes(contract));
  const found: Hash[] = [];
  for (let scanned = 0; scanned < MAX_SCANNED && found.length < MAX_FOUND; scanned += PAGE) {
    const rows = await calls.privateReceipt.findMany({
      where: { entered: { not: null } },
      orderBy: [{ blockNumber: 'desc' }, { index: 'desc' }],
      select: { hash: true, entered: true },
      skip: scanned,
      take: PAGE,
    });
    const entering = rows.filter(({ entered }) => entered !== null && has(asBuffer(entered), wanted));
    found.push(...entering.map(({ hash }) => hashFromBytes(hash)));
    if (rows.length < PAGE) break;
  }
  return found.slice(0, MAX_FOUND).reverse();
}

/** @param entered - 20 bytes each */
function has(entered: Buffer, address: Buffer): boolean {
  for (let at = 0; at < entered.length; at += ADDRESS_BYTES)
    if (entered.subarray(at, at + ADDRESS_BYTES).equals(address)) return true;
  return false;
}
