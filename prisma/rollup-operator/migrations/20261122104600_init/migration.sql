-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "rollup" (
    "id" INTEGER NOT NULL,
    "chain_id" BIGINT NOT NULL,
    "contract" BYTEA NOT NULL,
    "operator_key" BYTEA NOT NULL,
    "batch_size" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "rollup_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sequence_head" (
    "id" INTEGER NOT NULL,
    "version" BIGINT NOT NULL DEFAULT 0,
    "next_account_id" INTEGER NOT NULL DEFAULT 1,
    "open_height" BIGINT NOT NULL DEFAULT 1,
    "open_index" INTEGER NOT NULL DEFAULT 0,
    "next_inbound" BIGINT NOT NULL DEFAULT 0,
    "assembled_height" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "sequence_head_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "operation" (
    "sequence" BIGSERIAL NOT NULL,
    "hash" BYTEA NOT NULL,
    "kind" SMALLINT NOT NULL,
    "account_id" INTEGER,
    "nonce" BIGINT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'PENDING',
    "rejection_reason" TEXT,
    "waiting" BOOLEAN NOT NULL DEFAULT false,
    "from_account_id" INTEGER,
    "to_account_id" INTEGER,
    "to_address" BYTEA,
    "token_id" INTEGER,
    "amount" DECIMAL(20,0),
    "blinding_factor" BYTEA,
    "public_key" BYTEA,
    "joint_key" BYTEA,
    "total_index" BIGINT,
    "ciphertext" BYTEA,
    "signature" BYTEA NOT NULL,
    "batch_height" BIGINT,
    "batch_index" INTEGER,
    "accepted_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "operation_pkey" PRIMARY KEY ("sequence")
);

-- CreateTable
CREATE TABLE "account" (
    "public_key" BYTEA NOT NULL,
    "account_id" INTEGER,
    "operation_hash" BYTEA NOT NULL,
    "joint_key" BYTEA NOT NULL,
    "blinding_factor" BYTEA NOT NULL,
    "created_height" BIGINT,

    CONSTRAINT "account_pkey" PRIMARY KEY ("public_key")
);

-- CreateTable
CREATE TABLE "account_version" (
    "account_id" INTEGER NOT NULL,
    "batch_height" BIGINT NOT NULL,
    "nonce" BIGINT NOT NULL,
    "redemption_index" BIGINT NOT NULL,
    "balances" JSONB NOT NULL,

    CONSTRAINT "account_version_pkey" PRIMARY KEY ("account_id","batch_height")
);

-- CreateTable
CREATE TABLE "money_order" (
    "total_index" BIGINT NOT NULL,
    "batch_height" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,
    "from_account_id" INTEGER NOT NULL,
    "to_account_id" INTEGER NOT NULL,
    "token_id" INTEGER NOT NULL,
    "amount" DECIMAL(20,0) NOT NULL,
    "blinding_factor" BYTEA NOT NULL,
    "redeemed_height" BIGINT,

    CONSTRAINT "money_order_pkey" PRIMARY KEY ("total_index")
);

-- CreateTable
CREATE TABLE "batch" (
    "height" BIGINT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'open',
    "operations" INTEGER NOT NULL DEFAULT 0,
    "size" INTEGER NOT NULL,
    "inbound_from" BIGINT NOT NULL,
    "inbound_to" BIGINT NOT NULL,
    "opened_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sealed_at" TIMESTAMPTZ(6),
    "previous_state_root" BYTEA,
    "state_root" BYTEA,
    "account_root" BYTEA,
    "orders_root" BYTEA,
    "proving" BYTEA,
    "proof" BYTEA,
    "transaction_hash" BYTEA,
    "block_number" BIGINT,
    "block_hash" BYTEA,
    "failure" TEXT,

    CONSTRAINT "batch_pkey" PRIMARY KEY ("height")
);

-- CreateTable
CREATE TABLE "tree_node" (
    "tree" SMALLINT NOT NULL,
    "level" SMALLINT NOT NULL,
    "index" BIGINT NOT NULL,
    "batch_height" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "tree_node_pkey" PRIMARY KEY ("tree","level","index","batch_height")
);

-- CreateTable
CREATE TABLE "token" (
    "token_id" INTEGER NOT NULL,
    "address" BYTEA NOT NULL,
    "unit" DECIMAL(78,0) NOT NULL,
    "block_number" BIGINT NOT NULL,

    CONSTRAINT "token_pkey" PRIMARY KEY ("token_id")
);

-- CreateTable
CREATE TABLE "deposit" (
    "index" BIGINT NOT NULL,
    "account_id" INTEGER NOT NULL,
    "token_id" INTEGER NOT NULL,
    "amount" DECIMAL(20,0) NOT NULL,
    "sender" BYTEA NOT NULL,
    "block_number" BIGINT NOT NULL,
    "batch_height" BIGINT,
    "batch_index" INTEGER,

    CONSTRAINT "deposit_pkey" PRIMARY KEY ("index")
);

-- CreateTable
CREATE TABLE "outbound_request" (
    "block_number" BIGINT NOT NULL,
    "log_index" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,
    "recipient" BYTEA NOT NULL,
    "token_id" INTEGER NOT NULL,
    "amount" DECIMAL(20,0) NOT NULL,
    "overdue_at" BIGINT NOT NULL,

    CONSTRAINT "outbound_request_pkey" PRIMARY KEY ("block_number","log_index")
);

-- CreateTable
CREATE TABLE "chain_block" (
    "number" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "chain_block_pkey" PRIMARY KEY ("number")
);

-- CreateTable
CREATE TABLE "submission" (
    "transaction_hash" BYTEA NOT NULL,
    "batch_height" BIGINT NOT NULL,
    "sender" BYTEA NOT NULL,
    "nonce" BIGINT NOT NULL,
    "max_fee" DECIMAL(78,0) NOT NULL,
    "max_priority_fee" DECIMAL(78,0) NOT NULL,
    "raw" BYTEA NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'sent',
    "failure" TEXT,
    "submitted_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "submission_pkey" PRIMARY KEY ("transaction_hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "operation_hash_key" ON "operation"("hash");

-- CreateIndex
CREATE INDEX "operation_account_id_kind_nonce_idx" ON "operation"("account_id", "kind", "nonce");

-- CreateIndex
CREATE UNIQUE INDEX "operation_batch_height_batch_index_key" ON "operation"("batch_height", "batch_index");

-- CreateIndex
CREATE UNIQUE INDEX "account_account_id_key" ON "account"("account_id");

-- CreateIndex
CREATE INDEX "account_created_height_idx" ON "account"("created_height");

-- CreateIndex
CREATE INDEX "account_version_batch_height_idx" ON "account_version"("batch_height");

-- CreateIndex
CREATE INDEX "money_order_to_account_id_total_index_idx" ON "money_order"("to_account_id", "total_index");

-- CreateIndex
CREATE INDEX "money_order_batch_height_idx" ON "money_order"("batch_height");

-- CreateIndex
CREATE INDEX "batch_state_height_idx" ON "batch"("state", "height");

-- CreateIndex
CREATE INDEX "tree_node_batch_height_idx" ON "tree_node"("batch_height");

-- CreateIndex
CREATE UNIQUE INDEX "deposit_batch_height_batch_index_key" ON "deposit"("batch_height", "batch_index");

-- CreateIndex
CREATE INDEX "submission_batch_height_idx" ON "submission"("batch_height");

-- CreateIndex
CREATE INDEX "submission_sender_nonce_idx" ON "submission"("sender", "nonce");

-- What the schema language cannot say.

ALTER TABLE "rollup" ADD CONSTRAINT "rollup_one_row" CHECK ("id" = 1);
ALTER TABLE "sequence_head" ADD CONSTRAINT "sequence_head_one_row" CHECK ("id" = 1);
INSERT INTO "sequence_head" ("id") VALUES (1);

ALTER TABLE "operation" ADD CONSTRAINT "operation_kind" CHECK ("kind" BETWEEN 1 AND 4);
ALTER TABLE "operation" ADD CONSTRAINT "operation_status" CHECK (
    CASE "status"
        WHEN 'PENDING' THEN "rejection_reason" IS NULL AND "batch_height" IS NULL
        WHEN 'EXECUTED' THEN "rejection_reason" IS NULL AND "batch_height" IS NOT NULL AND NOT "waiting"
        WHEN 'REJECTED' THEN "rejection_reason" IS NOT NULL AND "batch_height" IS NULL AND NOT "waiting"
        ELSE false
    END);
ALTER TABLE "operation" ADD CONSTRAINT "operation_place" CHECK (("batch_height" IS NULL) = ("batch_index" IS NULL));
ALTER TABLE "batch" ADD CONSTRAINT "batch_state"
    CHECK ("state" IN ('open', 'sealed', 'proving', 'proven', 'submitted', 'final'));
ALTER TABLE "batch" ADD CONSTRAINT "batch_operations" CHECK ("operations" BETWEEN 0 AND "size");
ALTER TABLE "submission" ADD CONSTRAINT "submission_state"
    CHECK ("state" IN ('sent', 'dropped', 'reverted', 'included'));

-- There is one open batch at most.
CREATE UNIQUE INDEX "batch_one_open" ON "batch" ("state") WHERE "state" = 'open';

-- What can be executed next, and what waits for the nonces before it.
CREATE INDEX "operation_ready" ON "operation" ("sequence") WHERE "status" = 'PENDING' AND NOT "waiting";
CREATE INDEX "operation_pending" ON "operation" ("account_id", "nonce") WHERE "status" = 'PENDING';
CREATE INDEX "operation_redemptions_by_payer" ON "operation" ("from_account_id", "nonce") WHERE "kind" = 3;
CREATE INDEX "operation_redemptions" ON "operation" ("nonce") WHERE "kind" = 3;
