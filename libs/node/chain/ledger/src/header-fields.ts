import { EMPTY_REQUESTS_HASH, EMPTY_ROOT } from '@tetrad/node-block';
import type { ForkRules } from '@tetrad/node-execution';
import { ZERO_HASH, type BlockHeader } from '@tetrad/types';

type ForkFields = Pick<
  BlockHeader,
  | 'baseFeePerGas'
  | 'withdrawalsRoot'
  | 'blobGasUsed'
  | 'excessBlobGas'
  | 'parentBeaconBlockRoot'
  | 'requestsHash'
>;

/** Fields that a header has because of its fork, all of them constants here (docs/adr/0006-header-forks.md). */
export function forkFields(rules: ForkRules): ForkFields {
  return {
    ...(rules.has('london') ? { baseFeePerGas: 0n } : {}),
    ...(rules.has('shanghai') ? { withdrawalsRoot: EMPTY_ROOT } : {}),
    ...(rules.has('cancun') ? { blobGasUsed: 0n, excessBlobGas: 0n, parentBeaconBlockRoot: ZERO_HASH } : {}),
    ...(rules.has('prague') ? { requestsHash: EMPTY_REQUESTS_HASH } : {}),
  };
}

/** Whether the header has exactly the fields of its fork with their constants. */
export function hasForkFields(header: BlockHeader, rules: ForkRules): boolean {
  const expected: ForkFields = forkFields(rules);
  const names = [
    'baseFeePerGas',
    'withdrawalsRoot',
    'blobGasUsed',
    'excessBlobGas',
    'parentBeaconBlockRoot',
    'requestsHash',
  ] as const;
  return names.every((name) => header[name] === expected[name]);
}
