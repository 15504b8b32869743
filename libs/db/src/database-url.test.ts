import { describe, expect, it } from '@jest/globals';
import { DatabaseUrl } from './database-url.js';

const parse = (text: string) => DatabaseUrl.parse(text);

describe('the URL of a database', () => {
  it('names one server, on the default port', () => {
    const url = parse('postgresql://user:p%40ss@db.example/tetrad?application_name=node0');
    expect(url.servers).toEqual([{ host: 'db.example', port: 5432 }]);
    expect([url.user, url.password, url.database]).toEqual(['user', 'p@ss', 'tetrad']);
    expect(url.parameter('application_name')).toBe('node0');
  });

  it('names several servers, each with its port, IPv6 addresses in brackets', () => {
    const { servers } = parse('postgres://u@a:5433,b,[::1]:5434/x?target_session_attrs=read-write');
    expect(servers).toEqual([
      { host: 'a', port: 5433 },
      { host: 'b', port: 5432 },
      { host: '::1', port: 5434 },
    ]);
  });

  it('names servers and folders of sockets by parameters when its authority is empty', () => {
    expect(parse('postgresql:///x?host=/var/run/postgresql').servers).toEqual([
      { host: '/var/run/postgresql', port: 5432 },
    ]);
    expect(parse('postgresql://u@/x?host=a,b&port=1,2').servers).toEqual([
      { host: 'a', port: 1 },
      { host: 'b', port: 2 },
    ]);
    expect(parse('postgresql://%2Frun%2Fpg/x').servers).toEqual([{ host: '/run/pg', port: 5432 }]);
  });

  it('takes another password and database, and is otherwise unchanged', () => {
    const text = 'postgresql://u:one@a:1,b:2/x?sslmode=verify-full';
    expect(parse(text).href).toBe(text);
    expect(parse(text).withPassword('t/w@o').href).toBe(text.replace('one', 't%2Fw%40o'));
    expect(parse(text).withDatabase('y').href).toBe(text.replace('/x', '/y'));
    expect(parse('postgresql://u@a/x').withPassword('two').password).toBe('two');
  });

  it('is shown without user and password', () => {
    const url = parse('postgresql://user:hunter2@a,b:2/x');
    expect(`${url} ${JSON.stringify({ url })}`).toBe('a:5432,b:2/x {"url":"a:5432,b:2/x"}');
  });

  it.each([
    ['mysql://user:hunter2@a/x', 'must have the form'],
    ['postgresql://user:hunter2@a/x#y', 'must have the form'],
    ['postgresql://user:hunter2@/x', 'a host that is empty'],
    ['postgresql://user:hunter2@a,,b/x', 'a host that is empty'],
    ['postgresql://user:hunter2@a:0/x', 'a port that is not from 1 to 65535'],
    ['postgresql://user:hunter2@a:65536/x', 'a port that is not from 1 to 65535'],
    ['postgresql://user:hunter2%@a/x', 'a password that is not percent-encoded'],
    ['postgresql://user:hunter2@a/x?sslmod=verify-full', 'the parameter "sslmod"; known are'],
    ['postgresql://user@a/x?password=hunter2', 'the parameter "password"'],
    ['postgresql://user:hunter2@a/x?sslmode=require&sslmode=disable', 'the parameter sslmode twice'],
    ['postgresql://user:hunter2@a/x?host=b', 'names its host twice'],
    ['postgresql://user:hunter2@/x?host=a,b,c&port=1,2', '3 hosts and 2 ports'],
    [`postgresql://user:hunter2@${Array.from({ length: 9 }, () => 'a').join()}/x`, 'more than 8 hosts'],
    [`postgresql://user:hunter2@a/${'x'.repeat(4096)}`, 'longer than 4096 characters'],
  ])('is refused without its text: %s', (text, problem) => {
    const error = (() => {
      try {
        return parse(text).href;
      } catch (thrown) {
        return String(thrown);
      }
    })();
    expect(error).toContain(problem);
    expect(error).not.toContain('hunter2');
  });
});
