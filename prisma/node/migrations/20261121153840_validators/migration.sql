-- CreateTable
CREATE TABLE "validator_set" (
    "from_block" BIGINT NOT NULL,
    "validators" BYTEA NOT NULL,

    CONSTRAINT "validator_set_pkey" PRIMARY KEY ("from_block")
);

-- CreateTable
CREATE TABLE "validator_vote" (
    "block" BIGINT NOT NULL,
    "validator" BYTEA NOT NULL,
    "recipient" BYTEA NOT NULL,
    "is_add" BOOLEAN NOT NULL,
    "until_block" BIGINT,

    CONSTRAINT "validator_vote_pkey" PRIMARY KEY ("block","validator","recipient")
);

-- CreateTable
CREATE TABLE "validator_candidate" (
    "address" BYTEA NOT NULL,
    "is_add" BOOLEAN NOT NULL,

    CONSTRAINT "validator_candidate_pkey" PRIMARY KEY ("address")
);

-- CreateIndex
CREATE INDEX "validator_vote_until_block_idx" ON "validator_vote"("until_block");
