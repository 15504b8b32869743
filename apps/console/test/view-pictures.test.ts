import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { PICTURED_BY } from './view-pictures.js';

const read = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8');

it('every view that the page shows is pictured by a test that takes pictures', () => {
  const shown = [...read('../page/src/app.tsx').matchAll(/case '([\w-]+)':/g)].map(([, kind]) => kind);
  expect(Object.keys(PICTURED_BY).toSorted()).toEqual(shown.toSorted());
  for (const test of new Set(Object.values(PICTURED_BY)))
    expect(read(`${test}.scenario.test.ts`)).toContain(`pictureViews(page, console.url, '${test}'`);
});
