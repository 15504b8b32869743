-- CreateTable
CREATE TABLE "flat_state" (
    "key" BYTEA NOT NULL,
    "value" BYTEA NOT NULL,

    CONSTRAINT "flat_state_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "flat_state_head" (
    "id" INTEGER NOT NULL,
    "state_root" BYTEA NOT NULL,

    CONSTRAINT "flat_state_head_pkey" PRIMARY KEY ("id")
);
