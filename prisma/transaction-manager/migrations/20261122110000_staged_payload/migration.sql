-- CreateTable
CREATE TABLE "staged_payload" (
    "sequence" BIGSERIAL NOT NULL,
    "hash" BYTEA NOT NULL,
    "encoded" BYTEA NOT NULL,
    "affected" BYTEA[],

    CONSTRAINT "staged_payload_pkey" PRIMARY KEY ("sequence")
);

-- CreateIndex
CREATE INDEX "staged_payload_hash_idx" ON "staged_payload"("hash");
