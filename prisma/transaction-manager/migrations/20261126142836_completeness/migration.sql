-- AlterTable
ALTER TABLE "key_holder" ADD COLUMN     "mark" BYTEA;

-- CreateTable
CREATE TABLE "completeness" (
    "id" INTEGER NOT NULL,
    "epoch" BYTEA NOT NULL,
    "state" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "completeness_pkey" PRIMARY KEY ("id")
);

-- What the schema language cannot say.

ALTER TABLE "completeness" ADD CONSTRAINT "completeness_id" CHECK ("id" = 1);
ALTER TABLE "completeness" ADD CONSTRAINT "completeness_epoch" CHECK (octet_length("epoch") = 16);
ALTER TABLE "completeness" ADD CONSTRAINT "completeness_state"
  CHECK ("state" IN ('unchecked', 'new', 'recovered', 'declared', 'imported', 'upgraded'));

-- A manager of the version before has what it took, unless its rows are those of a backup, which its table says.

INSERT INTO "completeness" ("id", "epoch", "state")
SELECT 1, uuid_send(gen_random_uuid()), 'upgraded'
 WHERE EXISTS (SELECT FROM "payload")
   AND coalesce(obj_description('payload'::regclass, 'pg_class'), '') NOT LIKE 'restored from the backup %';
