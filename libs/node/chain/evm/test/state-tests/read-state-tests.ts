import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { FORKS, type Post, type StateTest } from './state-test.js';
import type { SingleCodeTest } from './single-code-run.js';
import type { ForkName } from '../../src/index.js';

export interface StateTestCase {
  readonly file: string;
  readonly name: string;
  readonly fork: ForkName;
  readonly test: StateTest;
  readonly post: Post;
}

/** Every case of a file of newline-delimited JSON, one line a source file. */
export function* readStateTests(path: string): Generator<StateTestCase> {
  for (const { file, tests } of readSources(path)) {
    for (const [name, test] of Object.entries(tests)) if (isStateTest(test)) yield* casesOf(file, name, test);
  }
}

/** Every test of a file in the older form; empty for a file of state tests. */
export function* readSingleCodeTests(
  path: string,
): Generator<{ readonly name: string; readonly test: SingleCodeTest }> {
  for (const { file, tests } of readSources(path)) {
    for (const [name, test] of Object.entries(tests))
      if (!isStateTest(test)) yield { name: `${file} ${name}`, test };
  }
}

interface SourceFile {
  readonly file: string;
  readonly tests: Readonly<Record<string, StateTest | SingleCodeTest>>;
}

function* readSources(path: string): Generator<SourceFile> {
  for (const line of gunzipSync(readFileSync(path)).toString('utf8').split('\n'))
    if (line !== '') yield JSON.parse(line) as SourceFile;
}

function isStateTest(test: StateTest | SingleCodeTest): test is StateTest {
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
