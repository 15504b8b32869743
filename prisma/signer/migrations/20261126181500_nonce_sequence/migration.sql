-- The nonce sequences, under the name that code and pages have for them.
ALTER TABLE "lane" RENAME TO "nonce_sequence";
ALTER TABLE "nonce_sequence" RENAME CONSTRAINT "lane_pkey" TO "nonce_sequence_pkey";
ALTER INDEX "lane_chain_id_account_privacy_group_key" RENAME TO "nonce_sequence_chain_id_account_privacy_group_key";
ALTER SEQUENCE "lane_id_seq" RENAME TO "nonce_sequence_id_seq";

-- Replicas of the previous version go on under the former name: PostgreSQL has statements on such a view, their locks
-- and conflicts included, work on the table. The next version drops it.
CREATE VIEW "lane" AS SELECT * FROM "nonce_sequence";
