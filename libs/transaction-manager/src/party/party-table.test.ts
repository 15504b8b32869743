import { expect, it } from '@jest/globals';
import { generateKeyPair } from '../keys/key-pair.js';
import { PartyTable } from './party-table.js';

const OWN = generateKeyPair().publicKey;
const key = generateKeyPair().publicKey;
const table = () => new PartyTable({ url: 'http://own/', keys: [OWN], peers: ['http://configured/'] });

it('a key moves to the manager that proved it last, and goes with what that no longer holds', () => {
  const parties = table();
  parties.setKeys('http://a/', [key], new Set(['4.0']));
  parties.setKeys('http://b/', [key], new Set(['5.0']));
  expect(parties.find(key)).toEqual({ url: 'http://b/', versions: new Set(['5.0']) });
  parties.setKeys('http://b/', [], new Set());
  expect(parties.find(key)).toBeUndefined();
});

it('a key of ours is nowhere else', () => {
  const parties = table();
  parties.setKeys('http://a/', [OWN], new Set());
  expect(parties.find(OWN)).toBeUndefined();
  expect(parties.entries).toEqual([{ key: OWN, url: 'http://own/' }]);
});

it('managers that do not exist, told of by a stranger, leave room for those that do', () => {
  const parties = table();
  parties.addParties(Array.from({ length: 10_000 }, (_, index) => `http://told-${index}/`));
  expect(parties.urlsOfParties.length).toBeLessThan(1_000);
  parties.setKeys('http://a/', [key], new Set());
  expect(parties.find(key)?.url).toBe('http://a/');
});

it('who does not answer is forgotten, but not who is configured', () => {
  const parties = table();
  parties.addParties(['http://told/']);
  parties.setKeys('http://a/', [key], new Set());
  for (const url of ['http://told/', 'http://a/', 'http://configured/']) parties.forgetUnlessKeys(url);
  expect(parties.urlsOfParties).toEqual(['http://configured/', 'http://a/']);
  parties.forget('http://a/');
  expect([parties.find(key), parties.urlsOfParties]).toEqual([undefined, ['http://configured/']]);
});
