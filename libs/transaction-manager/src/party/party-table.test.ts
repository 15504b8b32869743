import { expect, it } from '@jest/globals';
import { generateKeyPair } from '../keys/key-pair.js';
import { PartyTable } from './party-table.js';

const OWN = generateKeyPair().publicKey;
const key = generateKeyPair().publicKey;
const table = () => new PartyTable({ url: 'http://own/', keys: [OWN], peers: ['http://configured/'] });
const at = (url: string, bound = false) => ({ url, bound, active: true });

it('a key is where it was put last, until that manager no longer holds it', () => {
  const parties = table();
  parties.setParty('http://a/', new Set(['4.0']));
  parties.setParty('http://b/', new Set(['5.0']));
  parties.setHolder(key, at('http://a/'));
  parties.setHolder(key, at('http://b/'));
  expect(parties.find(key)).toEqual({ url: 'http://b/', versions: new Set(['5.0']) });
  parties.retireKeys('http://b/', new Set([key]));
  expect(parties.find(key)).toBeUndefined();
  expect(parties.holderOf(key)).toEqual({ url: 'http://b/', bound: false, active: false });
});

it('a key of ours is nowhere else', () => {
  const parties = table();
  parties.setHolder(OWN, at('http://a/'));
  expect(parties.find(OWN)).toBeUndefined();
  expect(parties.entries).toEqual([{ key: OWN, url: 'http://own/' }]);
});

it('managers that do not exist, listed by a stranger, leave room for those that announce themselves', () => {
  const parties = table();
  const listed = Array.from({ length: 10_000 }, (_, index) => `http://listed-${index}/`);
  expect(parties.addParties(listed)).toBe(false);
  expect(parties.urlsOfParties.length).toBeLessThan(1_000);
  expect(parties.setParty('http://a/', new Set())).toBe(true);
});

it('strangers that fill the table leave room for configured managers and their keys', () => {
  const parties = table();
  const newKey = () => generateKeyPair().publicKey;
  let count = 0;
  while (parties.setParty(`http://stranger-${count}/`, new Set())) count += 1;
  expect(parties.setParty('http://configured/', new Set(['5.0']))).toBe(true);
  count = 0;
  // Keys without their private ones: making 10,000 pairs takes long.
  const keyOf = (index: number) => {
    const bytes = Buffer.alloc(32);
    bytes.writeUInt32BE(index + 1);
    return bytes.toString('base64') as typeof key;
  };
  while (parties.setHolder(keyOf(count), at('http://stranger-0/', true)).fits) count += 1;
  const configured = newKey();
  expect(parties.setHolder(configured, at('http://configured/')).fits).toBe(true);
  expect(parties.find(configured)?.versions).toEqual(new Set(['5.0']));
  // An inactive key whose proof may have been relayed is evicted.
  parties.setHolder(keyOf(7), at('http://stranger-1/', false));
  parties.forget('http://stranger-1/');
  const late = newKey();
  expect(parties.setHolder(late, at('http://stranger-0/'))).toEqual({ fits: true, forgotten: keyOf(7) });
});

it('a manager that does not answer is forgotten, but not a configured one', () => {
  const parties = table();
  parties.addParties(['http://listed/']);
  parties.setParty('http://a/', new Set());
  parties.setHolder(key, at('http://a/'));
  for (const url of ['http://listed/', 'http://a/', 'http://configured/']) parties.forgetUnlessKeys(url);
  expect(parties.urlsOfParties).toEqual(['http://configured/', 'http://a/']);
  parties.forget('http://a/');
  expect([parties.find(key), parties.urlsOfParties]).toEqual([undefined, ['http://configured/']]);
});
