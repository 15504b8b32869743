import { describe, expect, it } from '@jest/globals';
import { hashHeader } from '@tetrad/node-consensus-bft';
import { InvalidBlockError } from '@tetrad/node-block';
import { VirtualClock } from '@tetrad/testkit';
import { silentLogger, silentMetrics, type LogValues } from '@tetrad/types';
import { Cast } from '../../consensus-bft/test/cast/cast.js';
import { LedgerForConsensus, type LedgerForConsensusOptions } from './consensus-ledger.js';

const cast = new Cast(4);
const proposer = cast.proposer(0);
const proposal = cast.block(proposer);

/** What a validator does with the proposal. */
function checking(ledger: { readonly aheadMs?: number; readonly broken?: string }) {
  const warnings: LogValues[] = [];
  const counted: unknown[] = [];
  const options = {
    ledger: {
      genesis: { chainId: 1n },
      rules: { hashHeader },
      aheadMs: () => ledger.aheadMs ?? 0,
      checkProposal: () =>
        ledger.broken === undefined
          ? Promise.resolve({})
          : Promise.reject(new InvalidBlockError(ledger.broken)),
    },
    pool: { find: () => undefined },
    builder: {},
    times: () => ({ periodEndsMs: 0, idleEndsMs: 0, leastFillMs: 0, periodMs: 0 }),
    clock: new VirtualClock(),
    logger: {
      ...silentLogger,
      warn: (message: string, values: LogValues) => warnings.push({ message, ...values }),
    },
    metrics: {
      ...silentMetrics,
      counter: (name: string, help: string) => ({
        ...silentMetrics.counter(name, help),
        increment: (labels: unknown) => counted.push([name, labels]),
      }),
    },
    isDatabaseUnavailable: () => false,
  } as unknown as LedgerForConsensusOptions;
  return { check: new LedgerForConsensus(options), warnings, counted };
}

const about = { number: 1, hash: proposal.hash, proposer: proposer.address };

describe('a proposal that is refused', () => {
  it('is logged with its proposer when it is ahead of the clock, once, and waits for its time', async () => {
    const { check, warnings, counted } = checking({ aheadMs: 29_500 });
    expect(await check.validateProposal(proposal)).toEqual({ retryAfterMs: 29_500 });
    expect(await check.validateProposal(proposal)).toEqual({ retryAfterMs: 29_500 });
    expect(warnings).toEqual([
      { message: 'a proposal is ahead of the clock of this host', ...about, seconds: 29.5 },
    ]);
    expect(counted).toEqual([['node_proposals_refused_total', { why: 'early' }]]);
  });

  it('is logged with its proposer when it is invalid', async () => {
    const { check, warnings, counted } = checking({ broken: 'invalid timestamp' });
    expect(await check.validateProposal(proposal)).toBe('invalid');
    expect(warnings).toEqual([{ message: 'a proposal is invalid', ...about, reason: 'invalid timestamp' }]);
    expect(counted).toEqual([['node_proposals_refused_total', { why: 'invalid' }]]);
  });

  it('is not worth a line when clocks differ by what is usual', async () => {
    const { check, warnings } = checking({ aheadMs: 80 });
    expect(await check.validateProposal(proposal)).toEqual({ retryAfterMs: 80 });
    expect(warnings).toEqual([]);
  });
});
