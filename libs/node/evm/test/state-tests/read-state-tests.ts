import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { FORKS, type Post, type StateTest } from './state-test.js';
import type { ForkName } from '../../src/index.js';

export interface StateTestCase {
  readonly file: string;
  readonly name: string;
  readonly fork: ForkName;
  readonly test: StateTest;
  readonly post: Post;
}

/** Every case of a file of newline-delimited JSON, one line a source file; tests in another form have none. */
export function* readStateTests(path: string): Generator<StateTestCase> {
  for (const { file, tests } of readSources(path)) {
    for (const [name, test] of Object.entries(tests)) if (isStateTest(test)) yield* casesOf(file, name, test);
  }
}

/** Tests of a file that are in another form: single code runs. */
export function countOtherForms(path: string): number {
  let count = 0;
  for (const { tests } of readSources(path))
    count += Object.values(tests).filter((test) => !isStateTest(test)).length;
  return count;
}

interface SourceFile {
  readonly file: string;
  readonly tests: Readonly<Record<string, StateTest>>;
}

function* readSources(path: string): Generator<SourceFile> {
  for (const line of gunzipSync(readFileSync(path)).toString('utf8').split('\n'))
    if (line !== '') yield JSON.parse(line) as SourceFile;
}

function isStateTest(test: StateTest): boolean {
  return 'transaction' in test;
}

function* casesOf(file: string, name: string, test: StateTest): Generator<StateTestCase> {
  for (const [forkName, posts] of Object.entries(test.post)) {
    for (const post of posts) {
      const { data, gas, value } = post.indexes;
      const fork = FORKS[forkName] as ForkName;
      yield { file, name: `${file} ${name} ${forkName} d${data}g${gas}v${value}`, fork, test, post };
    }
  }
}
