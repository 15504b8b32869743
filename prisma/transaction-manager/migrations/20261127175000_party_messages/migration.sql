-- CreateTable
CREATE TABLE "message_pair" (
    "own" BYTEA NOT NULL,
    "other" BYTEA NOT NULL,
    "last_sent" BIGINT NOT NULL DEFAULT 0,
    "last_received" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "message_pair_pkey" PRIMARY KEY ("own","other")
);

-- CreateTable
CREATE TABLE "outgoing_message" (
    "id" BIGSERIAL NOT NULL,
    "own" BYTEA NOT NULL,
    "other" BYTEA NOT NULL,
    "order" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "body" BYTEA NOT NULL,
    "taken_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "outgoing_message_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "incoming_message" (
    "sequence" BIGSERIAL NOT NULL,
    "tag" INTEGER NOT NULL,
    "own" BYTEA NOT NULL,
    "other" BYTEA NOT NULL,
    "kind" TEXT NOT NULL,
    "body" BYTEA NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "incoming_message_pkey" PRIMARY KEY ("sequence")
);

-- CreateIndex
CREATE INDEX "outgoing_message_own_other_id_idx" ON "outgoing_message"("own", "other", "id");

-- CreateIndex
CREATE INDEX "incoming_message_other_idx" ON "incoming_message"("other");
