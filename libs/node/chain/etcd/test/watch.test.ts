import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { HEADER, type Play } from './fake-gateway.js';
import { base64, created, put, events, fragment, streams, endsAfter, probed } from './watch-lines.js';
import { WatchStage } from './watch-stage.js';

const stage = new WatchStage();
beforeEach(() => stage.begin());
afterEach(() => stage.close());

describe('a watch', () => {
  it('requests a prefix from a revision on, in fragments, with progress notifications', async () => {
    const one = await stage.gateway(streams(created(9)));
    stage.hear([one]);
    await until(() => one.asked('watch').length === 1);
    expect(one.asked('watch')[0]?.body).toEqual({
      create_request: {
        key: base64('p/'),
        range_end: base64('p0'),
        start_revision: '5',
        progress_notify: true,
        fragment: true,
      },
    });
  });

  it('delivers the events of a line by revision', async () => {
    const gone = { type: 'DELETE', kv: { key: base64('p/a'), mod_revision: '6' } };
    const one = await stage.gateway(streams(created(9), events(9, put(5), put(5, 'b'), gone, put(9))));
    const heard = stage.hear([one]);
    await until(() => heard.events.length === 3);
    expect(heard.events).toEqual(['5: p/a=a5 p/b=b5', '6: -p/a', '9: p/a=a9']);
    expect(heard.watch.nextRevision).toBe(10n);
    expect(heard.troubles).toEqual([]);
  });

  it('assembles a revision from fragments', async () => {
    const parts = [fragment(9, put(5), put(6)), fragment(9, put(6, 'b')), events(9, put(6, 'c'), put(7))];
    const heard = stage.hear([await stage.gateway(streams(created(9), ...parts))]);
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
    const heard = stage.hear([await stage.gateway(slow)]);
    await until(() => heard.events.length === 2);
    expect(heard.events).toEqual(['5: p/ä=ä5', '6: p/a=a6']);
  });

  it('waits until a revision is handled before it delivers the next', async () => {
    const order: string[] = [];
    const one = await stage.gateway(streams(created(9), events(9, put(5), put(6))));
    stage.hear([one], {
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
    const one = await stage.gateway(streams(created(9), events(9, put(5), put(6))));
    const heard = stage.hear([one], {
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
    const one = await stage.gateway(streams(created(9), events(9, put(5))));
    const heard = stage.hear([one]);
    await until(() => heard.events.length === 1);
    heard.watch.close();
    await heard.watch.ended;
    expect([heard.troubles, heard.endings]).toEqual([[], []]);
  });

  it('ends with its signal', async () => {
    const ending = new AbortController();
    const heard = stage.hear([await stage.gateway(streams(created(9)))], { signal: ending.signal });
    ending.abort();
    await heard.watch.ended;
    const one = await stage.gateway(streams(created(9)));
    await stage.hear([one], { signal: AbortSignal.abort() }).watch.ended;
    expect(one.requests).toEqual([]);
  });
});

describe('a watch whose revisions are gone', () => {
  it('ends when its revision is compacted', async () => {
    const canceled = { header: { ...HEADER, revision: undefined }, canceled: true, compact_revision: '8' };
    const one = await stage.gateway(streams(created(9), canceled));
    const heard = stage.hear([one]);
    await heard.watch.ended;
    expect(heard.endings).toEqual(['compacted 8']);
    expect(heard.troubles).toEqual([]);
  });

  it('ends when the cluster has older data', async () => {
    const heard = stage.hear([await stage.gateway(streams(created(3)), probed(3))]);
    await heard.watch.ended;
    expect(heard.endings).toEqual([
      expect.stringMatching(/etcd is at revision 3 and was at 4: it has older data$/),
    ]);
    expect(heard.events).toEqual([]);
  });

  it('goes on when only the member is behind', async () => {
    const heard = stage.hear([await stage.gateway(streams(created(3), events(5, put(5))), probed(4))]);
    await until(() => heard.events.length === 1);
    expect(heard.endings).toEqual([]);
  });

  it('ends when the data becomes older while it watches', async () => {
    const first = await stage.gateway(endsAfter(created(9), events(9, put(9))), probed(9));
    const heard = stage.hear([first, await stage.gateway(streams(created(6)), probed(6))]);
    await heard.until(() => heard.endings.length === 1);
    expect(heard.endings[0]).toContain('etcd is at revision 6 and was at 9');
  });

  it('ends when another cluster answers', async () => {
    const heard = stage.hear([await stage.gateway(streams(created(9, '78')))], { clusterId: 77n });
    await heard.watch.ended;
    expect(heard.endings).toEqual([expect.stringContaining('etcd is another cluster: 78, not 77')]);
  });
});
