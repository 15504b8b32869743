import { expect, it } from '@jest/globals';
import type { PartyTable } from '../party/party-table.js';
import { managersToAsk } from './managers-to-ask.js';

it('managers that the operator named are asked first, then those with keys, once each', async () => {
  const table = {
    urlsOfParties: ['http://stranger/', 'http://configured/', 'http://holder/'],
    urlsOfHolders: ['http://holder/', 'http://configured/'],
    isConfigured: (url: string) => url === 'http://configured/',
    isOwn: (url: string) => url === 'http://own/',
  } as unknown as PartyTable;
  const listed = ['http://own/', 'http://holder/', 'http://listed/'].map((url) => ({ url }));
  const asked: string[] = [];
  const peers = {
    async get(url: string) {
      asked.push(url);
      return { status: 200, headers: {}, text: JSON.stringify({ peers: listed }) };
    },
  };
  expect(await managersToAsk({ table, peers, discover: true })).toEqual([
    'http://configured/',
    'http://holder/',
    'http://stranger/',
    'http://listed/',
  ]);
  expect(asked).toEqual(['http://configured/']);
});
