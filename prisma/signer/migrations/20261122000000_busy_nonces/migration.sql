-- A nonce changes its state three times in a second. With the state in no index, and room on its page, such a change
-- writes one new version of the row and nothing else, and the old ones go without waiting for vacuum.
DROP INDEX "nonce_entry_state_lane_id_nonce_idx";
DROP INDEX "nonce_entry_idempotency_idx";
ALTER TABLE "nonce_entry" SET (fillfactor = 25);

-- What most rows are not, and what is looked for all the time.
ALTER TABLE "nonce_entry" ADD COLUMN "is_free" BOOLEAN GENERATED ALWAYS AS ("state" = 'free') STORED;
CREATE INDEX "nonce_entry_free_idx" ON "nonce_entry"("lane_id", "nonce") WHERE "is_free";
CREATE INDEX "nonce_entry_idempotency_idx" ON "nonce_entry"("idempotency") WHERE "idempotency" IS NOT NULL;
