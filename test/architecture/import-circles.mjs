// Fails where files import each other in a circle, types included: neither of two such files can be read before the other.
// Part of `npm run lint`; what packages import of each other is checked by its rules and by project-graph.test.ts.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '../..');
const LEFT_OUT = ['node_modules', 'dist', 'bundle', 'generated', 'artifacts', 'assembly', 'vectors'];
const SPECIFIER = /(?:\bfrom|\bimport|\bimport\()\s*'(\.[^']*)\.js'/g;

/** Paths of the TypeScript files in and below a folder. */
function sourcesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return LEFT_OUT.includes(entry.name) ? [] : sourcesBelow(path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

function importsOf(file) {
  const specifiers = readFileSync(file, 'utf8').matchAll(SPECIFIER);
  return [...specifiers].map(([, specifier]) => {
    const imported = join(dirname(file), specifier);
    return sources.has(`${imported}.tsx`) ? `${imported}.tsx` : `${imported}.ts`;
  });
}

/** Circles that a depth-first search meets, each as the files along it. */
function findCircles(edges) {
  const circles = [];
  const done = new Set();
  const path = [];
  const visit = (file) => {
    const before = path.indexOf(file);
    if (before >= 0) circles.push([...path.slice(before), file]);
    if (before >= 0 || done.has(file)) return;
    path.push(file);
    for (const next of edges.get(file) ?? []) visit(next);
    path.pop();
    done.add(file);
  };
  for (const file of edges.keys()) visit(file);
  return circles;
}

const sources = new Set(
  ['apps', 'bench', 'libs', 'test'].flatMap((folder) => sourcesBelow(join(root, folder))),
);
const circles = findCircles(new Map([...sources].map((file) => [file, importsOf(file)])));
for (const circle of circles) {
  process.stderr.write(`imports in a circle: ${circle.map((file) => relative(root, file)).join(' > ')}\n`);
}
process.exitCode = circles.length === 0 ? 0 : 1;
