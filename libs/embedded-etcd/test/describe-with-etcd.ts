import { describe } from '@jest/globals';
import { lackingForEtcd } from '../src/index.js';

const lacking = await lackingForEtcd();
if (lacking !== undefined) process.stderr.write(`SKIPPED: ${lacking}\n`);

/** Counts its tests as skipped where etcd is not installed. */
export const describeWithEtcd = lacking === undefined ? describe : describe.skip;
