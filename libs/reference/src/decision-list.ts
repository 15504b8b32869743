import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** An architecture decision record, from its first lines. */
export interface Decision {
  readonly file: string;
  readonly number: number;
  readonly title: string;
  /** `accepted, 2026-11-22`, and later changes. */
  readonly status: string;
}

/**
 * The records of the folder, by number. Each begins with `# NUMBER. TITLE` and, after an empty line,
 * `Status: WORD, YYYY-MM-DD`.
 * @throws Error that names a file which does not, or two with one number
 */
export function readDecisions(folder: string): Decision[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.md') && file !== 'README.md');
  const decisions = files.sort().map((file) => readDecision(folder, file));
  for (const [index, { number, file }] of decisions.entries())
    if (decisions[index - 1]?.number === number) throw new Error(`${file}: number ${number} is taken`);
  return decisions;
}

function readDecision(folder: string, file: string): Decision {
  const [heading = '', , line = ''] = readFileSync(join(folder, file), 'utf8').split('\n', 3);
  const [, number, title] = /^# 0*([1-9]\d*)[.:] (.+)$/.exec(heading) ?? [];
  const [, status] =
    /^Status: ((?:accepted|proposed|replaced|withdrawn), \d{4}-\d\d-\d\d\b.*)$/.exec(line) ?? [];
  if (title === undefined || Number(number) !== Number.parseInt(file, 10))
    throw new Error(`${file}: does not begin with "# ${Number.parseInt(file, 10)}. TITLE"`);
  if (status === undefined)
    throw new Error(`${file}: has no line "Status: accepted, YYYY-MM-DD" below its title`);
  return { file, number: Number(number), title, status };
}

/** The list of all records, as Markdown. */
export function decisionList(folder: string): string {
  const rows = readDecisions(folder).map(
    ({ file, number, title, status }) => `| ${number} | [${title}](${file}) | ${status} |`,
  );
  return [
    '# Architecture decisions',
    [
      'Decisions that shape the architecture, or that would otherwise be undone: what the interface leaves open, what was',
      'chosen, why, and what was rejected. `npm run docs` writes this list. A page that replaces others says so in a line',
      '`Supersedes: NUMBERS`. Other missing numbers were house rules, formats, figures or single behaviours; they are now in',
      '[CONTRIBUTING.md](../../CONTRIBUTING.md), [docs/spec](../spec/README.md), [docs/reference/signer](../reference/signer/keys.md),',
      '[docs/performance](../performance/README.md) or at the tests. The old texts are in the history of this folder.',
    ].join('\n'),
    ['| No. | Decision | Status |', '| ---: | --- | --- |', ...rows].join('\n'),
  ].join('\n\n');
}
