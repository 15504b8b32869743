-- CreateTable
CREATE TABLE "undelivered_payload" (
    "hash" BYTEA NOT NULL,

    CONSTRAINT "undelivered_payload_pkey" PRIMARY KEY ("hash")
);
