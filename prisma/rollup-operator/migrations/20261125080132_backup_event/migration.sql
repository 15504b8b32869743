-- CreateTable
CREATE TABLE "backup_event" (
    "kind" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "backup_event_pkey" PRIMARY KEY ("kind")
);

-- What the schema language cannot say.

ALTER TABLE "backup_event" ADD CONSTRAINT "backup_event_kind" CHECK ("kind" IN ('backup', 'verification'));
