-- CreateTable
CREATE TABLE "key_holder" (
    "key" BYTEA NOT NULL,
    "url" TEXT NOT NULL,
    "bound" BOOLEAN NOT NULL,
    "proved_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "key_holder_pkey" PRIMARY KEY ("key")
);
