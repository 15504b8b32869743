import { describe, expect, it } from '@jest/globals';
import { contractionsOf } from './expand-only.js';

const BEFORE = [
  'CREATE TABLE "pet" ("id" BIGINT NOT NULL, "tag" TEXT, CONSTRAINT "pet_pkey" PRIMARY KEY ("id"));',
];

describe('a migration that the previous version works with', () => {
  it.each([
    [
      'a new table, with constraints',
      'CREATE TABLE "toy" ("id" INT NOT NULL); ALTER TABLE "toy" ADD CONSTRAINT "c" CHECK ("id" = 1);',
    ],
    ['a nullable column', 'ALTER TABLE "pet" ADD COLUMN "age" INTEGER;'],
    [
      'a column with a default',
      'ALTER TABLE "pet" ADD COLUMN "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;',
    ],
    [
      'a generated column',
      `ALTER TABLE "pet" ADD COLUMN "is_x" BOOLEAN NOT NULL GENERATED ALWAYS AS ("tag" = 'x') STORED;`,
    ],
    [
      'an index, and one that is replaced',
      'DROP INDEX "pet_tag_idx"; CREATE INDEX "pet_tag_idx" ON "pet"("tag");',
    ],
    ['fewer requirements', 'ALTER TABLE "pet" ALTER COLUMN "tag" DROP NOT NULL;'],
    [
      'a function whose body has other words',
      'CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ DELETE FROM pet; $$;',
    ],
    [
      'a table under another name, with a view that keeps the former one',
      `ALTER TABLE "pet" RENAME TO "animal"; CREATE VIEW "pet" AS SELECT * FROM "animal";
       ALTER TABLE "animal" RENAME CONSTRAINT "pet_pkey" TO "animal_pkey";
       ALTER INDEX "pet_tag_key" RENAME TO "animal_tag_key"; ALTER SEQUENCE "pet_id_seq" RENAME TO "animal_id_seq";`,
    ],
    ['words in comments', '-- DROP TABLE "pet";\nCREATE INDEX "i" ON "pet"("tag");'],
  ])('has %s', (_case, script) => {
    expect(contractionsOf(script, BEFORE)).toEqual([]);
  });
});

describe('a migration that the previous version does not work with', () => {
  it.each([
    ['drops a table', 'DROP TABLE "pet";'],
    ['drops a column', 'ALTER TABLE "pet"\n  DROP COLUMN "tag";'],
    ['renames', 'ALTER TABLE "pet" RENAME COLUMN "tag" TO "label";'],
    ['renames', 'ALTER TABLE "pet" RENAME TO "animal";'],
    ['renames', 'ALTER TABLE "pet" RENAME TO "animal"; CREATE VIEW "pet" AS SELECT "id" FROM "animal";'],
    ['renames', 'ALTER INDEX "pet_tag_idx" RENAME TO "animal_tag_idx";'],
    ['changes the type of a column', 'ALTER TABLE "pet" ALTER COLUMN "tag" SET DATA TYPE BYTEA;'],
    ['requires a value', 'ALTER TABLE "pet" ALTER COLUMN "tag" SET NOT NULL;'],
    ['requires a value', 'ALTER TABLE "pet" ADD COLUMN "a" INTEGER DEFAULT 1, ADD COLUMN "b" TEXT NOT NULL;'],
    ['restricts rows that the previous version writes', 'CREATE UNIQUE INDEX "u" ON "pet"("tag");'],
    [
      'restricts rows that the previous version writes',
      `ALTER TABLE "pet" ADD CONSTRAINT "c" CHECK ("tag" <> '');`,
    ],
    ['removes rows', 'DELETE FROM "pet";'],
  ])('%s: %s', (reason, script) => {
    expect(contractionsOf(script, BEFORE)).toEqual([expect.stringContaining(`${reason}: `)]);
  });
});
