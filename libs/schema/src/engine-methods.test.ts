import { describe, expect, it } from '@jest/globals';
import type { SchemaEngine } from '@prisma/schema-engine-wasm';
import { answerCall } from './engine-methods.js';

/** An engine whose methods are these. */
const engineOf = (methods: Readonly<Record<string, (params: unknown) => unknown>>) => () =>
  Promise.resolve(methods as unknown as SchemaEngine);

describe('a call of the schema engine', () => {
  it('gets the result of the method, and null from one without', async () => {
    const open = engineOf({ reset: () => undefined, devDiagnostic: (params) => ({ params }) });
    expect(await answerCall({ id: 1, method: 'reset' }, open)).toEqual([{ id: 1, result: null }]);
    expect(await answerCall({ id: 2, method: 'devDiagnostic', params: { a: 1 } }, open)).toEqual([
      { id: 2, result: { params: { a: 1 } } },
    ]);
  });

  it('prints a difference before its result', async () => {
    const open = engineOf({ diff: () => ({ exitCode: 2, stdout: 'CREATE' }) });
    expect(await answerCall({ id: 1, method: 'diff', params: {} }, open)).toEqual([
      { id: 0, method: 'print', params: { content: 'CREATE' } },
      { id: 1, result: { exitCode: 2, stdout: 'CREATE' } },
    ]);
  });

  it.each([
    ['its error with the code', 'reset', Object.assign(new Error('busy'), { code: 'P1002' }), 'P1002'],
    ['its error without one', 'reset', new Error('busy'), null],
  ])('gets %s', async (_case, method, error, code) => {
    const [answer] = await answerCall({ id: 3, method }, engineOf({ reset: () => Promise.reject(error) }));
    expect(answer).toMatchObject({ id: 3, error: { data: { message: 'busy', error_code: code } } });
  });

  it('is refused when the engine has no such method', async () => {
    const [answer] = await answerCall({ id: 4, method: 'constructor' }, engineOf({}));
    expect(answer).toMatchObject({ error: { message: 'the schema engine has no method constructor' } });
  });

  it('gets the error of a schema that is not valid', async () => {
    const [answer] = await answerCall({ id: 5, method: 'reset' }, () =>
      Promise.reject(new Error('no model')),
    );
    expect(answer).toMatchObject({ id: 5, error: { data: { message: 'no model', is_panic: false } } });
  });
});
