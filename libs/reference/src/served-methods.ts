import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Service } from './services.js';

/** The state of a method in the repository; computed from the files, never written by hand. */
export interface MethodState {
  readonly method: string;
  readonly service: Service['name'];
  /** `served`: a handler is registered and a test drives it over HTTP. `defined`: it has a definition only. */
  readonly state: 'served' | 'defined';
  /** Path of the test from the root of the repository, when there is one. */
  readonly testFile?: string;
}

/** The state of each method of the table, in its order. */
export function methodStates(root: string, service: Service, methods: readonly string[]): MethodState[] {
  const source = handlerSource(join(root, 'apps', service.name, 'src', 'rpc'));
  return methods.map((method) => {
    const testFile = findTest(root, service.name, method);
    const served = testFile !== undefined && registersHandler(source, method);
    return {
      method,
      service: service.name,
      state: served ? 'served' : 'defined',
      ...(testFile === undefined ? {} : { testFile }),
    };
  });
}

/** Whether the source has a member of that name: `name: …`, `name(…)`, `async name(…)` or the bare `name,`. */
export function registersHandler(source: string, method: string): boolean {
  const name = method.replaceAll('.', '\\.');
  return new RegExp(`(?:^|[{,])\\s*(?:async\\s+)?(['"]?)${name}\\1\\s*[:(,}]`, 'm').test(source);
}

/** All handler files as one text without comments. */
function handlerSource(folder: string): string {
  if (!existsSync(folder)) return '';
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')
    .replace(/\/\*[^]*?\*\/|^[ \t]*\/\/.*$/gm, '');
}

/**
 * The test that drives the method: one named after it, with or without its namespace, in a folder named after the
 * namespace; otherwise that of the service's tests over HTTP or WebSocket that calls it most often.
 */
function findTest(root: string, service: string, method: string): string | undefined {
  const [namespace = '', name = ''] = method.split(/[_.]/, 2);
  const folder = `apps/${service}/test/rpc/${namespace}`;
  const named = [`${folder}/${method}.rpc.test.ts`, `${folder}/${name}.rpc.test.ts`];
  return named.find((file) => existsSync(join(root, file))) ?? callingTest(root, service, method);
}

function callingTest(root: string, service: string, method: string): string | undefined {
  const calls = testFiles(join(root, 'apps', service, 'test', 'rpc'))
    .map(({ file, source }) => ({ file, count: countCalls(source, method) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || a.file.localeCompare(b.file));
  return calls[0] && `apps/${service}/test/rpc/${calls[0].file}`;
}

/** How often the name is the first argument of a call, as in `check<string>('eth_getCode', …)`. */
export function countCalls(source: string, method: string): number {
  const name = method.replaceAll('.', '\\.');
  return [...source.matchAll(new RegExp(`\\(\\s*(['"])${name}\\1`, 'g'))].length;
}

function testFiles(folder: string): { file: string; source: string }[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.rpc.test.ts'))
    .map((file) => ({ file, source: readFileSync(join(folder, file), 'utf8') }));
}
