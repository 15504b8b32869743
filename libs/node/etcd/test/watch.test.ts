import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import type { Watch, WatchEvent, WatchOptions } from '../src/index.js';
import { FakeGateway, HEADER, answers, byPath, refuses, type Play } from './fake-gateway.js';
import { ManualClock } from './manual-clock.js';
import { TestClients } from './test-clients.js';

const LONG_MS = 3_600_000;
const QUIET_MS = 5_000;
const clients = new TestClients();
let clock: ManualClock;
beforeEach(() => {
  clock = new ManualClock();
});
afterEach(() => clients.close());

const base64 = (text: string) => Buffer.from(text).toString('base64');
const at = (revision: number, cluster = '77') => ({
  ...HEADER,
  cluster_id: cluster,
  revision: String(revision),
});
const created = (revision: number, cluster?: string) => ({
  header: at(revision, cluster),
  created: true,
});
const put = (revision: number, name = 'a') => ({
  kv: { key: base64(`p/${name}`), value: base64(`${name}${revision}`), mod_revision: String(revision) },
});
const events = (revision: number, ...list: object[]) => ({ header: at(revision), events: list });
const fragment = (revision: number, ...list: object[]) => ({
  ...events(revision, ...list),
  fragment: true,
});
const progress = (revision: number) => ({ header: at(revision) });

function say(response: ServerResponse, ...messages: object[]): void {
  for (const message of messages) response.write(`${JSON.stringify({ result: message })}\n`);
}
/** A stream that stays open. */
const streams =
  (...messages: object[]): Play =>
  (response) =>
    say(response, ...messages);
/** A stream that ends behind that. */
const endsAfter =
  (...messages: object[]): Play =>
  (response) => {
    say(response, ...messages);
    response.end();
  };
const probed = (revision: number, modRevision?: number, cluster?: string): Play =>
  answers({
    header: at(revision, cluster),
    ...(modRevision === undefined ? {} : { kvs: [{ key: 'aA==', mod_revision: String(modRevision) }] }),
  });

async function gateway(watch: Play, range: Play = probed(9)): Promise<FakeGateway> {
  return clients.closing(await FakeGateway.open(byPath({ watch, 'kv/range': range })));
}

/** What a watch says, as text. */
class Heard {
  readonly events: string[] = [];
  readonly troubles: (string | undefined)[] = [];
  readonly endings: string[] = [];
  readonly watch: Watch;

  constructor(gateways: readonly FakeGateway[], options: Partial<WatchOptions> = {}) {
    const client = clients.open(
      gateways.map(({ url }) => url),
      // What takes real time must not be late in the time of the clock.
      { clock, requestTimeoutMs: LONG_MS },
    );
    this.watch = client.watch({
      ...{ prefix: 'p/', fromRevision: 5n, quietMs: LONG_MS },
      onEvents: (list, revision) => void this.events.push(`${revision}: ${list.map(textOf).join(' ')}`),
      onCompacted: (revision) => void this.endings.push(`compacted ${revision}`),
      onOtherHistory: (problem) => void this.endings.push(problem),
      onTrouble: (problem) => void this.troubles.push(problem),
      ...options,
    });
  }

  /** Time passes meanwhile. */
  until(holds: () => boolean): Promise<void> {
    return clock.advanceUntil(holds);
  }
}

function textOf(event: WatchEvent): string {
  return event.type === 'put' ? `${event.entry.key}=${event.entry.value}` : `-${event.key}`;
}

const startOf = ({ body }: { readonly body: Record<string, unknown> }) =>
  (body['create_request'] as Record<string, unknown>)['start_revision'];

describe('a watch', () => {
  it('requests a prefix from a revision on, in fragments, with progress notifications', async () => {
    const one = await gateway(streams(created(9)));
    new Heard([one]);
    await until(() => one.asked('watch').length === 1);
    expect(one.asked('watch')[0]?.body).toEqual({
      create_request: {
        ...{ key: base64('p/'), range_end: base64('p0'), start_revision: '5' },
        ...{ progress_notify: true, fragment: true },
      },
    });
  });

  it('delivers the events of a line by revision', async () => {
    const gone = { type: 'DELETE', kv: { key: base64('p/a'), mod_revision: '6' } };
    const one = await gateway(streams(created(9), events(9, put(5), put(5, 'b'), gone, put(9))));
    const heard = new Heard([one]);
    await until(() => heard.events.length === 3);
    expect(heard.events).toEqual(['5: p/a=a5 p/b=b5', '6: -p/a', '9: p/a=a9']);
    expect(heard.watch.nextRevision).toBe(10n);
    expect(heard.troubles).toEqual([]);
  });

  it('assembles a revision from fragments', async () => {
    const parts = [fragment(9, put(5), put(6)), fragment(9, put(6, 'b')), events(9, put(6, 'c'), put(7))];
    const heard = new Heard([await gateway(streams(created(9), ...parts))]);
    await until(() => heard.events.length === 3);
    expect(heard.events).toEqual(['5: p/a=a5', '6: p/a=a6 p/b=b6 p/c=c6', '7: p/a=a7']);
  });

  it('takes lines in pieces, and several at once', async () => {
    const text = [created(9), events(9, put(5, 'ä')), events(9, put(6))]
      .map((result) => `${JSON.stringify({ result })}\n\n`)
      .join('');
    const slow: Play = (response) => {
      const bytes = Buffer.from(text);
      const next = (from: number): void => {
        if (from < bytes.length) response.write(bytes.subarray(from, from + 7), () => next(from + 7));
      };
      next(0);
    };
    const heard = new Heard([await gateway(slow)]);
    await until(() => heard.events.length === 2);
    expect(heard.events).toEqual(['5: p/ä=ä5', '6: p/a=a6']);
  });

  it('waits until a revision is handled before it delivers the next', async () => {
    const order: string[] = [];
    const one = await gateway(streams(created(9), events(9, put(5), put(6))));
    new Heard([one], {
      onEvents: async (_, revision) => {
        order.push(`${revision} begins`);
        await new Promise((turn) => setTimeout(turn, 20));
        order.push(`${revision} ends`);
      },
    });
    await until(() => order.length === 4);
    expect(order).toEqual(['5 begins', '5 ends', '6 begins', '6 ends']);
  });

  it('delivers a revision again whose handler failed', async () => {
    let attempts = 0;
    const one = await gateway(streams(created(9), events(9, put(5), put(6))));
    const heard = new Heard([one], {
      onEvents: (_, revision) => {
        attempts++;
        if (attempts < 3) throw new Error('the disk is full');
        heard.events.push(String(revision));
      },
    });
    await heard.until(() => heard.events.length === 2);
    expect(heard.events).toEqual(['5', '6']);
    expect(heard.troubles).toContain('revision 5 is not taken: the disk is full');
    expect(heard.troubles.at(-1)).toBeUndefined();
  });

  it('delivers nothing once it is closed', async () => {
    const one = await gateway(streams(created(9), events(9, put(5))));
    const heard = new Heard([one]);
    await until(() => heard.events.length === 1);
    heard.watch.close();
    await heard.watch.ended;
    expect([heard.troubles, heard.endings]).toEqual([[], []]);
  });

  it('ends with its signal', async () => {
    const ending = new AbortController();
    const heard = new Heard([await gateway(streams(created(9)))], { signal: ending.signal });
    ending.abort();
    await heard.watch.ended;
    const one = await gateway(streams(created(9)));
    await new Heard([one], { signal: AbortSignal.abort() }).watch.ended;
    expect(one.requests).toEqual([]);
  });
});

describe('a watch that breaks', () => {
  it('continues at another endpoint after the last delivered revision', async () => {
    const first = await gateway(endsAfter(created(9), events(9, put(5), put(7))));
    const second = await gateway(streams(created(9), events(9, put(8))));
    const heard = new Heard([first, second]);
    await heard.until(() => heard.events.length === 3);
    expect(heard.events).toEqual(['5: p/a=a5', '7: p/a=a7', '8: p/a=a8']);
    expect(second.asked('watch').map(startOf)).toEqual(['8']);
    expect(heard.troubles).toEqual([`${first.url}: the watch has ended`, undefined]);
  });

  it('delivers nothing of an incomplete revision, and all of it later', async () => {
    const first = await gateway(endsAfter(created(9), fragment(9, put(5), put(6))));
    const second = await gateway(streams(created(9), events(9, put(6), put(6, 'b'))));
    const heard = new Heard([first, second]);
    await heard.until(() => heard.events.length === 2);
    expect(heard.events).toEqual(['5: p/a=a5', '6: p/a=a6 p/b=b6']);
    expect(second.asked('watch').map(startOf)).toEqual(['6']);
  });

  it('drops half a line', async () => {
    const half: Play = (response) => {
      say(response, created(9));
      response.end(JSON.stringify({ result: events(9, put(5)) }));
    };
    const heard = new Heard([await gateway(half), await gateway(streams(created(9), events(9, put(5))))]);
    await heard.until(() => heard.events.length > 0);
    expect(heard.events).toEqual(['5: p/a=a5']);
  });

  it('does not deliver repeated events twice', async () => {
    const first = await gateway(endsAfter(created(9), events(9, put(5), put(6))));
    const second = await gateway(streams(created(9), events(9, put(5), put(6), put(7))));
    const heard = new Heard([first, second]);
    await heard.until(() => heard.events.length === 3);
    expect(heard.events).toEqual(['5: p/a=a5', '6: p/a=a6', '7: p/a=a7']);
  });

  it('continues after the last progress notification', async () => {
    const first = await gateway(endsAfter(created(9), events(9, put(5)), progress(40)));
    const second = await gateway(streams(created(50)));
    const heard = new Heard([first, second]);
    await heard.until(() => second.asked('watch').length === 1);
    expect(second.asked('watch').map(startOf)).toEqual(['41']);
  });

  it('does not take the opening line for progress: earlier events may follow', async () => {
    const first = await gateway(endsAfter(created(9)));
    const second = await gateway(streams(created(9)));
    const heard = new Heard([first, second]);
    await heard.until(() => second.asked('watch').length === 1);
    expect(second.asked('watch').map(startOf)).toEqual(['5']);
  });

  const raw =
    (text: string): Play =>
    (response) => {
      say(response, created(9));
      response.write(text);
    };
  it.each<[string, Play, RegExp]>([
    ['garbage', raw('<html>\n'), /answers what etcd does not/],
    ['a key twice', raw('{"result":{"header":{"cluster_id":"77","cluster_id":"78"}}}\n'), /duplicate key/],
    ['neither a result nor an error', raw('{}\n'), /answers what etcd does not/],
    ['revisions backwards', streams(created(9), events(9, put(7), put(6))), /revision 6 behind 7/],
    ['events before it is open', streams(events(9, put(5))), /a watch that was not opened/],
    ['an error', raw('{"error":{"grpc_code":14,"message":"etcdserver: no leader"}}\n'), /no leader/],
    ['a refusal', refuses('etcdserver: permission denied', 7, 403), /permission denied/],
    ['no watch', streams({ ...created(9), canceled: true, cancel_reason: 'no space' }), /no space/],
    ['a line without an end', raw('x'.repeat(3_000)), /more than 2000 bytes/],
    [
      'a revision without an end',
      streams(created(9), ...Array(9).fill(fragment(9, put(5)))),
      /revision 5 has/,
    ],
  ])('continues elsewhere after %s', async (_, play, problem) => {
    const [first, second] = [await gateway(play), await gateway(streams(created(9), events(9, put(5))))];
    const heard = new Heard([first, second], { maxLineBytes: 2_000, maxRevisionBytes: 40 });
    await heard.until(() => heard.events.length > 0);
    expect(heard.events).toEqual(['5: p/a=a5']);
    expect(heard.troubles).toEqual([expect.stringMatching(problem), undefined]);
  });

  it('backs off when no endpoint can be reached', async () => {
    const one = await gateway(refuses('etcdserver: no leader', 14, 503));
    const heard = new Heard([one]);
    await heard.until(() => one.asked('watch').length === 12);
    // The pauses together: 100 ms doubled up to 5 s, at least half of each.
    expect(clock.now()).toBeGreaterThan(1_000_000 + 15_000);
    expect(heard.troubles).toHaveLength(1);
  });
});

describe('a watch that dies quietly', () => {
  it('is noticed when it is never opened', async () => {
    const [first, second] = [await gateway(() => {}), await gateway(streams(created(9), events(9, put(5))))];
    const heard = new Heard([first, second], { quietMs: QUIET_MS });
    await until(() => first.asked('watch').length === 1);
    clock.advance(LONG_MS);
    await heard.until(() => heard.events.length === 1);
    expect(heard.troubles).toEqual([expect.stringContaining('a watch is not opened within'), undefined]);
  });

  it('is noticed by a revision that it does not report', async () => {
    const first = await gateway(streams(created(4)), probed(6));
    const second = await gateway(streams(created(6), events(6, put(6))), probed(6));
    const heard = new Heard([first, second], { quietMs: QUIET_MS });
    await heard.until(() => heard.events.length === 1);
    expect(heard.events).toEqual(['6: p/a=a6']);
    expect(heard.troubles[0]).toContain('the watch is behind: it has not reported revision 6');
    expect(first.asked('kv/range')[0]?.body).toEqual({ key: base64('p/'), limit: '1', keys_only: true });
  });

  it('is noticed by the probe key, and not by writes elsewhere', async () => {
    let newest = 4;
    const range: Play = (response, request) => probed(newest + 1_000, newest)(response, request);
    const first = await gateway(streams(created(4)), range);
    const second = await gateway(streams(created(1_005), events(1_005, put(5))), range);
    const heard = new Heard([first, second], { probeKey: 'p/head', quietMs: QUIET_MS });
    await heard.until(() => first.asked('kv/range').length === 5);
    expect(heard.troubles).toEqual([]);
    newest = 5;
    await heard.until(() => heard.events.length === 1);
    expect(heard.troubles[0]).toContain('it has not reported revision 5');
    expect(first.asked('kv/range')[0]?.body).toEqual({ key: base64('p/head'), limit: '1', keys_only: true });
  });

  it('is noticed by an endpoint that does not answer the probe', async () => {
    const first = await gateway(streams(created(4)), refuses('etcdserver: request timed out', 14, 503));
    const second = await gateway(streams(created(9), events(9, put(5))));
    const heard = new Heard([first, second], { quietMs: QUIET_MS });
    await heard.until(() => heard.events.length === 1);
    expect(heard.troubles[0]).toContain('etcdserver: request timed out');
  });

  it('is replaced when it stays quiet for longer than etcd ever does', async () => {
    const first = await gateway(streams(created(4)), probed(4));
    const second = await gateway(streams(created(4)), probed(4));
    const heard = new Heard([first, second], { quietMs: QUIET_MS });
    await clock.advanceUntil(() => second.asked('watch').length === 1, 1_000);
    expect(heard.troubles[0]).toContain('the watch says nothing for');
  });

  it('is not replaced when it is alive', async () => {
    const one = await gateway(streams(created(9), events(9, put(9))), probed(9));
    const heard = new Heard([one], { quietMs: QUIET_MS });
    await heard.until(() => one.asked('kv/range').length === 5);
    expect(one.asked('watch')).toHaveLength(1);
    expect(heard.troubles).toEqual([]);
  });
});

describe('a watch whose revisions are gone', () => {
  it('ends when its revision is compacted', async () => {
    const canceled = { header: { ...HEADER, revision: undefined }, canceled: true, compact_revision: '8' };
    const one = await gateway(streams(created(9), canceled));
    const heard = new Heard([one]);
    await heard.watch.ended;
    expect(heard.endings).toEqual(['compacted 8']);
    expect(heard.troubles).toEqual([]);
  });

  it('ends when the cluster has older data', async () => {
    const heard = new Heard([await gateway(streams(created(3)), probed(3))]);
    await heard.watch.ended;
    expect(heard.endings).toEqual([
      expect.stringMatching(/etcd is at revision 3 and was at 4: it has older data$/),
    ]);
    expect(heard.events).toEqual([]);
  });

  it('goes on when only the member is behind', async () => {
    const heard = new Heard([await gateway(streams(created(3), events(5, put(5))), probed(4))]);
    await until(() => heard.events.length === 1);
    expect(heard.endings).toEqual([]);
  });

  it('ends when the data becomes older while it watches', async () => {
    const first = await gateway(endsAfter(created(9), events(9, put(9))), probed(9));
    const heard = new Heard([first, await gateway(streams(created(6)), probed(6))]);
    await heard.until(() => heard.endings.length === 1);
    expect(heard.endings[0]).toContain('etcd is at revision 6 and was at 9');
  });

  it('ends when another cluster answers', async () => {
    const heard = new Heard([await gateway(streams(created(9, '78')))], { clusterId: 77n });
    await heard.watch.ended;
    expect(heard.endings).toEqual([expect.stringContaining('etcd is another cluster: 78, not 77')]);
  });
});
