import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { OperatorError, RequestError, TetradError } from '@tetrad/types';
import { filesBelow } from './files-below.js';

const root = join(import.meta.dirname, '../..');

interface ErrorClass {
  readonly file: string;
  readonly name: string;
  readonly parent: string;
  /** As written; undefined when it is a parameter of the constructor. */
  readonly code: string | undefined;
}

const CLASS = /class (\w+) extends (\w+) \{\n([^]*?)\n\}/g;

function classesIn(file: string): ErrorClass[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(CLASS)].map(([, name = '', parent = '', body = '']) => ({
    file: relative(root, file),
    name,
    parent,
    code: / code(?:: [^=\n]+)? = '([A-Z_]+)'/.exec(body)?.[1],
  }));
}

/** Subclasses of the base, at any depth. */
function errorClasses(): ErrorClass[] {
  const all = ['apps', 'libs']
    .flatMap((folder) => filesBelow(join(root, folder), '.ts'))
    .filter((file) => file.includes('/src/') && !file.endsWith('.test.ts'))
    .flatMap(classesIn);
  const known = new Set(['TetradError']);
  for (let size = 0; size !== known.size;) {
    size = known.size;
    for (const { name, parent } of all) if (known.has(parent)) known.add(name);
  }
  return all.filter(({ name }) => name !== 'TetradError' && known.has(name));
}

describe('errors that programs distinguish', () => {
  const classes = errorClasses();

  it('are many, each with its own code', () => {
    expect(classes.length).toBeGreaterThan(25);
    const codes = classes.flatMap(({ code }) => (code === undefined ? [] : [code]));
    expect(codes.length).toBeGreaterThan(20);
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
  });

  it('have their class name as their name', () => {
    const other = classes.filter(
      ({ file, name }) => !readFileSync(join(root, file), 'utf8').includes(` = '${name}';`),
    );
    expect(other.map(({ name }) => name)).toEqual([]);
  });

  it('carry code, data and cause', () => {
    const cause = new Error('below');
    const rejection = new RequestError('TOO_MUCH', 'too much', { limit: 3 });
    expect(rejection).toMatchObject({ code: 'TOO_MUCH', data: { limit: 3 }, message: 'too much' });
    expect(rejection).toBeInstanceOf(TetradError);
    expect(new OperatorError('no', { cause })).toMatchObject({ code: 'OPERATOR', data: {}, cause });
  });
});
