-- CreateTable
CREATE TABLE "private_agreement_head" (
    "id" INTEGER NOT NULL,
    "number" BIGINT NOT NULL,

    CONSTRAINT "private_agreement_head_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "private_agreement_pair" (
    "own" BYTEA NOT NULL,
    "other" BYTEA NOT NULL,
    "since" BIGINT NOT NULL,
    "agreed_block" BIGINT,
    "first_signer" BYTEA,
    "last_signer" BYTEA,
    "heard_at" TIMESTAMPTZ(3),
    "carries_messages" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "private_agreement_pair_pkey" PRIMARY KEY ("own","other")
);

-- CreateTable
CREATE TABLE "private_agreement_block" (
    "own" BYTEA NOT NULL,
    "other" BYTEA NOT NULL,
    "block_number" BIGINT NOT NULL,
    "own_statement" BYTEA,
    "other_statement" BYTEA,
    "other_before" BYTEA,
    "own_list" BYTEA,
    "other_list" BYTEA,
    "other_outcome" BYTEA,
    "state" TEXT NOT NULL,
    "transaction" BYTEA,
    "sent" SMALLINT NOT NULL DEFAULT 0,
    "sends" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3),
    "made_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "private_agreement_block_pkey" PRIMARY KEY ("block_number","own","other")
);

-- CreateTable
CREATE TABLE "private_agreement_contract" (
    "contract" BYTEA NOT NULL,
    "own" BYTEA NOT NULL,
    "other" BYTEA NOT NULL,
    "block_number" BIGINT NOT NULL,
    "transaction" BYTEA NOT NULL,
    "is_shared" BOOLEAN NOT NULL,

    CONSTRAINT "private_agreement_contract_pkey" PRIMARY KEY ("contract","own","other")
);

-- CreateIndex
CREATE INDEX "private_agreement_block_next_at_idx" ON "private_agreement_block"("next_at");

-- CreateIndex
CREATE INDEX "private_agreement_block_own_other_state_idx" ON "private_agreement_block"("own", "other", "state");
