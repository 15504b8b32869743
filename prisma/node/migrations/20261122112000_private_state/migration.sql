-- CreateTable
CREATE TABLE "private_head" (
    "id" INTEGER NOT NULL,
    "number" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "private_head_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "private_block" (
    "number" BIGINT NOT NULL,
    "state_root" BYTEA NOT NULL,

    CONSTRAINT "private_block_pkey" PRIMARY KEY ("number")
);

-- CreateTable
CREATE TABLE "private_receipt" (
    "block_number" BIGINT NOT NULL,
    "index" INTEGER NOT NULL,
    "hash" BYTEA NOT NULL,
    "raw" BYTEA NOT NULL,
    "sender" BYTEA NOT NULL,
    "status" SMALLINT NOT NULL,
    "contract_address" BYTEA,
    "return_data" BYTEA NOT NULL,
    "first_log" INTEGER NOT NULL,
    "log_count" INTEGER NOT NULL,

    CONSTRAINT "private_receipt_pkey" PRIMARY KEY ("block_number","index")
);

-- CreateTable
CREATE TABLE "private_log" (
    "block_number" BIGINT NOT NULL,
    "index" INTEGER NOT NULL,
    "transaction_index" INTEGER NOT NULL,
    "address" BYTEA NOT NULL,
    "topic0" BYTEA,
    "topic1" BYTEA,
    "topic2" BYTEA,
    "topic3" BYTEA,
    "data" BYTEA NOT NULL,

    CONSTRAINT "private_log_pkey" PRIMARY KEY ("block_number","index")
);

-- CreateTable
CREATE TABLE "private_contract" (
    "address" BYTEA NOT NULL,
    "block_number" BIGINT NOT NULL,
    "creation" BYTEA NOT NULL,
    "privacy_flag" SMALLINT NOT NULL,

    CONSTRAINT "private_contract_pkey" PRIMARY KEY ("address","block_number")
);

-- CreateTable
CREATE TABLE "private_trie_node" (
    "hash" BYTEA NOT NULL,
    "encoded" BYTEA NOT NULL,

    CONSTRAINT "private_trie_node_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "private_code" (
    "hash" BYTEA NOT NULL,
    "code" BYTEA NOT NULL,

    CONSTRAINT "private_code_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "private_preimage" (
    "hash" BYTEA NOT NULL,
    "value" BYTEA NOT NULL,

    CONSTRAINT "private_preimage_pkey" PRIMARY KEY ("hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "private_receipt_hash_key" ON "private_receipt"("hash");

-- CreateIndex
CREATE INDEX "private_log_address_block_number_idx" ON "private_log"("address", "block_number");

-- CreateIndex
CREATE INDEX "private_log_topic0_block_number_idx" ON "private_log"("topic0", "block_number");

-- CreateIndex
CREATE INDEX "private_log_topic1_block_number_idx" ON "private_log"("topic1", "block_number");

-- CreateIndex
CREATE INDEX "private_log_topic2_block_number_idx" ON "private_log"("topic2", "block_number");
