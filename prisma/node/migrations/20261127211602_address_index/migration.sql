-- CreateTable
CREATE TABLE "address_index_head" (
    "id" INTEGER NOT NULL,
    "hash_key" BYTEA NOT NULL,
    "block_number" BIGINT NOT NULL,
    "block_hash" BYTEA NOT NULL,
    "calls_from" BIGINT NOT NULL,

    CONSTRAINT "address_index_head_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "address_entries" (
    "scope" SMALLINT NOT NULL,
    "address" BIGINT NOT NULL,
    "first" BIGINT NOT NULL,
    "sent_before" INTEGER NOT NULL,
    "roles" SMALLINT NOT NULL,
    "entries" BYTEA NOT NULL,

    CONSTRAINT "address_entries_pkey" PRIMARY KEY ("scope","address","first")
);
