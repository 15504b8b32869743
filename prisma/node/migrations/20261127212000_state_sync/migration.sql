-- CreateTable
CREATE TABLE "state_sync" (
    "id" INTEGER NOT NULL,
    "target_block" BIGINT NOT NULL,
    "cursor" BYTEA NOT NULL,
    "is_mixed" BOOLEAN NOT NULL,
    "joined_block" BIGINT,

    CONSTRAINT "state_sync_pkey" PRIMARY KEY ("id")
);
