import { describe, expect, it } from '@jest/globals';
import type { PushMessage } from '../wire/push-message.js';
import { Inbox } from './inbox.js';

const message = (kind: PushMessage['kind'], length = 1): PushMessage => ({
  kind,
  payload: new Uint8Array(length),
});

/** An inbox whose handler works when the test lets it. */
function setUp(limits = { messages: 4, bytes: 100 }) {
  const handled: PushMessage[][] = [];
  const waiting: (() => void)[] = [];
  const inbox = new Inbox(limits, (messages) => {
    handled.push([...messages]);
    return new Promise((done) => waiting.push(done));
  });
  const finish = async () => {
    waiting.shift()?.();
    await new Promise((done) => setImmediate(done));
  };
  return { inbox, handled, finish };
}

describe('an inbox', () => {
  it('passes messages on in turns, with all that arrived meanwhile together', async () => {
    const { inbox, handled, finish } = setUp();
    expect(inbox.offer([message('transaction')])).toBe(true);
    expect(inbox.offer([message('block')])).toBe(true);
    expect(inbox.offer([message('hash')])).toBe(true);
    expect(handled).toEqual([[message('transaction')]]);
    await finish();
    expect(handled[1]).toEqual([message('block'), message('hash')]);
  });

  it('accepts no more than its limits while the handler works, and more when it is done', async () => {
    const { inbox, finish } = setUp();
    inbox.offer([message('transaction')]);
    for (let count = 0; count < 4; count++) expect(inbox.offer([message('transaction')])).toBe(true);
    expect(inbox.offer([message('transaction')])).toBe(false);
    expect(inbox.size).toBe(4);
    await finish();
    expect(inbox.offer([message('transaction')])).toBe(true);
  });

  it('counts bytes too, and takes all of a push or nothing', () => {
    const { inbox } = setUp();
    inbox.offer([message('transaction')]);
    expect(inbox.offer([message('transaction', 60)])).toBe(true);
    expect(inbox.offer([message('consensus'), message('transaction', 60)])).toBe(false);
    expect(inbox.size).toBe(1);
  });

  it('accepts any push when it is empty, however large', () => {
    const { inbox } = setUp();
    inbox.offer([message('block')]);
    expect(inbox.offer([message('block', 5_000)])).toBe(true);
    expect(inbox.offer([message('block')])).toBe(false);
  });

  it('does not let bulk messages keep consensus out', () => {
    const { inbox, handled } = setUp();
    for (let count = 0; count < 5; count++) inbox.offer([message('transaction')]);
    expect(inbox.offer([message('transaction')])).toBe(false);
    expect(inbox.offer([message('consensus')])).toBe(true);
    expect(handled[1]).toEqual([message('consensus')]);
  });

  it('drops waiting messages when the peer is gone', async () => {
    const { inbox, handled, finish } = setUp();
    inbox.offer([message('transaction')]);
    inbox.offer([message('transaction')]);
    inbox.clear();
    await finish();
    expect(handled).toHaveLength(1);
    expect(inbox.size).toBe(0);
  });
});
