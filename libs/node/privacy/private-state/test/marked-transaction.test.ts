import { describe, expect, it } from '@jest/globals';
import { decodeTransaction } from '@tetrad/node-execution';
import { readMarkedTransaction } from '../src/index.js';
import { CHAIN_ID, recording } from './recorded-chain.js';

const step = recording('marker').steps.find(
  ({ innerHash, manager }) => innerHash && manager?.[0]?.status === 200,
);
const { payload } = JSON.parse(step?.manager?.[0]?.body ?? '{}') as { payload: string };
/** Payload that a GoQuorum node sent to its manager. */
const TEXT = Buffer.from(payload, 'base64').toString('utf8');
const FIELDS = JSON.parse(TEXT) as Record<string, unknown>;

const read = (text: string | Uint8Array) =>
  readMarkedTransaction(Buffer.from(text), (raw) => decodeTransaction(raw, CHAIN_ID));
const changed = (changes: Record<string, unknown>) => JSON.stringify({ ...FIELDS, ...changes });

describe('the transaction behind a marker', () => {
  it('is read from the payload of a GoQuorum node, with members in any order and without redundant ones', () => {
    const hash = FIELDS['hash'];
    expect(read(TEXT)?.hash).toBe(hash);
    expect(read(JSON.stringify(Object.fromEntries(Object.entries(FIELDS).reverse())))?.hash).toBe(hash);
    expect(read(changed({ type: undefined, hash: undefined }))?.hash).toBe(hash);
  });

  it.each([
    ['a member twice', TEXT.replace('{', `{"nonce":"0x5",`)],
    ['a member in two cases', TEXT.replace('{', `{"Nonce":"0x5",`)],
    ['an unknown member', changed({ chainId: '0x1' })],
    ['another hash', changed({ hash: `0x${'00'.repeat(32)}` })],
    ['v of a public transaction', changed({ v: '0x1b' })],
    ['a signature of zeros', changed({ r: '0x0', s: '0x0' })],
    ['s above half of the order', changed({ s: `0x${'ff'.repeat(32)}` })],
    ['an invalid address', changed({ to: '0x12' })],
    ['data beyond a hash', changed({ input: `0x${'00'.repeat(65)}` })],
    ['a number in place of a quantity', changed({ gas: 21_000 })],
    ['other text than JSON', '\u0000'],
    ['a list', '[]'],
    ['null', 'null'],
    ['100 kB of nesting', '['.repeat(100_000)],
    ['100 kB of members', `{${'"nonce":"0x1",'.repeat(7_000)}"gas":"0x1"}`],
    ['bytes that are not UTF-8', Uint8Array.of(0x22, 0xff, 0x22)],
  ])('is undefined for a payload with %s', (_what, text) => {
    expect(read(text)).toBeUndefined();
  });
});
