import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { createLogger, type LogLevel } from './logger.js';
import { Secret } from './secret.js';

function listen(level: LogLevel = 'debug') {
  const stream = new PassThrough();
  const logger = createLogger({ service: 'node', level, stream });
  const lines = () =>
    String(stream.read() ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { logger, lines };
}

describe('the logger', () => {
  it('writes one JSON object a line, with time, level, service and the values', () => {
    const { logger, lines } = listen();
    logger.child({ requestId: 'r1' }).warn('pool is full\nnow', { size: 5, total: 2n ** 70n });
    expect(lines()).toEqual([
      {
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        level: 'warn',
        service: 'node',
        message: 'pool is full\nnow',
        requestId: 'r1',
        size: 5,
        total: '1180591620717411303424',
      },
    ]);
  });

  it('keeps quiet below its level', () => {
    const { logger, lines } = listen('warn');
    logger.debug('a');
    logger.info('b');
    logger.error('c');
    expect(lines().map(({ message }) => message)).toEqual(['c']);
  });

  it('does not let a value take the place of its own fields', () => {
    const { logger, lines } = listen();
    logger.info('true message', { level: 'error', message: 'other', service: 'x' } as never);
    expect(lines()[0]).toMatchObject({ level: 'info', message: 'true message', service: 'node' });
  });

  it('writes an error with its stack and cause', () => {
    const { logger, lines } = listen();
    logger.error('failed', { error: new Error('outer', { cause: new RangeError('inner') }) });
    expect(lines()[0]?.['error']).toMatchObject({
      name: 'Error',
      message: 'outer',
      stack: expect.stringContaining('logger.test.ts'),
      cause: { name: 'RangeError', message: 'inner' },
    });
  });

  it('survives values that refer to themselves and values that are huge', () => {
    const { logger, lines } = listen();
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    logger.info('odd', {
      loop,
      list: new Array(1_000).fill(1),
      bytes: new Uint8Array(1_000),
      text: 'x'.repeat(50_000),
    });
    expect(JSON.stringify(lines()[0]).length).toBeLessThan(12_000);
  });
});

describe('the redaction guard', () => {
  const secret = 'correct horse battery';

  it.each<[string, Record<string, unknown>]>([
    ['under a telling key', { password: secret }],
    ['under a telling key of any case, deep down', { config: { list: [{ keystorePassword: secret }] } }],
    ['of a private key', { privateKey: secret, private_key: secret }],
    ['of a header', { headers: { authorization: `Basic ${secret}` } }],
    ['wrapped as a secret', { value: new Secret(secret) }],
    ['in a database URL', { url: `postgresql://user:${secret.replaceAll(' ', '')}@db/x` }],
    ['in a URL object', { url: new URL(`postgresql://user:${secret.replaceAll(' ', '')}@db/x`) }],
    [
      'in an error message',
      { error: new Error(`connect postgresql://u:${secret.replaceAll(' ', '')}@db failed`) },
    ],
    ['in a field of an error', { error: Object.assign(new Error('x'), { passphrase: secret }) }],
    ['in a bearer token', { line: `Authorization: Bearer ${secret.replaceAll(' ', '')}` }],
    ['in a map', { map: new Map([['secret', secret]]) }],
  ])('hides a secret %s', (_, values) => {
    const { logger, lines } = listen();
    logger.info('line', values);
    const text = JSON.stringify(lines()[0]);
    expect(text).toMatch(/\[(redacted|secret)\]/);
    expect(text).not.toMatch(/correct|horse/);
  });

  it('leaves alone what only looks alike', () => {
    const { logger, lines } = listen();
    logger.info('line', { tokenId: 7, publicKey: '0x04', secretary: 'Ann', url: 'http://user@host/path' });
    expect(lines()[0]).toMatchObject({
      tokenId: 7,
      publicKey: '0x04',
      secretary: 'Ann',
      url: 'http://user@host/path',
    });
  });
});
