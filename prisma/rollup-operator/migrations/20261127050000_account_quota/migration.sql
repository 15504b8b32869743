-- AlterTable
ALTER TABLE "operation" ADD COLUMN "turn" BIGINT NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "account_quota" (
    "account_id" INTEGER NOT NULL,
    "window_start" TIMESTAMPTZ(3) NOT NULL,
    "accepted" INTEGER NOT NULL,
    "turn" BIGINT NOT NULL,

    CONSTRAINT "account_quota_pkey" PRIMARY KEY ("account_id")
);

-- What the schema language cannot say: which operations and registrations are next, and room in pages whose rows change with each group.

CREATE INDEX "operation_turns" ON "operation" ("turn", "sequence")
    WHERE "status" = 'PENDING' AND NOT "waiting" AND "account_id" IS NOT NULL;
CREATE INDEX "operation_registrations" ON "operation" ("sequence") WHERE "status" = 'PENDING' AND "account_id" IS NULL;
ALTER TABLE "account_quota" SET (fillfactor = 50);
ALTER TABLE "account_quota" ADD CONSTRAINT "account_quota_accepted" CHECK ("accepted" >= 0);
