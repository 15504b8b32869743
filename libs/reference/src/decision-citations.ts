import { spawnSync } from 'node:child_process';

/** `docs/adr/NNNN`, and the forms in which a number would escape the check. */
const PATTERN = 'adr/[0-9]{4}|ADRs? [0-9]+|[Dd]ecisions?:? [0-9]+';

/**
 * What is wrong with the citations of decisions in the tracked files of a repository, a line each.
 * @param numbers - the records that exist
 */
export function citationFaults(root: string, numbers: ReadonlySet<number>): string[] {
  const { status, stdout, stderr } = spawnSync('git', ['grep', '-nIoE', PATTERN], {
    cwd: root,
    encoding: 'utf8',
  });
  // 1 means that no line matches.
  if (status !== 0 && status !== 1) throw new Error(`git grep failed: ${stderr}`);
  return faultsOf(stdout.split('\n'), numbers);
}

/** The same for lines as `git grep -no` writes them: `FILE:LINE:CITATION`. */
export function faultsOf(matches: readonly string[], numbers: ReadonlySet<number>): string[] {
  return matches.flatMap((match) => {
    const [, place = '', citation = ''] = /^(.+?:\d+):(.+)$/.exec(match) ?? [];
    if (citation === '') return [];
    const number = /^adr\/(\d{4})$/.exec(citation)?.[1];
    if (number === undefined) return [`${place}: write "${citation}" as docs/adr/NNNN`];
    return numbers.has(Number(number)) ? [] : [`${place}: docs/${citation} does not exist`];
  });
}
