import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { filesBelow } from './files-below.js';

const root = join(import.meta.dirname, '../..');

/** Programs of threads: they listen to the other side, or leave that to `serveJobs`. */
const programs = ['apps', 'libs']
  .flatMap((folder) => filesBelow(join(root, folder), '-worker.ts'))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
  .filter(({ text }) => /\bparentPort\b|\bserveJobs\(/.test(text));

it('the programs of threads say that they have loaded, without which they cannot be ended safely', () => {
  expect(programs.length).toBeGreaterThan(4);
  const silent = programs.filter(({ text }) => !/^(serveJobs\(|announceLoaded\(\);$)/m.test(text));
  expect(silent.map(({ file }) => file)).toEqual([]);
});
