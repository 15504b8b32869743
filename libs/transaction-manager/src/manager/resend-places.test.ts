import { describe, expect, it } from '@jest/globals';
import { ResendPlaces } from './resend-places.js';

const CONFIGURED = 'http://configured/';

/** Places of four receivers, two of which may be strangers. */
function open() {
  const places = new ResendPlaces({
    isConfigured: (url) => url.startsWith(CONFIGURED),
    most: 4,
    strangers: 2,
  });
  const begun: string[] = [];
  const ends = new Map<string, (total: number | Error) => void>();
  const run = (url: string, name: string, batchSize = 100) =>
    places.run({
      url,
      name,
      batchSize,
      send(size) {
        begun.push(`${name} ${size}`);
        return new Promise((done, fail) =>
          ends.set(name, (total) => (total instanceof Error ? fail(total) : done(total))),
        );
      },
    });
  const end = (name: string, total: number | Error = 0) => ends.get(name)?.(total);
  return { run, begun, end };
}

const turn = () => new Promise((done) => void setImmediate(done));
const REFUSED = {
  kind: 'unavailable',
  message: 'payloads are being resent already; try again when that is done',
};

describe('receivers', () => {
  it('of which some do not answer leave places to others, and to configured ones most', async () => {
    const { run, begun, end } = open();
    const first = run('http://one/', 'a');
    void run('http://two/', 'b');
    await expect(run('http://three/', 'c')).rejects.toMatchObject(REFUSED);
    void run(`${CONFIGURED}1/`, 'd');
    void run(`${CONFIGURED}2/`, 'e');
    await expect(run(`${CONFIGURED}3/`, 'f')).rejects.toMatchObject(REFUSED);
    await turn();
    expect(begun).toEqual(['a 100', 'b 100', 'd 100', 'e 100']);
    end('a', 7);
    expect(await first).toBe(7);
    void run('http://three/', 'c');
    await turn();
    expect(begun.at(-1)).toBe('c 100');
  });

  it('of one host are one, which gets what it asks for one after another', async () => {
    const { run, begun, end } = open();
    void run('http://[2001:db8::1]/', 'a');
    const second = run('http://[2001:db8::2]:2/', 'b');
    void run('http://two/', 'c');
    await turn();
    expect(begun).toEqual(['a 100', 'c 100']);
    end('a');
    await turn();
    expect(begun).toEqual(['a 100', 'c 100', 'b 100']);
    end('b', 3);
    expect(await second).toBe(3);
  });

  it('on this host are as many as there are ports', async () => {
    const { run, begun } = open();
    void run('http://127.0.0.1:1/', 'a');
    void run('http://[::1]:2/', 'b');
    await turn();
    expect(begun).toEqual(['a 100', 'b 100']);
  });
});

describe('requests under one name', () => {
  it('share the run after the one that is under way, in the smallest batches', async () => {
    const { run, begun, end } = open();
    const first = run('http://one/', 'a');
    await turn();
    const later = [run('http://one/', 'a', 25), run('http://one/', 'a', 5), run('http://one/', 'a', 50)];
    await turn();
    expect(begun).toEqual(['a 100']);
    end('a', 1);
    expect(await first).toBe(1);
    await turn();
    expect(begun).toEqual(['a 100', 'a 5']);
    end('a', 2);
    expect(await Promise.all(later)).toEqual([2, 2, 2]);
  });

  it('are answered although the run before failed', async () => {
    const { run, end } = open();
    const first = run('http://one/', 'a');
    await turn();
    const second = run('http://one/', 'a');
    end('a', new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    await turn();
    end('a', 2);
    expect(await second).toBe(2);
  });
});
