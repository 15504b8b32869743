-- CreateTable
CREATE TABLE "address_row" (
    "list" BIGINT NOT NULL,
    "first" BIGINT NOT NULL,
    "sent_before" INTEGER NOT NULL,
    "roles" SMALLINT NOT NULL,
    "entries" BYTEA NOT NULL,

    CONSTRAINT "address_row_pkey" PRIMARY KEY ("list","first")
);

-- A row is written again as it grows: with room on its page the new version stays there, and the key needs no second entry.
ALTER TABLE "address_row" SET (fillfactor = 80);
