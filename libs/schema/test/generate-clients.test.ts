import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { generateClient } from '../src/index.js';

const SCHEMA = `
generator client {
  provider = "prisma-client"
  output   = "./generated"
}

datasource db {
  provider = "postgresql"
}

model Owner {
  id   Int    @id
  name String @unique
}
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tetrad-generate-'));
  // Prisma looks for one in every parent folder, which may contain one.
  writeFileSync(join(folder, 'tsconfig.json'), '{}');
  write(SCHEMA);
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (text: string) => writeFileSync(join(folder, 'schema.prisma'), text);

describe('generating clients', () => {
  it('happens offline, and again only when the schema has changed', async () => {
    expect(await generateClient(folder)).toBe(true);
    expect(existsSync(join(folder, 'generated', 'client.ts'))).toBe(true);
    expect(await generateClient(folder)).toBe(false);
    write(`${SCHEMA}\nmodel Pet {\n  id BigInt @id\n}\n`);
    expect(await generateClient(folder)).toBe(true);
    expect(readFileSync(join(folder, 'generated', 'models', 'Pet.ts'), 'utf8')).toContain('PetModel');
  });

  it('leaves out a schema without a generator, whose service reads its tables by statements alone', async () => {
    write(SCHEMA.replace(/generator client \{[^}]*\}/, ''));
    expect(await generateClient(folder)).toBe(false);
    expect(existsSync(join(folder, 'generated'))).toBe(false);
  });

  it('reports the error of an invalid schema', async () => {
    write(SCHEMA.replace('Int ', 'Nothing '));
    await expect(generateClient(folder)).rejects.toThrow(/Type "Nothing" is neither a built-in type/);
  });
});
