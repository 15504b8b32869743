-- CreateTable
CREATE TABLE "consensus_record" (
    "validator" BYTEA NOT NULL,
    "height" BIGINT NOT NULL,
    "round" BIGINT NOT NULL,
    "record" BYTEA NOT NULL,

    CONSTRAINT "consensus_record_pkey" PRIMARY KEY ("validator")
);
