-- AlterTable
ALTER TABLE "account_version" ADD COLUMN "consent" BYTEA,
ADD COLUMN "consent_terms" JSONB;

-- AlterTable
ALTER TABLE "operation" ADD COLUMN "consent" BYTEA,
ADD COLUMN "is_direct" BOOLEAN,
ADD COLUMN "until_height" BIGINT;

-- AlterTable
ALTER TABLE "rollup" ADD COLUMN "has_consents" BOOLEAN;

-- CreateTable
CREATE TABLE "credit" (
    "total_index" BIGINT NOT NULL,
    "batch_height" BIGINT NOT NULL,
    "from_account_id" INTEGER NOT NULL,
    "to_account_id" INTEGER NOT NULL,
    "token_id" INTEGER NOT NULL,
    "amount" DECIMAL(20,0) NOT NULL,
    "blinding_factor" BYTEA NOT NULL,

    CONSTRAINT "credit_pkey" PRIMARY KEY ("total_index")
);

-- CreateIndex
CREATE INDEX "credit_to_account_id_total_index_idx" ON "credit"("to_account_id", "total_index");

-- CreateIndex
CREATE INDEX "credit_batch_height_idx" ON "credit"("batch_height");

-- A consent is another kind of operation (6), a credit another kind of place (7). Services check the kinds of what they read; the
-- version before, which shares the database during an upgrade, has no contract with either.
ALTER TABLE "operation" DROP CONSTRAINT "operation_kind";
ALTER TABLE "opaque_place" DROP CONSTRAINT "opaque_place_kind";
