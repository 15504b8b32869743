import { describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { hostKey } from '@tetrad/types';
import { PeerHosts } from './peer-hosts.js';

describe('the hosts of configured managers', () => {
  it('are the addresses of URLs, in every spelling of a socket', async () => {
    const hosts = new PeerHosts(['http://192.0.2.7:9103/', 'https://[2001:db8::7]/']);
    const of = (address: string) => hosts.admits(address);
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

  it('are none without managers', async () => {
    expect(await new PeerHosts([]).admits('127.0.0.1')).toBe(false);
  });

  it('follow the addresses of a name, looked up once for many requests, and keep them while it cannot be looked up', async () => {
    let now = 0;
    let answer: readonly string[] | undefined = ['192.0.2.1', '192.0.2.2'];
    let lookUps = 0;
    const hosts = new PeerHosts(['https://manager.example/', 'https://manager.example:9103/'], {
      now: () => now,
      lookUp: async () => {
        lookUps += 1;
        if (answer === undefined) throw new Error('not found');
        return answer;
      },
    });
    const strangers = await Promise.all(Array.from({ length: 50 }, () => hosts.admits('198.51.100.1')));
    expect(new Set(strangers)).toEqual(new Set([false]));
    expect(await hosts.admits('192.0.2.2')).toBe(true);
    expect(lookUps).toBe(1);
    now += 30_000;
    answer = ['192.0.2.3'];
    expect(await hosts.admits('192.0.2.3')).toBe(true);
    expect(await hosts.admits('192.0.2.2')).toBe(false);
    now += 30_000;
    answer = undefined;
    expect(await hosts.admits('198.51.100.1')).toBe(false);
    expect(await hosts.admits('192.0.2.3')).toBe(true);
    expect(lookUps).toBe(3);
  });

  it('are known by the key of an address, once their names have been looked up', async () => {
    const lookUp = async () => ['2001:db8::1'];
    const hosts = new PeerHosts(['http://192.0.2.7:9103/', 'https://manager.example/'], { lookUp });
    const of = (address: string) => hosts.includes(hostKey(address));
    expect(['192.0.2.7', '::ffff:192.0.2.7', '192.0.2.8'].map(of)).toEqual([true, true, false]);
    await until(() => of('2001:db8::1'));
    expect(of('2001:db8:0:1::1')).toBe(false);
  });
});
