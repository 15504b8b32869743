import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { refuses, type Play } from './fake-gateway.js';
import {
  base64,
  created,
  put,
  events,
  fragment,
  progress,
  say,
  streams,
  endsAfter,
  probed,
  startOf,
} from './watch-lines.js';
import { LONG_MS, WatchStage } from './watch-stage.js';

const QUIET_MS = 5_000;
const stage = new WatchStage();
beforeEach(() => stage.begin());
afterEach(() => stage.close());

describe('a watch that breaks', () => {
  it('continues at another endpoint after the last delivered revision', async () => {
    const first = await stage.gateway(endsAfter(created(9), events(9, put(5), put(7))));
    const second = await stage.gateway(streams(created(9), events(9, put(8))));
    const heard = stage.hear([first, second]);
    await heard.until(() => heard.events.length === 3);
    expect(heard.events).toEqual(['5: p/a=a5', '7: p/a=a7', '8: p/a=a8']);
    expect(second.asked('watch').map(startOf)).toEqual(['8']);
    expect(heard.troubles).toEqual([`${first.url}: the watch has ended`, undefined]);
  });

  it('delivers nothing of an incomplete revision, and all of it later', async () => {
    const first = await stage.gateway(endsAfter(created(9), fragment(9, put(5), put(6))));
    const second = await stage.gateway(streams(created(9), events(9, put(6), put(6, 'b'))));
    const heard = stage.hear([first, second]);
    await heard.until(() => heard.events.length === 2);
    expect(heard.events).toEqual(['5: p/a=a5', '6: p/a=a6 p/b=b6']);
    expect(second.asked('watch').map(startOf)).toEqual(['6']);
  });

  it('drops half a line', async () => {
    const half: Play = (response) => {
      say(response, created(9));
      response.end(JSON.stringify({ result: events(9, put(5)) }));
    };
    const heard = stage.hear([
      await stage.gateway(half),
      await stage.gateway(streams(created(9), events(9, put(5)))),
    ]);
    await heard.until(() => heard.events.length > 0);
    expect(heard.events).toEqual(['5: p/a=a5']);
  });

  it('does not deliver repeated events twice', async () => {
    const first = await stage.gateway(endsAfter(created(9), events(9, put(5), put(6))));
    const second = await stage.gateway(streams(created(9), events(9, put(5), put(6), put(7))));
    const heard = stage.hear([first, second]);
    await heard.until(() => heard.events.length === 3);
    expect(heard.events).toEqual(['5: p/a=a5', '6: p/a=a6', '7: p/a=a7']);
  });

  it('continues after the last progress notification', async () => {
    const first = await stage.gateway(endsAfter(created(9), events(9, put(5)), progress(40)));
    const second = await stage.gateway(streams(created(50)));
    const heard = stage.hear([first, second]);
    await heard.until(() => second.asked('watch').length === 1);
    expect(second.asked('watch').map(startOf)).toEqual(['41']);
  });

  it('does not take the opening line for progress: earlier events may follow', async () => {
    const first = await stage.gateway(endsAfter(created(9)));
    const second = await stage.gateway(streams(created(9)));
    const heard = stage.hear([first, second]);
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
    const [first, second] = [
      await stage.gateway(play),
      await stage.gateway(streams(created(9), events(9, put(5)))),
    ];
    const heard = stage.hear([first, second], { maxLineBytes: 2_000, maxRevisionBytes: 40 });
    await heard.until(() => heard.events.length > 0);
    expect(heard.events).toEqual(['5: p/a=a5']);
    expect(heard.troubles).toEqual([expect.stringMatching(problem), undefined]);
  });

  it('backs off when no endpoint can be reached', async () => {
    const one = await stage.gateway(refuses('etcdserver: no leader', 14, 503));
    const heard = stage.hear([one]);
    await heard.until(() => one.asked('watch').length === 12);
    // The pauses together: 100 ms doubled up to 5 s, at least half of each.
    expect(stage.clock.now()).toBeGreaterThan(1_000_000 + 15_000);
    expect(heard.troubles).toHaveLength(1);
  });
});

describe('a watch that dies quietly', () => {
  it('is noticed when it is never opened', async () => {
    const [first, second] = [
      await stage.gateway(() => {}),
      await stage.gateway(streams(created(9), events(9, put(5)))),
    ];
    const heard = stage.hear([first, second], { quietMs: QUIET_MS });
    await until(() => first.asked('watch').length === 1);
    stage.clock.advance(LONG_MS);
    await heard.until(() => heard.events.length === 1);
    expect(heard.troubles).toEqual([expect.stringContaining('a watch is not opened within'), undefined]);
  });

  it('is noticed by a revision that it does not report', async () => {
    const first = await stage.gateway(streams(created(4)), probed(6));
    const second = await stage.gateway(streams(created(6), events(6, put(6))), probed(6));
    const heard = stage.hear([first, second], { quietMs: QUIET_MS });
    await heard.until(() => heard.events.length === 1);
    expect(heard.events).toEqual(['6: p/a=a6']);
    expect(heard.troubles[0]).toContain('the watch is behind: it has not reported revision 6');
    expect(first.asked('kv/range')[0]?.body).toEqual({ key: base64('p/'), limit: '1', keys_only: true });
  });

  it('is noticed by the probe key, and not by writes elsewhere', async () => {
    let newest = 4;
    const range: Play = (response, request) => probed(newest + 1_000, newest)(response, request);
    const first = await stage.gateway(streams(created(4)), range);
    const second = await stage.gateway(streams(created(1_005), events(1_005, put(5))), range);
    const heard = stage.hear([first, second], { probeKey: 'p/head', quietMs: QUIET_MS });
    await heard.until(() => first.asked('kv/range').length === 5);
    expect(heard.troubles).toEqual([]);
    newest = 5;
    await heard.until(() => heard.events.length === 1);
    expect(heard.troubles[0]).toContain('it has not reported revision 5');
    expect(first.asked('kv/range')[0]?.body).toEqual({ key: base64('p/head'), limit: '1', keys_only: true });
  });

  it('is noticed by an endpoint that does not answer the probe', async () => {
    const first = await stage.gateway(streams(created(4)), refuses('etcdserver: request timed out', 14, 503));
    const second = await stage.gateway(streams(created(9), events(9, put(5))));
    const heard = stage.hear([first, second], { quietMs: QUIET_MS });
    await heard.until(() => heard.events.length === 1);
    expect(heard.troubles[0]).toContain('etcdserver: request timed out');
  });

  it('is replaced when it stays quiet for longer than etcd ever does', async () => {
    const first = await stage.gateway(streams(created(4)), probed(4));
    const second = await stage.gateway(streams(created(4)), probed(4));
    const heard = stage.hear([first, second], { quietMs: QUIET_MS });
    await stage.clock.advanceUntil(() => second.asked('watch').length === 1, 1_000);
    expect(heard.troubles[0]).toContain('the watch says nothing for');
  });

  it('is not replaced when it is alive', async () => {
    const one = await stage.gateway(streams(created(9), events(9, put(9))), probed(9));
    const heard = stage.hear([one], { quietMs: QUIET_MS });
    await heard.until(() => one.asked('kv/range').length === 5);
    expect(one.asked('watch')).toHaveLength(1);
    expect(heard.troubles).toEqual([]);
  });
});
