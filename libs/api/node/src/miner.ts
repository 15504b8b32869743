import { defineMethod, optionalParam } from '@tetrad/rpc';
import { z } from 'zod';
import { integerOf } from './wire/integer.js';

const SOURCE = 'go-ethereum, "miner"';

/** A validator's part in deciding on blocks. */
export const minerMethods = {
  miner_start: defineMethod({
    summary: 'Takes part in consensus again, from the stored record of signatures on.',
    params: [
      optionalParam('threads', integerOf('number of threads'), 'ignored: no work is done for a block'),
    ],
    result: z.null(),
    errors: ['CONSENSUS_NOT_AVAILABLE'],
    source: SOURCE,
    examples: [{ summary: 'starts', params: [], result: null }],
  }),
  miner_stop: defineMethod({
    summary:
      'Ends proposing and voting until miner_start or a restart; the node goes on following the chain. It must not be ' +
      'done on more validators than may fail.',
    params: [],
    result: z.null(),
    source: SOURCE,
    examples: [{ summary: 'stops', params: [], result: null }],
  }),
};
