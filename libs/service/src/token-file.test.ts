import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger } from '@tetrad/types';
import { TokenFile } from './token-file.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tetrad-token-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A token file under a clock that the test moves. */
function open(path: string) {
  const lines: string[] = [];
  const note = (message: string, values: unknown) => void lines.push(`${message} ${JSON.stringify(values)}`);
  let now = 0;
  const clock = { now: () => now };
  const logger = { ...silentLogger, info: note, warn: note };
  const file = new TokenFile({ path, flag: '--token-file', logger, clock });
  const pass = (ms: number) => (now += ms);
  return { file, lines, pass, shown: () => file.headers().authorization };
}

describe('a token file', () => {
  it('gives the header, without the line break at its end', () => {
    const path = join(folder, 'plain');
    writeFileSync(path, 'eyJh.eyJz.c2ln\n');
    expect(open(path).shown()).toBe('Bearer eyJh.eyJz.c2ln');
  });

  it('is read again after another file has taken its place, and a second has passed', () => {
    const path = join(folder, 'rotated');
    writeFileSync(path, 'first');
    const { shown, pass, lines } = open(path);
    writeFileSync(`${path}.new`, 'second');
    renameSync(`${path}.new`, path);
    expect(shown()).toBe('Bearer first');
    pass(1_000);
    expect(shown()).toBe('Bearer second');
    expect(lines).toEqual(['token file read again {"option":"--token-file"}']);
    pass(1_000);
    expect(shown()).toBe('Bearer second');
    expect(lines).toHaveLength(1);
  });

  it('keeps the last token while the file cannot be used, and says so once', () => {
    const path = join(folder, 'lost');
    writeFileSync(path, 'first');
    const { shown, pass, lines } = open(path);
    rmSync(path);
    for (let look = 0; look < 2; look++) {
      pass(1_000);
      expect(shown()).toBe('Bearer first');
    }
    expect(lines).toHaveLength(1);
    writeFileSync(path, 'not a token');
    pass(1_000);
    expect(shown()).toBe('Bearer first');
    expect(lines[1]).toContain('does not hold a token alone');
    writeFileSync(path, 'second');
    pass(1_000);
    expect(shown()).toBe('Bearer second');
    expect(lines.join()).not.toMatch(/first|second|not a token"/);
  });

  it.each([
    ['nothing', ''],
    ['two lines', 'one\ntwo'],
    ['a header', 'Bearer one'],
    ['too much', 'a'.repeat(8_193)],
    ['other characters', 'tökën'],
  ])('with %s is refused at the start, without what it holds', (_, text) => {
    const path = join(folder, 'bad');
    writeFileSync(path, text);
    expect(() => open(path)).toThrow(/^--token-file: .*bad (?:does not hold|is larger)/);
  });

  it('that is missing, or a folder, is refused at the start', () => {
    expect(() => open(join(folder, 'none'))).toThrow(/^--token-file: cannot read .*none/);
    expect(() => open(folder)).toThrow(/^--token-file: .*is not a file$/);
  });

  it('does not show its token when it is printed', () => {
    const path = join(folder, 'printed');
    writeFileSync(path, 'first-and-only');
    const { file } = open(path);
    expect(`${JSON.stringify(file)}${inspect(file, { depth: 9 })}`).not.toContain('first-and-only');
  });
});
