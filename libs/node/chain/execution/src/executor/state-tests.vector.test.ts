import { RLP } from '@ethereumjs/rlp';
import { describe, expect, it } from '@jest/globals';
import { keccakHash } from '@tetrad/crypto';
import { addressToBytes, hashToBytes, hexFromBytes, type Log } from '@tetrad/types';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ForkName } from '../genesis/forks.js';
import {
  runStateTest,
  type PreState,
  type TestEnvironment,
  type TestTransaction,
} from '../testing/run-state-test.js';

const folder = join(import.meta.dirname, '../../vectors/state-tests');
const readVectors = <T>(file: string): T => JSON.parse(readFileSync(join(folder, file), 'utf8')) as T;

/** keccak256(RLP([[address, [topic…], data]…])): how state tests commit to logs. */
function logsHash(logs: readonly Log[]): string {
  const items = logs.map(({ address, topics, data }) => [
    addressToBytes(address),
    topics.map(hashToBytes),
    data,
  ]);
  return keccakHash(RLP.encode(items));
}

/** All cases of the selection leave no logs. */
const NO_LOGS = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347';

interface GeneralStateTest {
  readonly env: TestEnvironment;
  readonly pre: PreState;
  readonly transaction: Omit<TestTransaction, 'data' | 'gasLimit' | 'value' | 'accessList'> & {
    readonly data: readonly string[];
    readonly gasLimit: readonly string[];
    readonly value: readonly string[];
    readonly accessLists?: readonly TestTransaction['accessList'][];
  };
  readonly post: Readonly<
    Record<string, readonly { data: number; gas: number; value: number; hash: string; exception?: string }[]>
  >;
}

describe('general state tests', () => {
  const tests = Object.entries(readVectors<Record<string, GeneralStateTest>>('general-state-tests.json'));
  const cases = tests.flatMap(([name, test]) =>
    Object.entries(test.post).flatMap(([fork, posts]) =>
      posts.map(
        (post) => [`${name} ${fork} d${post.data}g${post.gas}v${post.value}`, { test, fork, post }] as const,
      ),
    ),
  );

  it.each(cases)('%s', async (_name, { test, fork, post }) => {
    const { accessLists, data, gasLimit, value, ...rest } = test.transaction;
    const accessList = accessLists?.[post.data];
    const outcome = await runStateTest({
      fork: fork as ForkName,
      env: test.env,
      pre: test.pre,
      transaction: {
        ...rest,
        data: data[post.data] as string,
        gasLimit: gasLimit[post.gas] as string,
        value: value[post.value] as string,
        ...(accessList === undefined ? {} : { accessList }),
      },
    });
    expect(outcome.invalid?.code).toBe(
      post.exception === undefined ? undefined : 'TRANSACTION_TYPE_NOT_SUPPORTED',
    );
    expect(outcome.stateRoot).toBe(post.hash);
    expect(logsHash(outcome.effects?.logs ?? [])).toBe(NO_LOGS);
  });
});

interface FrontierTest {
  readonly suite: string;
  readonly name: string;
  readonly env: TestEnvironment;
  readonly pre: PreState;
  readonly transaction: TestTransaction;
  readonly expected: { readonly stateRoot: string; readonly logs?: readonly unknown[] };
}

describe('state tests under the first rules', () => {
  const named = readVectors<readonly FrontierTest[]>('frontier-2015.json').map(
    (test) => [`${test.suite} ${test.name}`, test] as const,
  );
  /** Gas is counted in numbers; no execution can use as much (docs/adr/0088). */
  const isBeyondNumbers = ({ transaction }: FrontierTest) =>
    BigInt(transaction.gasLimit) > Number.MAX_SAFE_INTEGER;

  it.each(named.filter(([, test]) => isBeyondNumbers(test)))('%s is refused', async (_name, test) => {
    const { invalid } = await runStateTest({ ...test, fork: 'chainstart' });
    expect(invalid?.code).toBe('GAS_LIMIT_EXCEEDED');
  });

  it.each(named.filter(([, test]) => !isBeyondNumbers(test)))('%s', async (_name, test) => {
    const outcome = await runStateTest({ ...test, fork: 'chainstart' });
    expect(outcome.stateRoot).toBe(test.expected.stateRoot);
    const logs = outcome.effects?.logs ?? [];
    const written = logs.map(({ address, topics, data }) => ({ address, topics, data: hexFromBytes(data) }));
    expect(written).toEqual(test.expected.logs ?? []);
  });
});
