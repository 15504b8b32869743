-- AlterTable
ALTER TABLE "lane" ADD COLUMN     "genesis" BYTEA,
ADD COLUMN     "known_from" DECIMAL(78,0) NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "nonce_entry" ADD COLUMN     "lost" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "settled_nonce" (
    "lane_id" BIGINT NOT NULL,
    "nonce" DECIMAL(78,0) NOT NULL,
    "state" "nonce_state" NOT NULL,
    "given" BOOLEAN NOT NULL,
    "lost" BOOLEAN NOT NULL,
    "raw" BYTEA NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "settled_nonce_pkey" PRIMARY KEY ("lane_id","nonce")
);

-- What the schema language cannot say.

-- Nonces below it were settled without leaving a row.
UPDATE "lane" SET "known_from" = "mined_count";

-- Replicas of the previous version settle nonces as well. What a client refused because of its nonce is never submitted
-- again, as what a caller chose the nonce of.
CREATE FUNCTION "keep_settled_nonces"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "settled_nonce" ("lane_id", "nonce", "state", "given", "lost", "raw", "hash")
    SELECT "lane_id", "nonce", CASE "state" WHEN 'accepted' THEN "state" ELSE 'doubtful' END,
           "given" OR "state" = 'signed', "lost" OR "state" = 'signed', "raw", "hash"
      FROM "gone" WHERE "raw" IS NOT NULL
    ON CONFLICT ("lane_id", "nonce") DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER "nonce_entry_settled" AFTER DELETE ON "nonce_entry"
    REFERENCING OLD TABLE AS "gone" FOR EACH STATEMENT EXECUTE FUNCTION "keep_settled_nonces"();
