-- AlterTable
ALTER TABLE "chain" ADD COLUMN     "state_table" SMALLINT;

-- CreateTable
CREATE TABLE "trie_node_b" (
    "hash" BYTEA NOT NULL,
    "encoded" BYTEA NOT NULL,

    CONSTRAINT "trie_node_b_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "state_history" (
    "id" INTEGER NOT NULL,
    "oldest_block" BIGINT NOT NULL,
    "epoch_block" BIGINT,
    "is_gathered" BOOLEAN NOT NULL,
    "cursor" BYTEA NOT NULL,
    "gathered_bytes" BIGINT NOT NULL,

    CONSTRAINT "state_history_pkey" PRIMARY KEY ("id")
);
