import { describe, expect, it } from '@jest/globals';
import { silentLogger, silentMetrics, type Clock } from '@tetrad/types';
import type { Endpoint } from './endpoint.js';
import { EndpointRotation } from './endpoint-rotation.js';

class Places {
  now = 1_000;
  readonly all = ['a', 'b', 'c'].map((url) => ({ url }) as Endpoint) as [Endpoint, Endpoint, Endpoint];
  readonly rotation: EndpointRotation;

  constructor() {
    const clock: Clock = { now: () => this.now, schedule: () => () => {} };
    this.rotation = new EndpointRotation(this.all, { clock, logger: silentLogger, metrics: silentMetrics });
  }

  get order(): string {
    return this.rotation
      .order()
      .map(({ url }) => url)
      .join('');
  }

  /** How long an endpoint rests that has failed so often. */
  restAfter(failures: number): number {
    const [first] = this.all;
    for (let times = 0; times < failures; times++) this.rotation.failed(first, 'away');
    const start = this.now;
    this.rotation.worked(this.all[2]);
    // Behind c comes a, unless it rests.
    while (this.order !== 'cab') this.now += 10;
    return this.now - start;
  }
}

describe('the order of endpoints', () => {
  it('begins with the one that worked last', () => {
    const places = new Places();
    expect(places.order).toBe('abc');
    places.rotation.worked(places.all[1]);
    expect(places.order).toBe('bca');
  });

  it('ends with endpoints that rest, ordered by the end of their rest', () => {
    const places = new Places();
    for (let times = 0; times < 6; times++) places.rotation.failed(places.all[0], 'away');
    expect(places.order).toBe('bca');
    places.rotation.failed(places.all[1], 'away');
    expect(places.order).toBe('cba');
    places.rotation.failed(places.all[2], 'away');
    expect(places.order.endsWith('a')).toBe(true);
  });

  it('rests endpoints for longer each time, but not for ever', () => {
    expect(new Places().restAfter(1)).toBeLessThanOrEqual(210);
    expect(new Places().restAfter(5)).toBeGreaterThanOrEqual(1_600);
    expect(new Places().restAfter(5)).toBeLessThanOrEqual(3_210);
    expect(new Places().restAfter(5_000)).toBeLessThanOrEqual(15_010);
  });

  it('forgets failures with the first success', () => {
    const places = new Places();
    for (let times = 0; times < 6; times++) places.rotation.failed(places.all[0], 'away');
    places.rotation.worked(places.all[0]);
    expect(places.order).toBe('abc');
    expect(places.restAfter(1)).toBeLessThanOrEqual(210);
  });

  it('tolerates a clock that is set back', () => {
    const places = new Places();
    places.now = 1e12;
    places.rotation.failed(places.all[1], 'away');
    expect(places.order).toBe('acb');
    places.now = 1e11;
    expect(places.order).toBe('abc');
  });
});
