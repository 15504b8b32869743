import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { printedHelp } from './commands/printed-help.js';
import { ROOT } from '@tetrad/devnet/paths';

// Writes the help that the launcher prints before anything is built. With `--check` nothing is written, and the exit code is
// 1 when the file is stale.
const path = 'libs/devnet/launcher/help.txt';
const file = join(ROOT, path);
const text = await printedHelp();
let present = '';
try {
  present = readFileSync(file, 'utf8');
} catch {
  // It is written for the first time.
}
if (present !== text && process.argv.includes('--check')) {
  process.stderr.write(`${path} is stale: run npm run docs\n`);
  process.exitCode = 1;
} else if (present !== text) {
  writeFileSync(file, text);
  process.stdout.write(`wrote ${path}\n`);
}
