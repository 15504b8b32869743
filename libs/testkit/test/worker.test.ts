import { AsyncLocalStorage } from 'node:async_hooks';
import vm from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { disablingItsStorages } from '../jest/async-storages.mjs';
import { keepCompiledCode, type Compilers } from '../jest/compiled-code.mjs';

/** From Node.js 24 on, what a storage holds is kept by what waits inside of `run` alone, and ends with it. */
const held = Number(process.versions.node.split('.')[0]) >= 24 ? 'a file' : undefined;

describe('the asynchronous storages of a test file', () => {
  it.each([
    ['run', held],
    ['enterWith', undefined],
  ] as const)('hold nothing once the file is over, after %s', async (method, left) => {
    const storage = new AsyncLocalStorage<string>();
    const original = AsyncLocalStorage.prototype[method];
    let end: () => void = () => undefined;
    const over = new Promise<void>((done) => (end = done));
    const readLater = async () => {
      const during = storage.getStore();
      await over;
      return [during, storage.getStore()];
    };
    let later: Promise<unknown> | undefined;
    const result = await disablingItsStorages(async () => {
      if (method === 'run') later = storage.run('a file', readLater);
      else {
        storage.enterWith('a file');
        later = readLater();
      }
      return 'result';
    });
    end();
    expect([result, await later]).toEqual(['result', ['a file', left]]);
    expect(storage.getStore()).toBeUndefined();
    expect(AsyncLocalStorage.prototype[method]).toBe(original);
  });

  it('hold nothing when the file fails to run', async () => {
    const storage = new AsyncLocalStorage<string>();
    const failing = disablingItsStorages(async () => {
      storage.enterWith('a file');
      throw new Error('cannot be loaded');
    });
    await expect(failing).rejects.toThrow('cannot be loaded');
    expect(storage.getStore()).toBeUndefined();
  });
});

describe('the compiled code that a worker keeps', () => {
  /** Compilers that note which sources they are given compiled. */
  function noting(): { compilers: Compilers; given: boolean[] } {
    const given: boolean[] = [];
    const compilers: Compilers = {
      SourceTextModule: class extends vm.SourceTextModule {
        constructor(code: string, options: vm.SourceTextModuleOptions) {
          super(code, options);
          given.push(options.cachedData !== undefined);
        }
      },
      compileFunction: (code, parameters, options: vm.CompileFunctionOptions) => {
        given.push(options.cachedData !== undefined);
        return vm.compileFunction(code, parameters, options) as () => unknown;
      },
    };
    keepCompiledCode(compilers);
    return { compilers, given };
  }

  it('is used for the same text of the same file only', () => {
    const { compilers, given } = noting();
    const run = (filename: string, code: string) => compilers.compileFunction(code, ['n'], { filename })(20);
    expect(run('/a.js', 'return n + 1')).toBe(21);
    expect(run('/a.js', 'return n + 1')).toBe(21);
    expect(run('/a.js', 'return n + 2')).toBe(22);
    expect(run('/b.js', 'return n + 2')).toBe(22);
    expect(given).toEqual([false, true, false, false]);
  });

  it('is used for modules, each with an evaluation of its own', async () => {
    const { compilers, given } = noting();
    const Module = compilers.SourceTextModule as typeof vm.SourceTextModule;
    const load = async () => {
      const made = new Module('export let count = 0; count += 1;', { identifier: '/a.mjs' });
      await made.link(() => {
        throw new Error('imports nothing');
      });
      await made.evaluate();
      return (made.namespace as { count: number }).count;
    };
    expect([await load(), await load(), given]).toEqual([1, 1, [false, true]]);
  });

  it('is not used for a source with a dynamic import, which would fail', () => {
    const { compilers, given } = noting();
    const code = 'return () => import("node:fs")';
    for (let round = 0; round < 2; round++) compilers.compileFunction(code, [], { filename: '/a.js' });
    expect(given).toEqual([false, false]);
  });
});
