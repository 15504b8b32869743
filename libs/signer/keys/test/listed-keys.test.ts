import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RemoteKeyError } from '@tetrad/remote-keys';
import { until } from '@tetrad/testkit';
import type { KeyEntry } from '../src/key-entry.js';
import { ListedKeys } from '../src/remote/listed-keys.js';
import { HandClock } from '../../../remote-keys/test/hand-clock.js';

const entry = (name: string): KeyEntry => ({
  name,
  fingerprint: name,
  isRemote: true,
  open: () => Promise.reject(new Error('not opened here')),
});

let clock: HandClock;
let answer: () => Promise<readonly KeyEntry[]>;
let asked: number;
let listed: ListedKeys;
beforeEach(() => {
  clock = new HandClock();
  asked = 0;
  answer = async () => [entry('one'), entry('two')];
  const list = () => {
    asked += 1;
    return answer();
  };
  listed = new ListedKeys({ id: 'the service', check: 'keys-check/aws-bulk-loading', list }, clock);
});

const away = () => Promise.reject(new RemoteKeyError('UNREACHABLE', 'the service: ECONNREFUSED'));
const names = async (refresh: boolean) => (await listed.scan({ refresh })).map(({ name }) => name);

describe('keys that a service lists', () => {
  it('are asked for at the start and at a reload, and not when a folder changes', async () => {
    expect(await names(true)).toEqual(['one', 'two']);
    answer = async () => [entry('two'), entry('three')];
    expect(await names(false)).toEqual(['one', 'two']);
    expect(await names(true)).toEqual(['two', 'three']);
    expect(asked).toBe(2);
  });

  it('stay when the list cannot be had, which is said', async () => {
    await listed.scan({ refresh: true });
    answer = away;
    const scan = await listed.scan({ refresh: true });
    expect(scan.map(({ name }) => name)).toEqual(['one', 'two', 'the service']);
    expect(scan.at(-1)).toEqual({
      name: 'the service',
      fault: 'the service: ECONNREFUSED',
      isTransient: true,
    });
  });

  it('come when the service is back, without a request', async () => {
    answer = away;
    expect(await names(true)).toEqual(['the service']);
    const onChange = jest.fn();
    const end = listed.watch(onChange);
    expect(clock.isWaitedFor).toBe(true);
    clock.advance(60_000);
    await until(() => asked === 2 && clock.isWaitedFor);
    expect(onChange).not.toHaveBeenCalled();
    answer = async () => [entry('one')];
    clock.advance(60_000);
    await until(() => onChange.mock.calls.length === 1);
    expect(await names(false)).toEqual(['one']);
    expect(asked).toBe(3);
    end();
    expect(clock.isWaitedFor).toBe(false);
  });

  it('are not asked for again by a command that does not wait for changes', async () => {
    answer = away;
    await listed.scan({ refresh: true });
    expect(clock.isWaitedFor).toBe(false);
  });
});
