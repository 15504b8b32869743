import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { citationFaults } from './decision-citations.js';
import { readDecisions } from './decision-list.js';
import { generatedFiles } from './generated-files.js';
import { services } from './services.js';

/**
 * Writes what `docs/reference` has of methods, options, errors, metrics and contracts, and `docs/adr/README.md`.
 * With `--check` nothing is written: stale files and citations of missing decisions are named, and the exit code is 1.
 */
const root = resolve(import.meta.dirname, '../../..');
const check = process.argv.includes('--check');

const stale = (await generatedFiles(root, services)).filter(({ path, content }) => {
  const file = join(root, path);
  return !existsSync(file) || readFileSync(file, 'utf8') !== content;
});

for (const { path, content } of stale) {
  if (check) {
    process.stderr.write(`${path} is stale: run node libs/reference/dist/main.js\n`);
    process.exitCode = 1;
  } else {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
    process.stdout.write(`wrote ${path}\n`);
  }
}

if (check) {
  const numbers = new Set(readDecisions(join(root, 'docs/adr')).map(({ number }) => number));
  for (const fault of citationFaults(root, numbers)) {
    process.stderr.write(`${fault}\n`);
    process.exitCode = 1;
  }
}
