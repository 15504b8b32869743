import type { KeptAbi } from './kept-abi.js';
import { readCall, readLog, readResult, readRevert, type Reading } from './readings.js';
import { standardAbis } from './standard-abis.js';

/** What data means by a file of the reader, or by a standard that many contracts keep to. */
export type Meaning = Reading & { readonly isStandard?: true };

/** What call data means. */
export const meaningsOfCall = (abis: readonly KeptAbi[], input: string): readonly Meaning[] =>
  ofFilesOrStandards(abis, (all) => readCall(all, input));

/** What the call data of a call that succeeded returned. */
export const meaningsOfResult = (
  abis: readonly KeptAbi[],
  call: { readonly input: string; readonly output: string },
): readonly Meaning[] => ofFilesOrStandards(abis, (all) => readResult(all, call));

/** What the data of a revert means. */
export const meaningsOfRevert = (abis: readonly KeptAbi[], data: string): readonly Meaning[] =>
  ofFilesOrStandards(abis, (all) => readRevert(all, data));

/** What a log means. */
export const meaningsOfLog = (
  abis: readonly KeptAbi[],
  log: { readonly topics: readonly string[]; readonly data: string },
): readonly Meaning[] => ofFilesOrStandards(abis, (all) => readLog(all, log));

/**
 * What the reader's files say goes before what standards say: a contract need not keep to them. Standards that do not match say nothing,
 * since nothing says that the contract follows them.
 */
function ofFilesOrStandards(
  abis: readonly KeptAbi[],
  read: (abis: readonly KeptAbi[]) => readonly Reading[],
): readonly Meaning[] {
  const byFiles = read(abis);
  if (byFiles.some(({ values }) => values !== undefined)) return byFiles;
  const byStandards = read(standardAbis())
    .filter(({ values, remark }) => values !== undefined && remark === undefined)
    .map((reading): Meaning => ({ ...reading, isStandard: true }));
  return [...byStandards, ...byFiles];
}
