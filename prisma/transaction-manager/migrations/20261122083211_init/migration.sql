-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "payload" (
    "hash" BYTEA NOT NULL,
    "sequence" BIGSERIAL NOT NULL,
    "encoded" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "payload_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "payload_recipient" (
    "key" BYTEA NOT NULL,
    "sequence" BIGINT NOT NULL,

    CONSTRAINT "payload_recipient_pkey" PRIMARY KEY ("key","sequence")
);

-- CreateTable
CREATE TABLE "raw_payload" (
    "hash" BYTEA NOT NULL,
    "sender" BYTEA NOT NULL,
    "cipher_text" BYTEA NOT NULL,
    "nonce" BYTEA NOT NULL,
    "encrypted_key" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "raw_payload_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "privacy_group" (
    "id" BYTEA NOT NULL,
    "lookup" BYTEA NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "seed" BYTEA NOT NULL,
    "members" BYTEA[],
    "kind" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL,

    CONSTRAINT "privacy_group_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "payload_sequence_key" ON "payload"("sequence");

-- CreateIndex
CREATE INDEX "payload_recipient_sequence_idx" ON "payload_recipient"("sequence");

-- CreateIndex
CREATE INDEX "privacy_group_lookup_idx" ON "privacy_group"("lookup");

-- AddForeignKey
ALTER TABLE "payload_recipient" ADD CONSTRAINT "payload_recipient_sequence_fkey" FOREIGN KEY ("sequence") REFERENCES "payload"("sequence") ON DELETE CASCADE ON UPDATE CASCADE;
