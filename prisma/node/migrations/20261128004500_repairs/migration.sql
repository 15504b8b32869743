-- CreateTable
CREATE TABLE "private_repair" (
    "block_number" BIGINT NOT NULL,
    "contract" BYTEA NOT NULL,
    "own" BYTEA NOT NULL,
    "source" BYTEA NOT NULL,
    "request" BYTEA NOT NULL,
    "reason" TEXT NOT NULL,
    "state_before" BYTEA NOT NULL,
    "state_after" BYTEA NOT NULL,
    "payload_before" BYTEA NOT NULL,
    "payload_after" BYTEA NOT NULL,
    "statements" BYTEA NOT NULL,
    "untold" BYTEA NOT NULL,
    "made_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "private_repair_pkey" PRIMARY KEY ("block_number","contract")
);

-- CreateTable
CREATE TABLE "private_repair_notice" (
    "contract" BYTEA NOT NULL,
    "own" BYTEA NOT NULL,
    "other" BYTEA NOT NULL,
    "block_number" BIGINT NOT NULL,
    "notice" BYTEA NOT NULL,
    "heard_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "private_repair_notice_pkey" PRIMARY KEY ("contract","own","other","block_number")
);

-- CreateTable
CREATE TABLE "private_repair_permit" (
    "contract" BYTEA NOT NULL,
    "other" BYTEA NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "private_repair_permit_pkey" PRIMARY KEY ("contract","other")
);
