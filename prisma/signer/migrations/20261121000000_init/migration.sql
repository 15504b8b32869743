-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "nonce_state" AS ENUM ('free', 'reserved', 'signed', 'doubtful', 'accepted');

-- CreateTable
CREATE TABLE "replica" (
    "id" UUID NOT NULL,
    "alive_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "replica_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "lane" (
    "id" BIGSERIAL NOT NULL,
    "chain_id" BIGINT NOT NULL,
    "account" BYTEA NOT NULL,
    "privacy_group" BYTEA NOT NULL,
    "next_nonce" DECIMAL(78,0) NOT NULL DEFAULT 0,
    "mined_count" DECIMAL(78,0) NOT NULL DEFAULT 0,
    "mined_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "watcher" UUID,
    "watched_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "lane_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "nonce_entry" (
    "lane_id" BIGINT NOT NULL,
    "nonce" DECIMAL(78,0) NOT NULL,
    "state" "nonce_state" NOT NULL,
    "given" BOOLEAN NOT NULL DEFAULT false,
    "owner" UUID NOT NULL,
    "raw" BYTEA,
    "hash" BYTEA,
    "idempotency" BYTEA,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "nonce_entry_pkey" PRIMARY KEY ("lane_id","nonce")
);

-- CreateTable
CREATE TABLE "idempotency_key" (
    "digest" BYTEA NOT NULL,
    "request" BYTEA NOT NULL,
    "owner" UUID NOT NULL,
    "answer" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "audit_entry" (
    "sequence" BIGINT NOT NULL,
    "time_ms" BIGINT NOT NULL,
    "caller" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "digest" BYTEA,
    "transaction" TEXT,
    "decision" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "previous_hash" BYTEA NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("sequence")
);

-- CreateTable
CREATE TABLE "audit_head" (
    "id" INTEGER NOT NULL,
    "sequence" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "audit_head_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "rate_window" (
    "bucket" BYTEA NOT NULL,
    "minute" BIGINT NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "rate_window_pkey" PRIMARY KEY ("bucket","minute")
);

-- CreateIndex
CREATE UNIQUE INDEX "lane_chain_id_account_privacy_group_key" ON "lane"("chain_id", "account", "privacy_group");

-- CreateIndex
CREATE INDEX "nonce_entry_state_lane_id_nonce_idx" ON "nonce_entry"("state", "lane_id", "nonce");

-- CreateIndex
CREATE INDEX "nonce_entry_idempotency_idx" ON "nonce_entry"("idempotency");

-- CreateIndex
CREATE INDEX "idempotency_key_created_at_idx" ON "idempotency_key"("created_at");

-- CreateIndex
CREATE INDEX "rate_window_minute_idx" ON "rate_window"("minute");

-- The head of the empty audit log: what the first entry follows.
INSERT INTO "audit_head" ("id", "sequence", "hash") VALUES (1, 0, decode(repeat('00', 32), 'hex'));

-- Audit entries are only ever added. The body's semicolons are written \073: the schema engine splits scripts at them.
CREATE FUNCTION "refuse_audit_change"() RETURNS trigger LANGUAGE plpgsql AS
E'BEGIN RAISE EXCEPTION ''the audit log is append-only: % of % is refused'', TG_OP, TG_TABLE_NAME\073 END\073';

CREATE TRIGGER "audit_entry_append_only" BEFORE UPDATE OR DELETE ON "audit_entry"
    FOR EACH ROW EXECUTE FUNCTION "refuse_audit_change"();

CREATE TRIGGER "audit_entry_no_truncate" BEFORE TRUNCATE ON "audit_entry"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();

CREATE TRIGGER "audit_head_stays" BEFORE DELETE OR TRUNCATE ON "audit_head"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();
