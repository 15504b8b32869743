-- CreateTable
CREATE TABLE "state_sync_part" (
    "from_key" BYTEA NOT NULL,
    "state_root" BYTEA NOT NULL,

    CONSTRAINT "state_sync_part_pkey" PRIMARY KEY ("from_key")
);
