-- CreateTable
CREATE TABLE "private_extension" (
    "management" BYTEA NOT NULL,
    "contract" BYTEA NOT NULL,
    "initiator" BYTEA NOT NULL,
    "recipient" BYTEA NOT NULL,
    "recipient_key" BYTEA NOT NULL,
    "creation" BYTEA NOT NULL,
    "is_initiator" BOOLEAN NOT NULL,
    "is_recipient" BOOLEAN NOT NULL,
    "started_block" BIGINT NOT NULL,
    "approved_block" BIGINT,
    "finished_block" BIGINT,

    CONSTRAINT "private_extension_pkey" PRIMARY KEY ("management")
);

-- CreateIndex
CREATE INDEX "private_extension_finished_block_contract_idx" ON "private_extension"("finished_block", "contract");
