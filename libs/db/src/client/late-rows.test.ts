import { describe, expect, it, jest } from '@jest/globals';
import { LateRows } from './late-rows.js';
import type { Rows } from './rows.js';

const CLIENT = { name: 'the client' };

function rows(): Rows<typeof CLIENT> & { readonly close: jest.Mock<() => Promise<void>> } {
  return {
    client: CLIENT,
    transaction: () => Promise.reject(new Error('no database')),
    close: jest.fn(() => Promise.resolve()),
  };
}

describe('rows whose client comes late', () => {
  it('load it with their first use, once', async () => {
    const load = jest.fn(() => Promise.resolve(rows()));
    const late = new LateRows(load);
    expect(load).not.toHaveBeenCalled();
    expect(await Promise.all([late.calls(), late.calls()])).toEqual([CLIENT, CLIENT]);
    await expect(late.transaction(() => Promise.resolve())).rejects.toThrow('no database');
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('load it again after a failure', async () => {
    const load = jest.fn(() => Promise.resolve(rows()));
    load.mockRejectedValueOnce(new Error('no file'));
    const late = new LateRows(load);
    await expect(late.calls()).rejects.toThrow('no file');
    expect(await late.calls()).toBe(CLIENT);
  });

  it('close what was loaded, and load nothing for that', async () => {
    const opened = rows();
    const load = jest.fn(() => Promise.resolve(opened));
    const late = new LateRows(load);
    await late.close();
    expect(load).not.toHaveBeenCalled();
    await late.calls();
    await late.close();
    expect(opened.close).toHaveBeenCalledTimes(1);
  });
});
