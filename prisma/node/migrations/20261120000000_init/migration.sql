-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "chain" (
    "id" INTEGER NOT NULL,
    "chain_id" BIGINT NOT NULL,
    "genesis_hash" BYTEA NOT NULL,
    "head_number" BIGINT NOT NULL,

    CONSTRAINT "chain_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "block" (
    "number" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,
    "state_root" BYTEA NOT NULL,
    "timestamp" BIGINT NOT NULL,
    "header" BYTEA NOT NULL,
    "total_transactions" BIGINT NOT NULL,

    CONSTRAINT "block_pkey" PRIMARY KEY ("number")
);

-- CreateTable
CREATE TABLE "transaction" (
    "block_number" BIGINT NOT NULL,
    "index" INTEGER NOT NULL,
    "hash" BYTEA NOT NULL,
    "sender" BYTEA NOT NULL,
    "raw" BYTEA NOT NULL,
    "status" SMALLINT NOT NULL,
    "gas_used" BIGINT NOT NULL,
    "cumulative_gas_used" BIGINT NOT NULL,
    "contract_address" BYTEA,
    "first_log" INTEGER NOT NULL,
    "log_count" INTEGER NOT NULL,

    CONSTRAINT "transaction_pkey" PRIMARY KEY ("block_number","index")
);

-- CreateTable
CREATE TABLE "log" (
    "block_number" BIGINT NOT NULL,
    "index" INTEGER NOT NULL,
    "transaction_index" INTEGER NOT NULL,
    "address" BYTEA NOT NULL,
    "topic0" BYTEA,
    "topic1" BYTEA,
    "topic2" BYTEA,
    "topic3" BYTEA,
    "data" BYTEA NOT NULL,

    CONSTRAINT "log_pkey" PRIMARY KEY ("block_number","index")
);

-- CreateTable
CREATE TABLE "trie_node" (
    "hash" BYTEA NOT NULL,
    "encoded" BYTEA NOT NULL,

    CONSTRAINT "trie_node_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "code" (
    "hash" BYTEA NOT NULL,
    "code" BYTEA NOT NULL,

    CONSTRAINT "code_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "preimage" (
    "hash" BYTEA NOT NULL,
    "value" BYTEA NOT NULL,

    CONSTRAINT "preimage_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "pool_transaction" (
    "sequence" BIGSERIAL NOT NULL,
    "hash" BYTEA NOT NULL,
    "raw" BYTEA NOT NULL,

    CONSTRAINT "pool_transaction_pkey" PRIMARY KEY ("sequence")
);

-- CreateIndex
CREATE UNIQUE INDEX "block_hash_key" ON "block"("hash");

-- CreateIndex
CREATE UNIQUE INDEX "transaction_hash_key" ON "transaction"("hash");

-- CreateIndex
CREATE INDEX "log_address_block_number_idx" ON "log"("address", "block_number");

-- CreateIndex
CREATE INDEX "log_topic0_block_number_idx" ON "log"("topic0", "block_number");

-- CreateIndex
CREATE INDEX "log_topic1_block_number_idx" ON "log"("topic1", "block_number");

-- CreateIndex
CREATE INDEX "log_topic2_block_number_idx" ON "log"("topic2", "block_number");

-- CreateIndex
CREATE UNIQUE INDEX "pool_transaction_hash_key" ON "pool_transaction"("hash");
