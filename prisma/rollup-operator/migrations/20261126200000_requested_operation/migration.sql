-- AlterTable
ALTER TABLE "rollup" ADD COLUMN "exit_rules" TEXT;

-- CreateTable
CREATE TABLE "requested_operation" (
    "block_number" BIGINT NOT NULL,
    "log_index" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,
    "nonce" BIGINT NOT NULL,
    "token_id" INTEGER NOT NULL,
    "amount" DECIMAL(20,0) NOT NULL,
    "height" BIGINT NOT NULL,
    "operation" JSONB NOT NULL,
    "proved" JSONB NOT NULL,
    "since" BIGINT,
    "progress" DECIMAL(40,0),
    "answered" BOOLEAN NOT NULL DEFAULT false,
    "failure" TEXT,

    CONSTRAINT "requested_operation_pkey" PRIMARY KEY ("block_number","log_index")
);

-- CreateTable
CREATE TABLE "frozen_rollup" (
    "id" INTEGER NOT NULL,
    "height" BIGINT NOT NULL,
    "block_number" BIGINT NOT NULL,

    CONSTRAINT "frozen_rollup_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "requested_operation_account_id_nonce_idx" ON "requested_operation"("account_id", "nonce");

-- What the schema language cannot say: few of all requests are open, and there is one end.

CREATE INDEX "requested_operation_share_idx" ON "requested_operation"("token_id", "progress", "amount", "block_number", "log_index")
    WHERE NOT "answered" AND "failure" IS NULL;
CREATE INDEX "requested_operation_open_idx" ON "requested_operation"("account_id") WHERE NOT "answered";
ALTER TABLE "requested_operation" ADD CONSTRAINT "requested_operation_measured" CHECK (
    num_nulls("since", "progress") IN (0, 2));
ALTER TABLE "frozen_rollup" ADD CONSTRAINT "frozen_rollup_single" CHECK ("id" = 1);
