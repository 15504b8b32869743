-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "vault" (
    "id" INTEGER NOT NULL,
    "generation" INTEGER NOT NULL,
    "kdf" TEXT NOT NULL,
    "scrypt_n" INTEGER NOT NULL,
    "scrypt_r" INTEGER NOT NULL,
    "scrypt_p" INTEGER NOT NULL,
    "salt" BYTEA NOT NULL,
    "check_nonce" BYTEA NOT NULL,
    "check_text" BYTEA NOT NULL,
    "keys_version" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "vault_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "wallet_key" (
    "address" BYTEA NOT NULL,
    "kind" SMALLINT NOT NULL,
    "generation" INTEGER NOT NULL,
    "cipher" TEXT NOT NULL,
    "nonce" BYTEA NOT NULL,
    "sealed" BYTEA NOT NULL,
    "derivation_path" TEXT,
    "label" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "wallet_key_pkey" PRIMARY KEY ("address")
);

-- CreateTable
CREATE TABLE "audit_record" (
    "sequence" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "caller" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,
    "address" BYTEA NOT NULL,
    "action" TEXT NOT NULL,
    "content" TEXT,
    "digest" BYTEA,
    "cid" TEXT,
    "message" JSONB,
    "decision" TEXT NOT NULL,
    "reason" TEXT,

    CONSTRAINT "audit_record_pkey" PRIMARY KEY ("sequence")
);

-- CreateIndex
CREATE INDEX "audit_record_address_sequence_idx" ON "audit_record"("address", "sequence");

-- What the schema language cannot say.

ALTER TABLE "vault" ADD CONSTRAINT "vault_one_row" CHECK ("id" = 1);
ALTER TABLE "wallet_key" ADD CONSTRAINT "wallet_key_kind" CHECK ("kind" IN (1, 2, 3));
ALTER TABLE "audit_record" ADD CONSTRAINT "audit_record_decision" CHECK ("decision" IN ('done', 'refused'));

-- The audit log is append-only, whoever asks.
CREATE FUNCTION "refuse_audit_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'audit_record is append-only: % is refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER "audit_record_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_record"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();
ALTER TABLE "audit_record" ENABLE ALWAYS TRIGGER "audit_record_append_only";

-- Every change of the set of addresses has a number, which readers compare instead of reading the set.
CREATE FUNCTION "count_key_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "vault" SET "keys_version" = "keys_version" + 1 WHERE "id" = 1;
    RETURN NULL;
END
$$;
CREATE TRIGGER "wallet_key_counted" AFTER INSERT OR DELETE OR TRUNCATE ON "wallet_key"
    FOR EACH STATEMENT EXECUTE FUNCTION "count_key_change"();
