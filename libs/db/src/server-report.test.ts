import { describe, expect, it } from '@jest/globals';
import { choosePrimary, type ServerAnswer, type ServerReport } from './server-report.js';

const server = (host: string) => ({ host, port: 5432 });
const answer = (host: string, report: Partial<ServerReport> = {}): ServerAnswer => ({
  server: server(host),
  report: { isReadOnly: false, timeline: 1, systemId: 'one', startedAt: host, ...report },
});
const standby = (host: string, timeline = 1) => answer(host, { isReadOnly: true, timeline });
const down = (host: string): ServerAnswer => ({ server: server(host), failure: 'connect ECONNREFUSED' });

describe('the primary among the servers of a URL', () => {
  it('is the one that accepts writes, whatever its place', () => {
    const known = { systemId: 'one', timeline: 1 };
    expect(choosePrimary([standby('a'), down('b'), answer('c')], undefined)).toEqual({
      server: server('c'),
      known,
    });
  });

  it('is the newest when a former primary accepts writes again', () => {
    const choice = choosePrimary([answer('old'), answer('new', { timeline: 2 })], undefined);
    expect(choice).toMatchObject({ server: server('new'), known: { timeline: 2 } });
  });

  it('is not a former primary, also when only that answers', () => {
    expect(choosePrimary([answer('old'), down('new')], { systemId: 'one', timeline: 2 })).toEqual({
      refusal:
        'no server accepts writes: old:5432 is a former primary, on timeline 1 while the cluster is on 2; new:5432: connect ECONNREFUSED',
      mayPass: true,
    });
    expect(choosePrimary([answer('old'), standby('third', 2)], undefined)).toMatchObject({ mayPass: true });
  });

  it('is not chosen between two of one timeline', () => {
    const both = [answer('a', { timeline: 2 }), answer('b', { timeline: 2 })];
    expect(choosePrimary(both, undefined)).toMatchObject({
      refusal: expect.stringContaining('several servers accept writes on timeline 2; stop all but one'),
      mayPass: false,
    });
  });

  it('may have two names', () => {
    const both = [answer('a', { startedAt: 'same' }), answer('b', { startedAt: 'same' })];
    expect(choosePrimary(both, undefined)).toMatchObject({ server: server('a') });
  });

  it('is not a server of another cluster', () => {
    const other = answer('b', { systemId: 'two' });
    for (const known of [undefined, { systemId: 'one', timeline: 1 }]) {
      const answers = known === undefined ? [standby('a'), other] : [other];
      expect(choosePrimary(answers, known)).toMatchObject({
        refusal: expect.stringContaining('not of one cluster'),
        mayPass: false,
      });
    }
  });

  it('is not waited for when no server answers', () => {
    expect(choosePrimary([down('a'), down('b')], undefined)).toEqual({
      refusal: 'no server accepts writes: a:5432: connect ECONNREFUSED; b:5432: connect ECONNREFUSED',
      mayPass: false,
    });
  });
});
