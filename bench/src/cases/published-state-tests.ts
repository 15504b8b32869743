/** Numbers of cases of the published files that are run, and left out: a case that is skipped silently changes one. */
export const PUBLISHED_STATE_TESTS: Readonly<
  Record<string, { readonly run: number; readonly left: number }>
> = {
  'ethereum-tests-eips.ndjson.gz': { run: 0, left: 1_175 },
  'ethereum-tests-general.ndjson.gz': { run: 16_533, left: 403 },
  'legacytests-cancun.ndjson.gz': { run: 77_870, left: 533 },
  'legacytests-constantinople.ndjson.gz': { run: 27_864, left: 89 },
  'legacytests-vm.ndjson.gz': { run: 489, left: 0 },
};
