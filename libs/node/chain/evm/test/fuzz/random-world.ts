import { hexFromBytes, type Address } from '@tetrad/types';
import { addressFromWord, rulesOf, type CallRequest, type ForkName, type PreState } from '../../src/index.js';
import { CONTRACTS } from './contracts.js';
import { ProgramWriter, type Random } from './random-program.js';

export const SENDER = addressFromWord(2n ** 158n + 7n);

/** The forks that take part; those of today's chains more often. */
const FORKS: readonly ForkName[] = [
  'chainstart',
  'homestead',
  'tangerineWhistle',
  'spuriousDragon',
  'byzantium',
  'constantinople',
  'petersburg',
  'istanbul',
  'berlin',
  'london',
  'paris',
  'shanghai',
  'cancun',
  'prague',
  'osaka',
  'osaka',
  'osaka',
  'berlin',
  'istanbul',
] as const;

/** One run of the fuzzer: a world, and a message to it. */
export interface Scenario {
  readonly fork: ForkName;
  readonly pre: PreState;
  readonly request: CallRequest;
}

export function scenarioOf(random: Random): Scenario {
  const below = (limit: number) => Math.floor(random() * limit);
  const fork = FORKS[below(FORKS.length)] as ForkName;
  const rules = rulesOf(fork);
  const pre: Record<string, PreState[string]> = { [SENDER]: { balance: '0xffffffff', nonce: '0x3' } };
  for (const contract of CONTRACTS) {
    pre[addressFromWord(contract)] = {
      balance: `0x${below(200).toString(16)}`,
      nonce: '0x1',
      code: hexFromBytes(new ProgramWriter(random, rules).write(3 + below(12))),
      storage: { '0x0': `0x${below(3).toString(16)}`, '0x1': '0x5', '0x2': `0x${'ff'.repeat(32)}` },
    };
  }
  const creates = random() < 0.1;
  const data = creates
    ? new ProgramWriter(random, rules).write(3 + below(10))
    : Uint8Array.from({ length: below(80) }, () => below(256));
  const request: CallRequest = {
    from: SENDER,
    ...(creates ? {} : { to: addressFromWord(CONTRACTS[0] as bigint) as Address }),
    gas: 75_000 + below(random() < 0.9 ? 60_000 : 600_000),
    gasPrice: 0n,
    value: random() < 0.7 ? 0n : BigInt(below(1_000)),
    data,
    accessList: [],
  };
  return { fork, pre, request };
}
