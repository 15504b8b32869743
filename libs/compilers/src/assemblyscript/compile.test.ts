/**
 * The compiler changes `Array.prototype.sort`, `Math` and others, so that this file has a realm of its own.
 * @jest-environment node
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AssemblyError, compileFolder } from './compile.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-assembly-test-'));
  await mkdir(join(folder, 'assembly'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = (text: string) => writeFile(join(folder, 'assembly', 'sum.ts'), text);
const read = () => readFile(join(folder, 'src', 'generated', 'sum.ts'), 'utf8');

describe('compiling a folder', () => {
  it('writes modules once, and again only when a source has changed', async () => {
    await write('export function sum(a: i32, b: i32): i32 { return a + b; }');
    expect(await compileFolder(folder)).toBe(true);
    const first = await read();
    // The magic number of WebAssembly in base64.
    expect(first).toContain("export default 'AGFzbQEAAAA");
    expect(await compileFolder(folder)).toBe(false);
    await write('export function sum(a: i32, b: i32): i32 { return a - b; }');
    expect(await compileFolder(folder)).toBe(true);
    expect(await read()).not.toBe(first);
  });

  it('compiles a module with its parts, and again when one of them has changed', async () => {
    const writePart = (value: number) =>
      writeFile(join(folder, 'assembly', 'sum', 'part.ts'), `export const PART: i32 = ${value};`);
    await mkdir(join(folder, 'assembly', 'sum'));
    await writePart(3);
    await write("import { PART } from './sum/part';\nexport function sum(a: i32): i32 { return a + PART; }");
    expect(await compileFolder(folder)).toBe(true);
    const first = await read();
    expect(await compileFolder(folder)).toBe(false);
    await writePart(4);
    expect(await compileFolder(folder)).toBe(true);
    expect(await read()).not.toBe(first);
  });

  it('fails with the compiler’s words, and again the next time', async () => {
    await write('export function sum(): i32 { return missing; }');
    await expect(compileFolder(folder)).rejects.toThrow(AssemblyError);
    await expect(compileFolder(folder)).rejects.toThrow(/Cannot find name 'missing'/);
  });
});
