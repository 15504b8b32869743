-- AlterTable
ALTER TABLE "key_holder" ADD COLUMN     "mark_order" BIGINT;

-- CreateTable
CREATE TABLE "latest_epoch" (
    "id" INTEGER NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "latest_epoch_pkey" PRIMARY KEY ("id")
);

-- What the schema language cannot say.

ALTER TABLE "latest_epoch" ADD CONSTRAINT "latest_epoch_id" CHECK ("id" = 1);
