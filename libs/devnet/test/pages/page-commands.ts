import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from '@tetrad/devnet';

/** A command of ours on a page. */
export interface PageCommand {
  /** Path of the page from the root of the repository. */
  readonly page: string;
  /** The words before the first option: `['network', 'new']`. */
  readonly words: readonly string[];
  /** Options with their dashes, without values. */
  readonly options: readonly string[];
}

const LAUNCHER = /(?:^|\s)(?:\$ )?(?:\.\.?\/)+tetrad\s/;
/** What ends a command in a shell. */
const END = /\s[|>&;<]|\)|\s2>/;

/** The commands in the shell blocks of the documentation and the README. */
export function pageCommands(): readonly PageCommand[] {
  const docs = join(ROOT, 'docs');
  const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  return ['README.md', 'docker/charts/tetrad/README.md', ...pages.map((name) => join('docs', name))].flatMap(
    commandsOf,
  );
}

function commandsOf(page: string): PageCommand[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const blocks = [...text.matchAll(/^```(?:sh|console)\n([^]*?)^```$/gm)].map(([, block = '']) => block);
  const lines = blocks.flatMap((block) => block.replace(/\\\n\s*/g, ' ').split('\n'));
  return lines.flatMap((line) => {
    const start = LAUNCHER.exec(line);
    if (start === null) return [];
    // Values may contain what would end the command.
    const rest = line
      .slice(start.index + start[0].length)
      .replace(/'[^']*'|"[^"]*"|\$\([^()]*(?:\([^()]*\)[^()]*)*\)/g, 'VALUE');
    return [readCommand(relative(ROOT, join(ROOT, page)), rest.split(END)[0] ?? '')];
  });
}

function readCommand(page: string, command: string): PageCommand {
  const words = command.trim().split(/\s+/);
  const first = words.findIndex((word) => word.startsWith('-'));
  const options = words.filter((word) => word.startsWith('--')).map((word) => word.split('=')[0] ?? '');
  return { page, words: first === -1 ? words : words.slice(0, first), options };
}
