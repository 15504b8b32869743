import { describe } from '@jest/globals';
import { lackingForEtcd } from '../src/index.js';

const lacking = await lackingForEtcd();
if (lacking !== undefined) console.warn(`SKIPPED etcd: ${lacking}`);

/** Counts its tests as skipped where there is no etcd. */
export const describeWithEtcd = lacking === undefined ? describe : describe.skip;
