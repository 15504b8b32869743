import { LEFT_OUT } from './state-test.js';

/** What there is in a published file. */
export interface FileCounts {
  /** Cases that are run. */
  readonly run: number;
  /** Why others are not → how many. */
  readonly left: Readonly<Record<string, number>>;
}

/** Of the published files, as they were when this was written: a case that is skipped in silence changes a number. */
export const RECORDED_COUNTS: Readonly<Record<string, FileCounts>> = {
  'ethereum-tests-eips.ndjson.gz': {
    run: 0,
    left: { [LEFT_OUT.draft]: 1_127, [LEFT_OUT.eof]: 35, [LEFT_OUT.blobs]: 13 },
  },
  'ethereum-tests-general.ndjson.gz': {
    run: 16_533,
    left: { [LEFT_OUT.blobs]: 377, [LEFT_OUT.gas]: 26 },
  },
  'legacytests-cancun.ndjson.gz': {
    run: 77_870,
    left: { [LEFT_OUT.blobs]: 377, [LEFT_OUT.gas]: 156 },
  },
  'legacytests-constantinople.ndjson.gz': { run: 27_864, left: { [LEFT_OUT.gas]: 89 } },
  'legacytests-vm.ndjson.gz': { run: 0, left: { [LEFT_OUT.form]: 489 } },
};
