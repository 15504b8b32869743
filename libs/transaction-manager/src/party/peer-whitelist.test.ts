import { describe, expect, it } from '@jest/globals';
import { PeerWhitelist } from './peer-whitelist.js';

describe('the whitelist of managers', () => {
  it('admits the addresses of URLs, in every spelling of a socket', async () => {
    const whitelist = new PeerWhitelist(['http://192.0.2.7:9103/', 'https://[2001:db8::7]/']);
    const of = (address: string) => whitelist.admits(address);
    expect(await Promise.all(['192.0.2.7', '::ffff:192.0.2.7', '2001:db8::7'].map(of))).toEqual([
      true,
      true,
      true,
    ]);
    expect(await Promise.all(['192.0.2.8', '::1', '127.0.0.1', ''].map(of))).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it('admits nothing without managers', async () => {
    expect(await new PeerWhitelist([]).admits('127.0.0.1')).toBe(false);
  });

  it('follows the addresses of a name, looked up once for many requests, and keeps them while it cannot be looked up', async () => {
    let now = 0;
    let answer: readonly string[] | undefined = ['192.0.2.1', '192.0.2.2'];
    let lookUps = 0;
    const whitelist = new PeerWhitelist(['https://manager.example/', 'https://manager.example:9103/'], {
      now: () => now,
      lookUp: async () => {
        lookUps += 1;
        if (answer === undefined) throw new Error('not found');
        return answer;
      },
    });
    const strangers = await Promise.all(Array.from({ length: 50 }, () => whitelist.admits('198.51.100.1')));
    expect(new Set(strangers)).toEqual(new Set([false]));
    expect(await whitelist.admits('192.0.2.2')).toBe(true);
    expect(lookUps).toBe(1);
    now += 30_000;
    answer = ['192.0.2.3'];
    expect(await whitelist.admits('192.0.2.3')).toBe(true);
    expect(await whitelist.admits('192.0.2.2')).toBe(false);
    now += 30_000;
    answer = undefined;
    expect(await whitelist.admits('198.51.100.1')).toBe(false);
    expect(await whitelist.admits('192.0.2.3')).toBe(true);
    expect(lookUps).toBe(3);
  });
});
