-- AlterTable
ALTER TABLE "account_version" ALTER COLUMN "nonce" DROP NOT NULL,
ALTER COLUMN "redemption_index" DROP NOT NULL,
ALTER COLUMN "balances" DROP NOT NULL;

-- AlterTable
ALTER TABLE "money_order" ALTER COLUMN "from_account_id" DROP NOT NULL,
ALTER COLUMN "to_account_id" DROP NOT NULL,
ALTER COLUMN "token_id" DROP NOT NULL,
ALTER COLUMN "amount" DROP NOT NULL,
ALTER COLUMN "blinding_factor" DROP NOT NULL;

-- CreateTable
CREATE TABLE "opaque_place" (
    "batch_height" BIGINT NOT NULL,
    "batch_index" INTEGER NOT NULL,
    "kind" SMALLINT NOT NULL,
    "account_id" INTEGER NOT NULL,
    "token_id" INTEGER NOT NULL,
    "amount" DECIMAL(20,0) NOT NULL,
    "recipient" BYTEA NOT NULL,
    "ciphertext" BYTEA NOT NULL,
    "leaf" BYTEA NOT NULL,
    "order_hash" BYTEA NOT NULL,
    "blinding_factor" BYTEA,

    CONSTRAINT "opaque_place_pkey" PRIMARY KEY ("batch_height","batch_index")
);

-- CreateIndex
CREATE INDEX "opaque_place_account_id_batch_height_batch_index_idx" ON "opaque_place"("account_id", "batch_height", "batch_index");

-- CreateIndex
CREATE INDEX "opaque_place_ciphertext_idx" ON "opaque_place"("ciphertext");

-- CreateIndex
CREATE INDEX "opaque_place_blinding_factor_idx" ON "opaque_place"("blinding_factor");

-- What the schema language cannot say: a row is known whole or not at all.

ALTER TABLE "account_version" ADD CONSTRAINT "account_version_opaque" CHECK (
    num_nulls("nonce", "redemption_index", "balances") IN (0, 3));
ALTER TABLE "money_order" ADD CONSTRAINT "money_order_opaque" CHECK (
    num_nulls("from_account_id", "to_account_id", "token_id", "amount", "blinding_factor") IN (0, 5));
ALTER TABLE "opaque_place" ADD CONSTRAINT "opaque_place_kind" CHECK ("kind" BETWEEN 1 AND 4);
