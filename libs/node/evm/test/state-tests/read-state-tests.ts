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

/** Every case of a file of newline-delimited JSON, one line a source file. */
export function* readStateTests(path: string): Generator<StateTestCase> {
  for (const line of gunzipSync(readFileSync(path)).toString('utf8').split('\n')) {
    if (line === '') continue;
    const { file, tests } = JSON.parse(line) as { file: string; tests: Record<string, StateTest> };
    for (const [name, test] of Object.entries(tests)) yield* casesOf(file, name, test);
  }
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
